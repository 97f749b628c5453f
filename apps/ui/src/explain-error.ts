import { ApiError } from './api-error.ts';

/** Texts for failures without a slug of their own. */
export type GeneralFailure = 'unknown' | 'fields' | 'notFound' | 'tooMany' | 'internal';

export interface ErrorTexts {
  /** The text of a slug, if the language has one. */
  bySlug: (slug: string, extra: Record<string, unknown>) => string | undefined;
  general: (failure: GeneralFailure) => string;
}

/** Explains an error in the current language: by its slug where a text exists, else with the server's message. */
export function explainError(error: unknown, { bySlug, general }: ErrorTexts): string {
  if (!(error instanceof ApiError)) return general('unknown');
  const text = error.slug === null ? undefined : bySlug(error.slug, error.extra);
  if (text !== undefined) return text;
  if (error.fieldErrors.length > 0) return general('fields');
  if (error.status === 404) return general('notFound');
  if (error.status === 429) return general('tooMany');
  if (error.status >= 500) return general('internal');
  return error.message;
}
