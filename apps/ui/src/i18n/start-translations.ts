import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { withFrenchSpaces } from '../french-spaces.ts';
import { type Language, preferredLanguage, saveLanguage } from '../language.ts';

type Load = () => Promise<{ default: object }>;

/** Imports the texts of one language by subject: those of the first page, and the others, loaded when a page uses one. */
export type TextLoaders = Record<Language, { first: Load; more?: Load }>;

async function read(load: Load, language: string): Promise<Record<string, object>> {
  const texts = (await load()).default as Record<string, object>;
  return language === 'fr' ? withFrenchSpaces(texts) : texts;
}

/** i18next asks it for a subject that is not loaded yet. The component that uses it is suspended meanwhile. */
const createBackend = (loaders: TextLoaders): BackendModule => ({
  type: 'backend',
  init: () => {},
  read(language, subject, answer) {
    readSubject(loaders[language as Language], language, subject).then(
      (texts) => answer(null, texts),
      (error: Error) => answer(error, false),
    );
  },
});

async function readSubject({ first, more }: TextLoaders[Language], language: string, subject: string): Promise<object> {
  const texts = await read(first, language);
  if (texts[subject] || !more) return texts[subject] ?? {};
  const others = await read(more, language);
  // They come in one file: a dialog that uses another subject later must not suspend the page below it.
  for (const [name, known] of Object.entries(others)) i18next.addResourceBundle(language, name, known);
  return others[subject] ?? {};
}

export async function startTranslations(loaders: TextLoaders): Promise<void> {
  const language = preferredLanguage();
  const first = await read(loaders[language].first, language);
  await i18next
    .use(initReactI18next)
    .use(createBackend(loaders))
    .init({
      lng: language,
      ns: Object.keys(first),
      defaultNS: 'common',
      resources: { [language]: { ...first } },
      partialBundledLanguages: true, // the other subjects and the other language come from the backend
      interpolation: { escapeValue: false }, // React escapes
    });
  document.documentElement.lang = language;
}

export async function changeLanguage(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  saveLanguage(language);
}
