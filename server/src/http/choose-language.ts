export const LANGUAGES = ['fr', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of the link, else the supported language that the browser prefers, else French. */
export function chooseLanguage(asked: unknown, acceptLanguage: string | undefined): Language {
  const chosen = LANGUAGES.find((language) => language === asked);
  if (chosen) return chosen;
  const preferred = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [range = '', ...options] = entry.trim().toLowerCase().split(';');
      const quality = options.map((option) => /^\s*q=([\d.]+)\s*$/.exec(option)?.[1]).find(Boolean);
      return { language: range.split('-')[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { language } of preferred) {
    const supported = LANGUAGES.find((one) => one === language);
    if (supported) return supported;
  }
  return 'fr';
}
