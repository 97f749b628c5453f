import { AwsClient } from 'aws4fetch';
import type { FileStore } from './file-store.ts';

export interface S3Options {
  /** URL of the bucket, in path or host style: `https://s3.example.org/labels`. */
  bucketUrl: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const LIST_TIMEOUT_MS = 30_000; // a thousand names
const TIMEOUT_MS = 3_000; // drawing a label again takes less time

/** Files in a bucket of any service with the S3 protocol. */
export function createS3Bucket({ bucketUrl, ...credentials }: S3Options): FileStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 0 });
  const send = (name: string, request: RequestInit) =>
    client.fetch(`${bucketUrl}/${encodeURIComponent(name)}`, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return {
    async read(name) {
      const answer = await send(name, { method: 'GET' });
      if (answer.ok) return Buffer.from(await answer.arrayBuffer());
      await answer.body?.cancel();
      if (answer.status === 404) return null;
      throw new Error(`the bucket responded with ${answer.status} to a read`);
    },
    async write(name, bytes) {
      const headers = { 'content-type': 'application/pdf' };
      const answer = await send(name, { method: 'PUT', body: new Uint8Array(bytes), headers });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the bucket responded with ${answer.status} to a write`);
    },
    async delete(name) {
      const answer = await send(name, { method: 'DELETE' });
      await answer.body?.cancel();
      if (!answer.ok && answer.status !== 404)
        throw new Error(`the bucket responded with ${answer.status} to a deletion`);
    },
    async *list(since) {
      let token: string | undefined;
      do {
        const page = new URLSearchParams({ 'list-type': '2', ...(token ? { 'continuation-token': token } : {}) });
        const answer = await client.fetch(`${bucketUrl}?${page.toString()}`, {
          signal: AbortSignal.timeout(LIST_TIMEOUT_MS),
        });
        if (!answer.ok) throw new Error(`the bucket responded with ${answer.status} to a listing`);
        const xml = await answer.text();
        for (const [, content = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          if (new Date(elementOf(content, 'LastModified') ?? '') >= since) yield elementOf(content, 'Key') ?? '';
        }
        token = elementOf(xml, 'NextContinuationToken');
      } while (token);
    },
    async deleteUnfinished() {}, // writes to a bucket are atomic
  };
}

/** Names of label files need no XML unescaping: letters, figures, underscores and dots. */
const elementOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
