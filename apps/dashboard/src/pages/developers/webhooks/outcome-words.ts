import { useTranslation } from 'react-i18next';

/** What came of a request: the status, or why there was none. */
export function useOutcomeWords(): (outcome: { status: number | null; error: string | null }) => string {
  const { t, i18n } = useTranslation('developers');
  return ({ status, error }) => {
    if (status !== null) return `HTTP ${status}`;
    const known = `webhooks.error.${error}`;
    return i18n.exists(known, { ns: 'developers' }) ? t(known as 'webhooks.error.TIMEOUT') : (error ?? '');
  };
}

export const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;
