/** Control characters, and characters that reorder or hide text, except the joiners that some scripts and emoji need. */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** User-chosen text made safe for display to others: one line, in logical order. */
export const printableText = (text: string): string => text.replaceAll(UNPRINTABLE, '');

/** The same for mails: shortened, and without URLs that a mail program would turn into links. */
export function mailText(text: string, longest = 80): string {
  const plain = printableText(text)
    .replaceAll(/\b[a-z][a-z+.-]*:\/\//gi, '')
    .replaceAll(/\bwww\./gi, '');
  const characters = Array.from(new Intl.Segmenter().segment(plain), ({ segment }) => segment);
  return characters.length > longest
    ? `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
    : plain;
}
