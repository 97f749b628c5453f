import { Readable } from 'node:stream';
import { withoutQuery } from '../network/without-query.ts';
import type { Answer } from './bind.ts';

/**
 * Removes from a response what a view of staff must not contain: the query of webhook URLs, in which merchants put secrets
 * of their own. By the name of the field, so that a new response is covered too.
 */
export async function hideSecrets(answer: Answer): Promise<Answer> {
  const { body, headers } = answer;
  const contentType = headers?.['content-type'];
  if (contentType !== undefined && !contentType.startsWith('application/json')) return answer;
  const document = typeof body === 'object' && !(body instanceof Readable) ? body : JSON.parse(await textOf(body));
  const hidden = JSON.stringify(document, (field, value) => (isUrl(field, value) ? withoutQuery(value) : value));
  return { ...answer, body: document === body ? JSON.parse(hidden) : hidden };
}

const isUrl = (field: string, value: unknown): value is string =>
  (field === 'url' || field === 'webhookUrl') && typeof value === 'string';

async function textOf(body: unknown): Promise<string> {
  if (!(body instanceof Readable)) return String(body);
  const chunks = await body.map((chunk: Buffer | string) => Buffer.from(chunk)).toArray();
  return Buffer.concat(chunks).toString();
}
