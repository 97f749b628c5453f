export interface FieldError {
  path: string;
  msg: string;
  rule?: string | undefined;
  limit?: number | undefined;
}

interface Envelope {
  error?: string;
  message?: string;
  errors?: FieldError[];
}

/** The server refused the request, or was not reached (status 0). explain-error.ts puts it into words by its slug. */
export class ApiError extends Error {
  readonly status: number;
  readonly slug: string | null;
  readonly fieldErrors: FieldError[];
  /** Further fields of the refusal, such as `currentBalance`. */
  readonly extra: Record<string, unknown>;

  constructor(status: number, envelope: Envelope & Record<string, unknown>) {
    super(envelope.message ?? `HTTP ${status}`);
    const { error, message: _message, errors, success: _success, ...extra } = envelope;
    this.status = status;
    this.slug = error ?? null;
    this.fieldErrors = errors ?? [];
    this.extra = extra;
  }
}
