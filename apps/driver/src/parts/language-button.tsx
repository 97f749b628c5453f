import { LANGUAGES, type Language } from '@navette/ui/language';
import { changeLanguage, useText } from '../i18n/text.ts';
import { Button } from './controls.tsx';

/** Switches to the other language. The label is in that language. */
export function LanguageButton() {
  const { language } = useText();
  const other: Language = language === 'fr' ? 'en' : 'fr';
  return (
    <Button look="quiet" lang={other} onClick={() => changeLanguage(other)}>
      {LANGUAGES[other]}
    </Button>
  );
}
