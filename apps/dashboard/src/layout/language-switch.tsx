import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, type Language } from '../i18n/language.ts';
import { changeLanguage } from '../i18n/start-translations.ts';

/** Offers the other language, in its own words. */
export function LanguageSwitch() {
  const { i18n } = useTranslation();
  const other: Language = i18n.language === 'fr' ? 'en' : 'fr';
  return (
    <Button variant="default" size="sm" px="sm" lang={other} onClick={() => void changeLanguage(other)}>
      {LANGUAGES[other]}
    </Button>
  );
}
