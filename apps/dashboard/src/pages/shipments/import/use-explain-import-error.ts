import { useTranslation } from 'react-i18next';
import type { Import } from './imports-queries.ts';

/** Explains an error of a line: translated by rule or slug where possible, else the server's message. */
export function useExplainImportError() {
  const { t, i18n } = useTranslation(['imports', 'errors']);
  return {
    field(path: string | null): string {
      if (path === null) return t('wholeLine');
      const key = `fields.${path}`;
      return i18n.exists(key, { ns: 'imports' }) ? t(key as 'fields.notes') : path;
    },
    problem({ rule, message }: Import['errors'][number]): string {
      if (i18n.exists(`problems.${rule}`, { ns: 'imports' })) return t(`problems.${rule}` as 'problems.required');
      if (i18n.exists(rule, { ns: 'errors' })) return t(rule as 'unknown', { ns: 'errors' });
      return message;
    },
  };
}
