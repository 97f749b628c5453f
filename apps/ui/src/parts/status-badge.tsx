import { Badge } from '@mantine/core';
import type { ShipmentStatus } from '@navette/contract';
import { useTranslation } from 'react-i18next';

export const STATUS_COLOURS: Record<ShipmentStatus, string> = {
  programmed: 'gray',
  created: 'blue',
  assigned: 'cyan',
  picked_up: 'grape',
  in_transit: 'orange',
  delivered: 'green',
  cancelled: 'red',
};

export function StatusBadge({ status }: { status: ShipmentStatus }) {
  const { t } = useTranslation();
  return (
    <Badge
      variant={status === 'programmed' ? 'outline' : 'light'} // a light grey one vanishes on a highlighted row
      color={STATUS_COLOURS[status]}
      tt="none"
      fw={600}
      style={{ flexShrink: 0 }}
    >
      {t(`statuses.${status}`)}
    </Badge>
  );
}
