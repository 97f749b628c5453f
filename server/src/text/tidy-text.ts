const graphemes = new Intl.Segmenter('fr', { granularity: 'grapheme' });

/**
 * A text that a stranger typed: one line or several, without control characters, at most `limit` UTF-16 units long. Cut
 * between characters as people see them, so that no emoji is cut in half. Joiners stay: emoji and scripts need them.
 */
export function tidyText(text: string, limit: number): string {
  const clean = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{C}\n\u200c\u200d]/gu, '')
    .trim();
  if (clean.length <= limit) return clean;
  let end = 0;
  for (const { segment } of graphemes.segment(clean)) {
    if (end + segment.length > limit) break;
    end += segment.length;
  }
  return clean.slice(0, end).trim();
}
