import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { withFrenchSpaces } from './french-spaces.ts';
import { keepLanguage, type Language, preferredLanguage } from './language.ts';
import type { Words } from './words.ts';

// One language is loaded; the other one when it is asked for.
const LOAD: Record<Language, () => Promise<{ default: Words }>> = {
  fr: async () => ({ default: withFrenchSpaces((await import('./fr/index.ts')).default) }),
  en: () => import('./en/index.ts'),
};

export async function startTranslations(): Promise<void> {
  const language = preferredLanguage();
  const words = (await LOAD[language]()).default;
  await i18next.use(initReactI18next).init({
    lng: language,
    defaultNS: 'common',
    resources: { [language]: words },
    interpolation: { escapeValue: false }, // React escapes
  });
  document.documentElement.lang = language;
}

export async function changeLanguage(language: Language): Promise<void> {
  const words = (await LOAD[language]()).default;
  for (const [subject, texts] of Object.entries(words)) i18next.addResourceBundle(language, subject, texts);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  keepLanguage(language);
}
