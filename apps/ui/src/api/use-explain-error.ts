import { useTranslation } from 'react-i18next';
import { ApiError } from '../api-error.ts';
import { explainError } from '../explain-error.ts';

/** Explains an error in the current language. */
export function useExplainError(): (error: unknown) => string {
  const { t, i18n } = useTranslation('errors');
  return (error) =>
    explainError(error, {
      bySlug: (slug, extra) => {
        // A refusal with several reasons has a text for each: `SLUG_reason`.
        const options = { ...extra, context: extra.why ?? extra.setting };
        return i18n.exists(slug, { ns: 'errors', context: options.context })
          ? t(slug as 'unknown', options)
          : undefined;
      },
      general: (failure) => t(failure),
    });
}

/** Field errors by path, or by the field of a path, translated by the validation rule, for display at the inputs of a form. */
export function useFieldErrors(fieldOf = (path: string) => path): (error: unknown) => Record<string, string> {
  const { t, i18n } = useTranslation('errors');
  return (error) => {
    if (!(error instanceof ApiError)) return {};
    return Object.fromEntries(
      error.fieldErrors.map(({ path, msg, rule, limit }) => {
        const byRule = `rules.${rule}`;
        const field = fieldOf(path);
        return [field, rule && i18n.exists(byRule, { ns: 'errors' }) ? t(byRule as 'rules.required', { limit }) : msg];
      }),
    );
  };
}
