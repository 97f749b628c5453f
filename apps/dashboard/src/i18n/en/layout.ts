import type { Words } from '../words.ts';

const layout: Words['layout'] = {
  menu: 'Menu',
  skipToPage: 'Skip to the page',
  signOut: 'Sign out',
  useLightColours: 'Use light colours',
  useDarkColours: 'Use dark colours',
  sections: { developers: 'Developers', account: 'Account' },
  pages: {
    signIn: 'Sign in',
    overview: 'Overview',
    shipments: 'Shipments',
    firstShipment: 'First shipment by API',
    keys: 'API keys',
    webhooks: 'Webhooks',
    requests: 'Request log',
    settings: 'Settings and prices',
    ledger: 'Ledger',
    team: 'Team',
    profile: 'My profile',
  },
  roles: { owner: 'Owner', developer: 'Developer', operations: 'Operations', 'read-only': 'Read only' },
  notFound: {
    title: 'There is no such page',
    text: 'The address may be incomplete, or what it showed no longer exists.',
    back: 'Back to the overview',
  },
};
export default layout;
