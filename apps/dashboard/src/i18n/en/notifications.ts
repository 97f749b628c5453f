import type { Translations } from '../translations.ts';

const notifications: Translations['notifications'] = {
  title: 'Notifications',
  text: 'What happened on the account in the last 60 days and concerns you.',
  choose: 'Choose my notifications',
  emptyTitle: 'Nothing to report',
  emptyText: 'Incidents, failing webhooks, invoices and finished imports appear here.',
  new: 'new',
  kinds: {
    'webhook-failing': 'The webhook {{title}} is failing',
    'webhook-paused': 'The webhook {{title}} has been paused',
    'key-expiring': 'The API key {{title}} expires soon',
    incident: 'Shipment {{title}} could not be handed over',
    'recurring-refused': 'The recurring shipment to {{title}} cannot be created',
    'import-finished': 'The import {{title}} has finished',
    'balance-low': 'The balance is low',
    'balance-empty': 'The balance is used up: new shipments are refused',
    'invoice-issued': 'Billing document {{title}} is available',
  },
  choiceText: 'Choose what you are notified about, and how. Security emails are always sent.',
  about: 'About',
  ways: { app: 'Here', mail: 'Email' },
  names: {
    'webhook-failing': 'A webhook is failing',
    'webhook-paused': 'A webhook is paused',
    'key-expiring': 'An API key expires soon',
    incident: 'A parcel could not be handed over',
    'recurring-refused': 'A recurring shipment cannot be created',
    'import-finished': 'An import has finished',
    'balance-low': 'The balance is low',
    'balance-empty': 'The balance is used up',
    'invoice-issued': 'An invoice or credit note is available',
  },
};

export default notifications;
