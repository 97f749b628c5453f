import type { StaffNeed } from '@navette/contract';
import {
  IconBike,
  IconBuildingStore,
  IconChartBar,
  IconCreditCard,
  IconFileInvoice,
  IconHistory,
  IconInbox,
  IconMap,
  IconSteeringWheel,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react';

/** Entries of the side bar, in order. Entries that the role has no permission for are hidden. */
export const NAVIGATION = [
  {
    section: null,
    entries: [
      { to: '/', label: 'inbox', icon: IconInbox, needs: 'read' },
      { to: '/dispatch', label: 'dispatch', icon: IconBike, needs: 'dispatch' },
      { to: '/map', label: 'map', icon: IconMap, needs: 'dispatch' },
      { to: '/approvals', label: 'approvals', icon: IconUserCheck, needs: 'read' },
    ],
  },
  {
    section: 'company',
    entries: [
      { to: '/figures', label: 'figures', icon: IconChartBar, needs: 'read' },
      { to: '/merchants', label: 'merchants', icon: IconBuildingStore, needs: 'read' },
      { to: '/payments', label: 'payments', icon: IconCreditCard, needs: 'money' },
      { to: '/invoices', label: 'invoices', icon: IconFileInvoice, needs: 'money' },
      { to: '/drivers', label: 'drivers', icon: IconSteeringWheel, needs: 'read' },
      { to: '/staff', label: 'staff', icon: IconUsers, needs: 'read' },
      { to: '/log', label: 'log', icon: IconHistory, needs: 'administer' },
    ],
  },
] as const satisfies {
  section: string | null;
  entries: { to: string; label: string; icon: unknown; needs: StaffNeed }[];
}[];
