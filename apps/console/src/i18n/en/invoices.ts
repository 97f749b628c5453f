import platformStatuses from '@navette/ui/i18n/en/platform-statuses.ts';
import type { Translations } from '../translations.ts';

const invoices: Translations['invoices'] = {
  title: 'Invoices',
  text: 'Invoices and credit notes of all merchants, newest first.',
  empty: 'No invoices.',
  month: 'Month',
  filterMerchant: 'Filter by merchant',
  allMerchants: 'All merchants',
  chosenMerchant: 'Chosen merchant',
  typeName: 'Type the beginning of a name',
  searching: 'Searching…',
  noMerchant: 'No merchant found',
  state: 'Status',
  allStates: 'All statuses',
  number: 'Number',
  merchant: 'Merchant',
  net: 'Net',
  gross: 'Gross',
  issued: '{{month}} · issued {{date}}',
  dueBy: 'by {{date}}',
  corrects: 'on {{number}}',
  platform: {
    ...platformStatuses,
    failed: 'Refused by the platform: see the operator’s handbook',
  },
  states: { due: 'Due', settled: 'Paid', credit_note: 'Credit note' },
};
export default invoices;
