import { NavetteError } from './errors.ts';
import { REMEDIES } from './generated/remedies.ts';

const LOCAL_REMEDIES: Record<string, string> = {
  field_errors: 'Correct the fields in `fieldErrors`.',
  refused: 'Correct the request; if it is correct, retry with the same idempotency key.',
  not_found: 'Check the id and the account.',
  rate_limited: 'Queue the call for later.',
  network: 'Retry with the same idempotency key or batchId.',
  timeout: 'Retry with the same idempotency key or batchId.',
  unreadable: 'Check the base URL and the proxies in between.',
};
const MOST_TEXT = 200; // characters of a foreign response, enough to recognise it

export const remedyFor = (slug: string): string => REMEDIES[slug] ?? LOCAL_REMEDIES[slug] ?? '';

/** An answer that is not a success, as an error. A 5xx, and anything from a proxy, may not be JSON. */
export function readFailure(status: number, text: string, requestId: string): NavetteError {
  const fields = parseObject(text);
  const slug = slugOf(status, fields);
  const message = (fields?.message as string | undefined) ?? `${status}: ${text.slice(0, MOST_TEXT)}`;
  return new NavetteError(slug, message, {
    status,
    fields: fields ?? {},
    remedy: remedyFor(slug),
    requestId,
    isRetryable: status < 300 || status >= 500 || status === 429 || status === 408 || slug === 'refused',
  });
}

/** A 429 comes first: it never has a slug of its own. */
function slugOf(status: number, fields: Record<string, unknown> | null): string {
  if (status === 429) return 'rate_limited';
  if (!fields || status < 300) return 'unreadable';
  if (typeof fields.error === 'string') return fields.error;
  if (Array.isArray(fields.errors)) return 'field_errors';
  if (status === 404) return 'not_found';
  return status === 400 ? 'refused' : 'http_error';
}

export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
