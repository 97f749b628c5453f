import { ApiError } from '@navette/ui/api-error';

/** Somebody acted first: the person, when, and the act as in the log. */
export interface Conflict {
  by: string | null;
  at: string | null;
  change: string | null;
}

const text = (value: unknown) => (typeof value === 'string' ? value : null);

export function readConflict(error: unknown): Conflict | null {
  if (!(error instanceof ApiError) || error.slug !== 'CHANGED_MEANWHILE') return null;
  const { by, at, change } = error.extra;
  return { by: text(by), at: text(at), change: text(change) };
}
