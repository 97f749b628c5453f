import type { ErrorFields, ErrorSlug, FieldError } from './generated/api-types.ts';

/** Failures for which the contract has no slug. In lower case, so that they never collide with one of the contract. */
export type LocalSlug =
  | 'field_errors' // 400 with a list of invalid fields
  | 'refused' // 400 with a message only: slot, credit limit, or an internal failure of create and quote
  | 'not_found'
  | 'rate_limited'
  | 'network' // no response, or one that was cut
  | 'timeout' // no complete response within `timeoutMs`
  | 'aborted' // by the caller's signal
  | 'unreadable' // a response that is not the API's, such as the HTML page of a proxy
  | 'http_error' // any other status
  | 'webhook_unsigned'
  | 'webhook_signature'
  | 'webhook_expired'
  | 'webhook_body';

export interface ErrorDetails {
  /** HTTP status; null when no response arrived. */
  status?: number | null;
  /** The response's JSON: the fields of ErrorFields, among others. */
  fields?: Record<string, unknown>;
  remedy?: string;
  requestId?: string | null;
  isRetryable?: boolean;
  cause?: unknown;
}

/** Every failure of this package. `slug` discriminates; `message` is text for people, often French. */
export class NavetteError extends Error {
  override readonly name = 'NavetteError';
  /** A slug of the contract in upper case, or one of this package in lower case. The API may add slugs. */
  declare readonly slug: ErrorSlug | LocalSlug | (string & {});
  declare readonly status: number | null;
  declare readonly fields: Record<string, unknown>;
  /** How to resolve it, in English. */
  declare readonly remedy: string;
  /** Give it to support: the service logs every request with it. */
  declare readonly requestId: string | null;
  /** True when the same call may succeed later, with the same idempotency key. */
  declare readonly isRetryable: boolean;
  /** Of a creation: send it again with this key, and the shipment is created at most once. */
  idempotencyKey: string | null = null;
  /** How many requests were sent. */
  attempts = 1;

  constructor(slug: NavetteError['slug'], message: string, { cause, ...details }: ErrorDetails = {}) {
    super(message, { cause });
    const defaults = { status: null, fields: {}, remedy: '', requestId: null, isRetryable: false };
    Object.assign(this, { slug, ...defaults, ...details });
  }

  /** Narrows `slug` and the type of `fields`. */
  is<S extends ErrorSlug>(slug: S): this is NavetteError & { slug: S; fields: ErrorFields[S] } {
    return this.slug === slug;
  }

  /** The invalid fields of a `field_errors`. */
  get fieldErrors(): FieldError[] {
    return this.slug === 'field_errors' ? (this.fields.errors as FieldError[]) : [];
  }

  /** Of `rate_limited`: the window whose limit is reached. The client waits for `minute`; queue the others for later. */
  get window(): 'minute' | 'hour' | 'day' | null {
    return (this.fields.window as 'minute' | 'hour' | 'day' | undefined) ?? null;
  }
}
