import { useTranslation } from 'react-i18next';

/** An act of the log in words; one that this version of the app does not know, as it is. */
export function useActName(): (act: string) => string {
  const { t, i18n } = useTranslation('log');
  return (act) => {
    const key = `acts.${act.replace('.', '_')}`;
    return i18n.exists(key, { ns: 'log' }) ? t(key as 'acts.staff_invited') : act;
  };
}
