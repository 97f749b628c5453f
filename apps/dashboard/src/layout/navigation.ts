import type { Need } from '@navette/contract';
import {
  IconAddressBook,
  IconBook2,
  IconChartBar,
  IconCreditCard,
  IconFileInvoice,
  IconFileText,
  IconKey,
  IconMessage,
  IconPackage,
  IconReceiptEuro,
  IconRepeat,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';

/** Entries of the side bar, in order. Entries that the role has no permission for are hidden. */
export const NAVIGATION = [
  {
    section: null,
    entries: [
      { to: '/', label: 'overview', icon: IconChartBar, needs: 'read' },
      { to: '/shipments', label: 'shipments', icon: IconPackage, needs: 'read' },
      { to: '/recurring', label: 'recurring', icon: IconRepeat, needs: 'read' },
      { to: '/addresses', label: 'addresses', icon: IconAddressBook, needs: 'ship' },
    ],
  },
  {
    section: 'developers',
    entries: [
      { to: '/developers/start', label: 'firstShipment', icon: IconBook2, needs: 'develop' },
      { to: '/developers/keys', label: 'keys', icon: IconKey, needs: 'develop' },
      { to: '/developers/webhooks', label: 'webhooks', icon: IconWebhook, needs: 'develop' },
      { to: '/developers/requests', label: 'requests', icon: IconFileText, needs: 'develop' },
    ],
  },
  {
    section: 'account',
    entries: [
      { to: '/account', label: 'settings', icon: IconSettings, needs: 'read' },
      { to: '/account/messages', label: 'messages', icon: IconMessage, needs: 'read' },
      { to: '/account/payments', label: 'payments', icon: IconCreditCard, needs: 'read' },
      { to: '/account/ledger', label: 'ledger', icon: IconReceiptEuro, needs: 'read' },
      { to: '/account/invoices', label: 'invoices', icon: IconFileInvoice, needs: 'read' },
      { to: '/team', label: 'team', icon: IconUsers, needs: 'read' },
    ],
  },
] as const satisfies { section: string | null; entries: { to: string; label: string; icon: unknown; needs: Need }[] }[];
