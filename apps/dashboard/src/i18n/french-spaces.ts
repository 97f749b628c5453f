const NARROW = '\u202f';
const WIDE = '\u00a0';

/** French puts a space before some marks, which must not begin a line: texts are typed with plain ones. */
const inText = (text: string) =>
  text
    .replaceAll(/ (?=[;!?])/g, NARROW)
    .replaceAll(/ (?=[:»€%])/g, WIDE)
    .replaceAll('« ', `«${WIDE}`);

/** The same texts, however deep, with spaces that do not break. */
export function withFrenchSpaces<T>(texts: T): T {
  if (typeof texts === 'string') return inText(texts) as T;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, withFrenchSpaces(text)])) as T;
}
