import { Group, Progress, Stack, Text } from '@mantine/core';
import type { Overview, ShipmentStatus } from '@navette/contract';
import { SHIPMENT_STATUSES } from '@navette/contract/statuses';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { STATUS_COLOURS, StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { useTranslation } from 'react-i18next';

const isOver = (status: ShipmentStatus) => status === 'delivered' || status === 'cancelled';
const OPEN = SHIPMENT_STATUSES.filter((status) => !isOver(status));
const OVER = SHIPMENT_STATUSES.filter(isOver);

/** Shipments by status, each linked to its list. Final statuses show a number without a bar, since they only grow. */
export function ByStatus({ counts }: { counts: Overview['byStatus'] }) {
  const { t } = useTranslation(['overview', 'common']);
  const format = useFormat();
  const most = Math.max(1, ...OPEN.map((status) => counts[status]));
  const link = (status: ShipmentStatus) => (
    <AnchorLink
      to="/shipments"
      search={{ status: [status] }}
      aria-label={t('listOf', { status: t(`common:statuses.${status}`) })}
      underline="never"
    >
      <StatusBadge status={status} />
    </AnchorLink>
  );
  return (
    <Stack gap="sm">
      {OPEN.map((status) => (
        <Group key={status} gap="sm" wrap="nowrap">
          <div style={{ width: 124, flexShrink: 0 }}>{link(status)}</div>
          <Progress
            value={(counts[status] / most) * 100}
            color={status === 'programmed' ? 'gray.5' : STATUS_COLOURS[status]} // plain grey is darker than the track in dark colours
            aria-hidden
            style={{ flex: 1 }}
          />
          <Text fw={600} ta="right" w={56}>
            {format.number(counts[status])}
          </Text>
        </Group>
      ))}
      <Group gap="lg" pt="xs" style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
        {OVER.map((status) => (
          <Group key={status} gap="xs" wrap="nowrap">
            {link(status)}
            <Text fw={600}>{format.number(counts[status])}</Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}
