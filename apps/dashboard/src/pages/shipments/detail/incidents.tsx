import { Badge, Group, Stack, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import type { ShipmentDetail } from '../shipments-queries.ts';

/** Why the parcel could not be handed over, and what was decided. Absent when nothing happened. */
export function Incidents({ incidents }: Pick<ShipmentDetail, 'incidents'>) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  if (incidents.length === 0) return null;
  return (
    <Card title={t('incidents')}>
      <Stack gap="md">
        {incidents.map(({ id, kind, note, happenedAt, resolution, resolvedAt, leftWith }) => (
          <Group key={id} justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600}>
                {t(`incidentKinds.${kind}`)}
              </Text>
              {note && <Text size="sm">{t('driverNote', { note })}</Text>}
              <Text size="xs" c="dimmed">
                <When at={happenedAt} />
                {leftWith && ` · ${t('leftWith', { name: leftWith })}`}
                {resolvedAt && ` · ${t('resolvedAt', { time: format.dateTime(resolvedAt) })}`}
              </Text>
            </div>
            <Badge variant="light" color={resolution ? 'gray' : 'orange'} tt="none" style={{ flexShrink: 0 }}>
              {t(`incidentResolutions.${resolution ?? 'open'}`)}
            </Badge>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
