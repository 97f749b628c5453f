const NARROW = '\u202f';
const WIDE = '\u00a0';

/** French puts a space before some punctuation marks. The translations use plain spaces; these must not break. */
const inText = (text: string) =>
  text
    .replaceAll(/ (?=[;!?])/g, NARROW)
    .replaceAll(/ (?=[:»€%])/g, WIDE)
    .replaceAll('« ', `«${WIDE}`);

/** The same texts, at any depth, with no-break spaces. A text with parameters is a function. */
export function withFrenchSpaces<T>(texts: T): T {
  if (typeof texts === 'string') return inText(texts) as T;
  if (typeof texts === 'function') return ((...args: unknown[]) => withFrenchSpaces(texts(...args))) as T;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, withFrenchSpaces(text)])) as T;
}
