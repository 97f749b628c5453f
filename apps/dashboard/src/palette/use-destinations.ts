import type { Need } from '@navette/contract';
import { IconBell, IconPlus, IconRepeat, IconUpload, IconUserCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { NAVIGATION } from '../layout/navigation.ts';
import { useMay, useMaySee, useSession } from '../session/session.ts';

/** Pages on which something is created, in the order in which they are offered. */
const ACTIONS = [
  { to: '/shipments/new', label: 'newShipment', icon: IconPlus, needs: 'ship' },
  { to: '/shipments/import', label: 'import', icon: IconUpload, needs: 'ship' },
  { to: '/recurring/new', label: 'newRecurring', icon: IconRepeat, needs: 'ship' },
] as const satisfies { to: string; label: string; icon: unknown; needs: Need }[];

/** Where the palette leads: actions that the role may perform, and pages that it may open. A view of staff performs none. */
export function useDestinations() {
  const { t } = useTranslation('layout');
  const may = useMay();
  const maySee = useMaySee();
  const isView = useSession().view !== null;
  const actions = ACTIONS.filter(({ needs }) => may(needs)).map(({ to, label, icon }) => ({
    kind: 'actions' as const,
    to,
    icon,
    label: t(`palette.do.${label}`),
  }));
  const pages = NAVIGATION.flatMap<(typeof NAVIGATION)[number]['entries'][number]>(({ entries }) => entries)
    .filter(({ needs }) => maySee(needs))
    .map(({ to, label, icon }) => ({ kind: 'pages' as const, to, icon, label: t(`pages.${label}`) }));
  const own = isView
    ? []
    : [
        { kind: 'pages' as const, to: '/notifications' as const, icon: IconBell, label: t('bell.title') },
        { kind: 'pages' as const, to: '/profile' as const, icon: IconUserCircle, label: t('profile') },
      ];
  return [...actions, ...pages, ...own];
}
