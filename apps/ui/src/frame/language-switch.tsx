import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '../i18n/start-translations.ts';
import { LANGUAGES, type Language } from '../language.ts';

/** Switches to the other language. The label is in that language. */
export function LanguageSwitch() {
  const { i18n } = useTranslation();
  const other: Language = i18n.language === 'fr' ? 'en' : 'fr';
  return (
    <Button variant="default" size="sm" px="sm" lang={other} onClick={() => void changeLanguage(other)}>
      {LANGUAGES[other]}
    </Button>
  );
}
