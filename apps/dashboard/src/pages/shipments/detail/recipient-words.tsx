import { Badge, Group, Stack, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import type { ShipmentDetail } from '../shipments-queries.ts';

const AS_WRITTEN = { whiteSpace: 'pre-line', overflowWrap: 'anywhere' } as const;

/** Texts of the recipient from the tracking page: problems, and a note for the driver. Absent when there is nothing. */
export function RecipientWords({ recipientNote, reports }: Pick<ShipmentDetail, 'recipientNote' | 'reports'>) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  if (!recipientNote && reports.length === 0) return null;
  return (
    <Card title={t('recipientWords')}>
      <Stack gap="md">
        {reports.map(({ id, kind, message, reportedAt, closedAt, outcome }) => (
          <Group key={id} justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600}>
                {t(`reportKinds.${kind}`)}
              </Text>
              {message && (
                <Text size="sm" style={AS_WRITTEN}>
                  {message}
                </Text>
              )}
              {outcome && <Text size="sm">{t('reportOutcome', { outcome })}</Text>}
              <Text size="xs" c="dimmed">
                <When at={reportedAt} />
                {closedAt && ` · ${t('resolvedAt', { time: format.dateTime(closedAt) })}`}
              </Text>
            </div>
            <Badge variant="light" color={closedAt ? 'gray' : 'orange'} tt="none" style={{ flexShrink: 0 }}>
              {t(closedAt ? 'reportStates.closed' : 'reportStates.open')}
            </Badge>
          </Group>
        ))}
        {recipientNote && (
          <div>
            <Text size="xs" c="dimmed">
              {t('recipientNote')}
            </Text>
            <Text size="sm" style={AS_WRITTEN}>
              {recipientNote}
            </Text>
          </div>
        )}
      </Stack>
    </Card>
  );
}
