import type { StaffNeed } from '@navette/contract';
import { IconHistory, IconInbox, IconUserCheck, IconUsers } from '@tabler/icons-react';

/** Entries of the side bar, in order. Entries that the role has no permission for are hidden. */
export const NAVIGATION = [
  {
    section: null,
    entries: [
      { to: '/', label: 'inbox', icon: IconInbox, needs: 'read' },
      { to: '/approvals', label: 'approvals', icon: IconUserCheck, needs: 'read' },
    ],
  },
  {
    section: 'company',
    entries: [
      { to: '/staff', label: 'staff', icon: IconUsers, needs: 'read' },
      { to: '/log', label: 'log', icon: IconHistory, needs: 'administer' },
    ],
  },
] as const satisfies {
  section: string | null;
  entries: { to: string; label: string; icon: unknown; needs: StaffNeed }[];
}[];
