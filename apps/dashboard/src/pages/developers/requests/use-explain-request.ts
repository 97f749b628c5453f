import type { ErrorSlug, LoggedRequest } from '@navette/contract';
import { useTranslation } from 'react-i18next';

interface Meaning {
  cause: string;
  remedy: string;
}

/** Cause and remedy of a refused request: by its slug, else by its status. Null for a successful one. */
export function useExplainRequest(): (request: LoggedRequest) => Meaning | null {
  const { t, i18n } = useTranslation('developers');
  const say = (key: `slugs.${ErrorSlug}` | 'byStatus.s400'): Meaning => ({
    cause: t(`requests.${key}.cause`),
    remedy: t(`requests.${key}.remedy`),
  });
  return ({ status, error, fields }) => {
    if (status < 400) return null;
    const known = [
      error === 'VALIDATION_ERROR' ? 'byStatus.webhook' : `slugs.${error}`,
      fields.length > 0 ? 'byStatus.fields' : `byStatus.s${status}`,
      status >= 500 ? 'slugs.INTERNAL_ERROR' : 'byStatus.s400',
    ].find((key) => i18n.exists(`requests.${key}.cause`, { ns: 'developers' }));
    return known ? say(known as 'byStatus.s400') : null;
  };
}
