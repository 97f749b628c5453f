import type { Overview } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { useTranslation } from 'react-i18next';
import { onTimeShare, onTimeTrend } from './compare-periods.ts';
import { DayBars } from './day-bars.tsx';

/** Shipments and spending of each day, with the same day of the previous period, and how many deliveries were on time. */
export function DayCharts({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const { days, previousDays } = overview;
  const previous = t('previousDays', { days: days.length });
  const perDay = (field: 'shipments' | 'spend') =>
    days.map((day, index) => ({ date: day.date, value: day[field], line: previousDays[index]?.[field] ?? null }));
  const trend = onTimeTrend(overview);
  const shares = days.map((day, index) => ({ date: day.date, value: onTimeShare([day]), line: trend[index] ?? null }));
  return (
    <>
      <Card title={t('shipmentsPerDay')}>
        <DayBars label={t('shipments')} lineLabel={previous} days={perDay('shipments')} unit="parcels" />
      </Card>
      <Card title={t('spendPerDay')}>
        <DayBars label={t('spend')} lineLabel={previous} days={perDay('spend')} unit="euros" />
      </Card>
      <Card title={t('onTimePerDay')}>
        <DayBars label={t('onTimeOnDay')} lineLabel={t('onTimeTrend')} days={shares} unit="share" />
      </Card>
    </>
  );
}
