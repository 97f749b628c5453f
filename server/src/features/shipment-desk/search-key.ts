import { ERASED } from '@navette/contract';
import { normalizeText } from '../../text/normalize-text.ts';

/** The fields that a search covers, most specific first. The position of a field is its number in the database. */
export const SEARCH_FIELDS = ['order', 'reference', 'recipient', 'town'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface Searchable {
  orderId: string | null;
  referenceNumber: string;
  recipientName: string;
  city: string;
}

const MAX_WORDS = 6; // of a name, each searchable on its own

/** All keys of a shipment, in search order. A search matches the beginning of a key. */
export function keysOf({ orderId, referenceNumber, recipientName, city }: Searchable): [SearchField, string][] {
  const keys: [SearchField, string][] = [
    ['order', normalizeText(orderId ?? '')],
    ['reference', normalizeText(referenceNumber)],
    ...fromEachWord(normalizeText(recipientName === ERASED ? '' : recipientName)).map((key): [SearchField, string] => [
      'recipient',
      key,
    ]),
    ...fromEachWord(normalizeText(city)).map((key): [SearchField, string] => ['town', key]),
  ];
  return keys.filter(([, key]) => key !== '');
}

/** `anne marie petit`, `marie petit`, `petit`: a key from each word on, sorted and without duplicates. */
function fromEachWord(key: string): string[] {
  const words = key.split(' ');
  const tails = words.slice(0, MAX_WORDS).map((_, i) => words.slice(i).join(' '));
  return [...new Set(tails)].sort();
}
