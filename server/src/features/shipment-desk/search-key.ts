/** What a shipment can be found by, most telling first. A field's place in this list is its number in the database. */
export const SEARCH_FIELDS = ['order', 'reference', 'recipient', 'town'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface Searchable {
  orderId: string | null;
  referenceNumber: string;
  recipientName: string;
  city: string;
}

const MAX_KEY_LENGTH = 60; // enough to tell apart, short enough for an index
const MAX_WORDS = 6; // of a name that can be searched for one by one

/** What is typed and what is stored meet in this form: without case, accents and punctuation. */
export const searchKey = (text: string): string =>
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
    .slice(0, MAX_KEY_LENGTH)
    .replace(/\p{Surrogate}$/u, '') // half of a character that was cut, which PostgreSQL refuses
    .trim();

/** All keys of a shipment, in the order in which they are looked through. A search matches how one of them begins. */
export function keysOf({ orderId, referenceNumber, recipientName, city }: Searchable): [SearchField, string][] {
  const keys: [SearchField, string][] = [
    ['order', searchKey(orderId ?? '')],
    ['reference', searchKey(referenceNumber)],
    ...fromEachWord(searchKey(recipientName)).map((key): [SearchField, string] => ['recipient', key]),
    ...fromEachWord(searchKey(city)).map((key): [SearchField, string] => ['town', key]),
  ];
  return keys.filter(([, key]) => key !== '');
}

/** `anne marie petit`, `marie petit`, `petit`: found by any of its words, in key order and each once. */
function fromEachWord(key: string): string[] {
  const words = key.split(' ');
  const tails = words.slice(0, MAX_WORDS).map((_, i) => words.slice(i).join(' '));
  return [...new Set(tails)].sort();
}
