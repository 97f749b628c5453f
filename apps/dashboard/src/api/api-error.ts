import type { DashboardFieldError } from '@navette/contract';

interface Envelope {
  error?: string;
  message?: string;
  errors?: DashboardFieldError[];
}

/** The server said no, or was not reached (status 0). The words for people are chosen by slug (use-explain-error.ts). */
export class ApiError extends Error {
  readonly status: number;
  readonly slug: string | null;
  readonly fieldErrors: DashboardFieldError[];
  /** The refusal's own fields, such as `currentBalance`. */
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
