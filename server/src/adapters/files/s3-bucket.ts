import { AwsClient } from 'aws4fetch';
import type { FileStore } from './file-store.ts';

export interface S3Options {
  /** Of the bucket, in path or host style: `https://s3.example.org/labels`. */
  bucketUrl: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const PATIENCE_MS = 3_000; // what is kept here can be made again faster than that

/** Files in a bucket of any service that speaks S3's protocol. */
export function createS3Bucket({ bucketUrl, ...credentials }: S3Options): FileStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries: 0 });
  const send = (name: string, request: RequestInit) =>
    client.fetch(`${bucketUrl}/${encodeURIComponent(name)}`, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
  return {
    async read(name) {
      const answer = await send(name, { method: 'GET' });
      if (answer.ok) return Buffer.from(await answer.arrayBuffer());
      await answer.body?.cancel();
      if (answer.status === 404) return null;
      throw new Error(`the bucket answered ${answer.status} to a read`);
    },
    async write(name, bytes) {
      const headers = { 'content-type': 'application/pdf' };
      const answer = await send(name, { method: 'PUT', body: new Uint8Array(bytes), headers });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the bucket answered ${answer.status} to a write`);
    },
  };
}
