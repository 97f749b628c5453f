import { type ErrorTexts, explainError } from '@navette/ui/explain-error';
import { useText } from './text.ts';

/** Explains an error in the current language. */
export function useExplain(): (error: unknown) => string {
  const { errors } = useText().t;
  const bySlug: Record<string, string> = errors;
  const texts: ErrorTexts = { bySlug: (slug) => bySlug[slug], general: (failure) => errors[failure] };
  return (error) => explainError(error, texts);
}
