import { Group, Text, Tooltip } from '@mantine/core';
import type { MerchantPage } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { useTranslation } from 'react-i18next';
import classes from './merchant.module.css';

const UNDER_WAY = ['programmed', 'created', 'assigned', 'picked_up', 'in_transit'] as const;

/** Shipments of the last thirty days as bars, and those under way. */
export function VolumesCard({ days, byStatus }: Pick<MerchantPage, 'days' | 'byStatus'>) {
  const { t } = useTranslation('merchant');
  const format = useFormat();
  const most = Math.max(1, ...days.map(({ shipments }) => shipments));
  const total = days.reduce((sum, { shipments }) => sum + shipments, 0);
  const delivered = days.reduce((sum, day) => sum + day.delivered, 0);
  const onTime = days.reduce((sum, day) => sum + day.onTime, 0);
  const text = [
    t('volumes.total', { count: total }),
    delivered > 0 ? t('volumes.onTime', { percent: format.percent(onTime / delivered) }) : null,
  ];
  return (
    <Card title={t('volumes.title')} text={text.filter((part) => part !== null).join(' · ')}>
      <div className={classes.bars} role="img" aria-label={t('volumes.chart', { count: total })}>
        {days.map(({ date, shipments }) => (
          <Tooltip key={date} label={t('volumes.day', { day: format.day(date), count: shipments })} withArrow>
            <div className={classes.slot}>
              <div className={classes.bar} style={{ height: `${(shipments / most) * 100}%` }} />
            </div>
          </Tooltip>
        ))}
      </div>
      <Group justify="space-between" mt={4} mb="md">
        <Text size="xs" c="dimmed">
          {days[0] && format.day(days[0].date)}
        </Text>
        <Text size="xs" c="dimmed">
          {t('volumes.today')}
        </Text>
      </Group>
      <Group gap="sm">
        {UNDER_WAY.filter((status) => byStatus[status] > 0).map((status) => (
          <Group key={status} gap={6}>
            <StatusBadge status={status} />
            <Text size="sm">{format.number(byStatus[status])}</Text>
          </Group>
        ))}
      </Group>
    </Card>
  );
}
