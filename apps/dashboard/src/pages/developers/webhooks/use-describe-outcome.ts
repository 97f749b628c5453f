import { useTranslation } from 'react-i18next';

/** Describes the outcome of an attempt: the response status, or the reason for the missing response. */
export function useDescribeOutcome(): (outcome: { status: number | null; error: string | null }) => string {
  const { t, i18n } = useTranslation('developers');
  return ({ status, error }) => {
    if (status !== null) return `HTTP ${status}`;
    const known = `webhooks.error.${error}`;
    return i18n.exists(known, { ns: 'developers' }) ? t(known as 'webhooks.error.TIMEOUT') : (error ?? '');
  };
}

export const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300;
