export const LANGUAGES = { fr: 'Français', en: 'English' } as const;
export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'navette-language';

const isLanguage = (value: string | null | undefined): value is Language =>
  value !== null && value !== undefined && Object.hasOwn(LANGUAGES, value);

/** The chosen language; else the first supported language of the browser; else French. */
export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(STORAGE_KEY);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'fr';
}

export const saveLanguage = (language: Language) => localStorage.setItem(STORAGE_KEY, language);
