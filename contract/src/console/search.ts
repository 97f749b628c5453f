import Type, { type Static } from 'typebox';
import { Closed, Id, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { SEARCH_FIELD_NEEDS, type SearchField } from './roles.ts';

const FIELDS = Object.keys(SEARCH_FIELD_NEEDS) as [SearchField, ...SearchField[]];

const SearchResult = Closed(
  {
    type: OneOf(['shipment', 'account', 'driver'] as const, { description: 'The page that it leads to.' }),
    id: Id('The shipment, account or driver.'),
    title: Type.String({ description: 'Reference or name.' }),
    matched: OneOf(FIELDS, { description: 'The field that begins with the text.' }),
    status: Nullable(OneOf(SHIPMENT_STATUSES)),
    account: Nullable(Type.String({ description: 'Of a shipment: the merchant’s name.' })),
    recipient: Nullable(Type.String({ description: 'For roles that may search by it.' })),
    town: Nullable(Type.String()),
    orderId: Nullable(Type.String()),
    detail: Nullable(Type.String({ description: 'Of a request or key: which one.' })),
    isClosed: Type.Boolean({ description: 'A closed account, a disabled driver, a revoked key.' }),
  },
  { title: 'SearchResult' },
);
export type SearchResult = Static<typeof SearchResult>;

export const searchEndpoints = defineConsoleEndpoints({
  searchConsole: {
    section: 'Search',
    summary: 'Find shipments, merchants and drivers by the beginning of a word',
    description:
      'By reference, order number, recipient, town, phone, merchant, driver, id of a refused request, and key (its last four characters, or all of it). The role decides which fields are searched. POST, so that no URL contains a person’s name.',
    body: Type.Object({ text: Text({ maxLength: 100 }) }),
    answers: { 200: Closed({ success: Success, results: Type.Array(SearchResult) }) },
    needs: 'read',
  },
});
