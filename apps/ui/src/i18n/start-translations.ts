import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { withFrenchSpaces } from '../french-spaces.ts';
import { type Language, preferredLanguage, saveLanguage } from '../language.ts';

/** Imports the texts of one language; the other one is loaded on demand. */
export type TextLoaders = Record<Language, () => Promise<{ default: object }>>;

let loaders: TextLoaders;

async function load(language: Language): Promise<object> {
  const texts = (await loaders[language]()).default;
  return language === 'fr' ? withFrenchSpaces(texts) : texts;
}

export async function startTranslations(given: TextLoaders): Promise<void> {
  loaders = given;
  const language = preferredLanguage();
  await i18next.use(initReactI18next).init({
    lng: language,
    defaultNS: 'common',
    resources: { [language]: { ...(await load(language)) } },
    interpolation: { escapeValue: false }, // React escapes
  });
  document.documentElement.lang = language;
}

export async function changeLanguage(language: Language): Promise<void> {
  const texts = await load(language);
  for (const [subject, words] of Object.entries(texts)) i18next.addResourceBundle(language, subject, words);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  saveLanguage(language);
}
