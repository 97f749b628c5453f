import shared from '@navette/ui/i18n/en/layout.ts';
import type { Translations } from '../translations.ts';

const layout: Translations['layout'] = {
  ...shared,
  sections: { developers: 'Developers', account: 'Account' },
  pages: {
    signIn: 'Sign in',
    overview: 'Overview',
    shipments: 'Shipments',
    firstShipment: 'First API shipment',
    keys: 'API keys',
    webhooks: 'Webhooks',
    requests: 'Request log',
    settings: 'Settings and prices',
    ledger: 'Ledger',
    team: 'Team',
  },
  roles: { owner: 'Owner', developer: 'Developer', operations: 'Operations', 'read-only': 'Read only' },
  notFound: { ...shared.notFound, back: 'Back to the overview' },
};
export default layout;
