import { ERASED } from '@navette/contract';
import { normalizeText } from '../../text/normalize-text.ts';
import { keysFromEachWord, phoneKeyOf } from '../../text/search-words.ts';

/** The fields that a search covers, most specific first. The position of a field is its number in the database. */
export const SEARCH_FIELDS = ['order', 'reference', 'recipient', 'town', 'phone'] as const;
/** Members search these; the console also searches by phone. */
export const MEMBER_SEARCH_FIELDS = SEARCH_FIELDS.slice(0, -1);
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface Searchable {
  orderId: string | null;
  referenceNumber: string;
  recipientName: string;
  city: string;
  phoneNumber: string;
}

/** All keys of a shipment, in search order. A search matches the beginning of a key. */
export function keysOf(shipment: Searchable): [SearchField, string][] {
  const { orderId, referenceNumber, recipientName, city, phoneNumber } = shipment;
  const of = (field: SearchField, keys: string[]) => keys.map((key): [SearchField, string] => [field, key]);
  const keys: [SearchField, string][] = [
    ['order', normalizeText(orderId ?? '')],
    ['reference', normalizeText(referenceNumber)],
    ...of('recipient', keysFromEachWord(recipientName === ERASED ? '' : recipientName)),
    ...of('town', keysFromEachWord(city)),
    ['phone', phoneKeyOf(phoneNumber)],
  ];
  return keys.filter(([, key]) => key !== '');
}
