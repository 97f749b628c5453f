import shared from '@navette/ui/i18n/en/layout.ts';
import type { Translations } from '../translations.ts';

const layout: Translations['layout'] = {
  ...shared,
  sections: { developers: 'Developers', account: 'Account' },
  pages: {
    signIn: 'Sign in',
    overview: 'Overview',
    shipments: 'Shipments',
    addresses: 'Address book',
    recurring: 'Recurring',
    firstShipment: 'First API shipment',
    keys: 'API keys',
    webhooks: 'Webhooks',
    requests: 'Request log',
    settings: 'Settings and prices',
    messages: 'Messages',
    payments: 'Payments',
    invoices: 'Invoices',
    ledger: 'Ledger',
    team: 'Team',
  },
  bell: {
    title: 'Notifications',
    unread_one: 'Notifications, {{count}} unread',
    unread_other: 'Notifications, {{count}} unread',
  },
  palette: {
    hint: 'Search…',
    title: 'Go to',
    label: 'Page, action or shipment',
    description: 'Find a shipment by order number, reference, or the recipient’s name or town.',
    results: 'Results',
    actions: 'Actions',
    pages: 'Pages',
    shipments: 'Shipments',
    kinds: { actions: 'Action', pages: 'Page', shipment: 'Shipment' },
    do: {
      newShipment: 'Create a shipment',
      import: 'Import a file of shipments',
      newRecurring: 'Create a recurring shipment',
    },
    searching: 'Searching shipments…',
    noShipment: 'No shipment starts with “{{text}}”.',
    nothing: 'No page, action or shipment for “{{text}}”.',
  },
  testMode: {
    switch: 'Test mode',
    short: 'Test',
    title: 'Test mode',
    text: 'No text message or email is sent, no real driver is notified and nothing is charged.',
    clock: 'The clock of test mode shows {{at}}.',
    leave: 'Back to live shipments',
  },
  help: {
    docs: 'Help and documentation',
    shortcuts: 'Keyboard shortcuts',
    keys: {
      palette: 'Go to a page, an action or a shipment',
      search: 'Search shipments (shipments page)',
      newShipment: 'Create a shipment (shipments pages)',
      shortcuts: 'Show this list',
      close: 'Close a dialog, clear the selection',
    },
  },
  forbidden: {
    title: 'This page is for other roles',
    text: 'Your role ({{role}}) does not include this page. An owner of the account can change it under Team.',
  },
  roles: { owner: 'Owner', developer: 'Developer', operations: 'Operations', 'read-only': 'Read only' },
  view: {
    title: 'You are viewing the dashboard of {{account}}, read only',
    text: '{{name}}, until {{time}}. Reason: {{reason}}',
    end: 'End the view',
  },
  notFound: { ...shared.notFound, back: 'Back to the overview' },
};
export default layout;
