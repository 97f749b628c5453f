import type { Need } from '@navette/contract';
import {
  IconBook2,
  IconChartBar,
  IconFileText,
  IconKey,
  IconPackage,
  IconReceiptEuro,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';

/** What the side bar shows, in order; an entry that the role has no use for is left out. */
export const NAVIGATION = [
  {
    section: null,
    entries: [
      { to: '/', word: 'overview', icon: IconChartBar, needs: 'read' },
      { to: '/shipments', word: 'shipments', icon: IconPackage, needs: 'read' },
    ],
  },
  {
    section: 'developers',
    entries: [
      { to: '/developers/start', word: 'firstShipment', icon: IconBook2, needs: 'develop' },
      { to: '/developers/keys', word: 'keys', icon: IconKey, needs: 'develop' },
      { to: '/developers/webhooks', word: 'webhooks', icon: IconWebhook, needs: 'develop' },
      { to: '/developers/requests', word: 'requests', icon: IconFileText, needs: 'develop' },
    ],
  },
  {
    section: 'account',
    entries: [
      { to: '/account', word: 'settings', icon: IconSettings, needs: 'read' },
      { to: '/account/ledger', word: 'ledger', icon: IconReceiptEuro, needs: 'read' },
      { to: '/team', word: 'team', icon: IconUsers, needs: 'read' },
    ],
  },
] as const satisfies { section: string | null; entries: { to: string; word: string; icon: unknown; needs: Need }[] }[];
