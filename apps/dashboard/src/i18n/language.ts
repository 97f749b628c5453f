export const LANGUAGES = { fr: 'Français', en: 'English' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT_AS = 'navette-language';

const isLanguage = (value: string | null | undefined): value is Language =>
  value !== null && value !== undefined && Object.hasOwn(LANGUAGES, value);

/** What the person chose; else the first language of the browser that there is; else French. */
export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(KEPT_AS);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'fr';
}

export const keepLanguage = (language: Language) => localStorage.setItem(KEPT_AS, language);
