import { useTranslation } from 'react-i18next';
import { ApiError } from './api-error.ts';

/** Says in the reader's language why something failed: by slug where there are words for it, else as the server did. */
export function useExplainError(): (error: unknown) => string {
  const { t, i18n } = useTranslation('errors');
  return (error) => {
    if (!(error instanceof ApiError)) return t('unknown');
    if (error.slug && i18n.exists(error.slug, { ns: 'errors' })) return t(error.slug as 'unknown', error.extra);
    if (error.fieldErrors.length > 0) return t('fields');
    if (error.status === 404) return t('notFound');
    if (error.status === 429) return t('tooMany');
    if (error.status >= 500) return t('internal');
    return error.message;
  };
}

/** Field errors by path, worded by the rule that was broken: what a form shows beside its inputs. */
export function useFieldErrors(): (error: unknown) => Record<string, string> {
  const { t, i18n } = useTranslation('errors');
  return (error) => {
    if (!(error instanceof ApiError)) return {};
    return Object.fromEntries(
      error.fieldErrors.map(({ path, msg, rule, limit }) => {
        const byRule = `rules.${rule}`;
        return [path, rule && i18n.exists(byRule, { ns: 'errors' }) ? t(byRule as 'rules.required', { limit }) : msg];
      }),
    );
  };
}
