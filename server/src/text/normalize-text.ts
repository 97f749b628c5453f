const MAX_LENGTH = 60; // characters: enough to tell texts apart, short enough for a database index

/** Lower case, without accents and punctuation, and cut: the form in which typed and stored texts are compared. */
export const normalizeText = (text: string): string =>
  text
    .slice(0, 500)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
    .replace(/\p{Surrogate}$/u, '') // half of a surrogate pair that was cut, which PostgreSQL refuses
    .trim();
