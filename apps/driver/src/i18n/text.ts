import { createFormat, type Format } from '@navette/ui/formats';
import { withFrenchSpaces } from '@navette/ui/french-spaces';
import { type Language, preferredLanguage, saveLanguage } from '@navette/ui/language';
import { createStore, useStore } from '../state/store.ts';
import en from './en.ts';
import fr from './fr.ts';

export type Texts = typeof fr;

interface Translation {
  language: Language;
  t: Texts;
  format: Format;
}

// Both languages are in the first file: 5 kB more, and one round trip less on a slow network.
const TEXTS: Record<Language, Texts> = { fr: withFrenchSpaces(fr), en };

const translationStore = createStore<Translation | null>(null);

export function startTranslation(language = preferredLanguage()): void {
  const t = TEXTS[language];
  translationStore.set({ language, t, format: createFormat(language) });
  document.documentElement.lang = language;
  document.title = t.app.name;
}

export function changeLanguage(language: Language): void {
  startTranslation(language);
  saveLanguage(language);
}

/** The texts and formats of the current language: `const { t, format } = useText()`. */
export function useText(): Translation {
  const translation = useStore(translationStore);
  if (!translation) throw new Error('rendered before startTranslation');
  return translation;
}
