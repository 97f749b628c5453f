import type { Translations } from '../translations.ts';

const search: Translations['search'] = {
  hint: 'Search shipments, merchants…',
  title: 'Search',
  label: 'Reference, order, name…',
  searched: 'The beginning of a word is enough. Fields: {{fields}}.',
  results: 'Results',
  start: 'Type at least two characters.',
  searching: 'Searching…',
  none: 'Nothing begins with “{{text}}”.',
  order: 'order {{order}}',
  revoked: 'Revoked',
  types: { shipment: 'Shipment', account: 'Merchant', driver: 'Driver' },
  closed: { shipment: 'Ended', account: 'Account closed', driver: 'Disabled' },
  fields: {
    reference: 'reference',
    order: 'order',
    recipient: 'recipient',
    town: 'town',
    phone: 'phone',
    merchant: 'merchant',
    driver: 'driver',
    request: 'request',
    key: 'key',
  },
};
export default search;
