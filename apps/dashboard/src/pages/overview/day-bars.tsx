import { Table, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { BarChart } from '@navette/ui/parts/bar-chart.tsx';
import { topOfScale } from '@navette/ui/parts/scale.ts';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Name of the metric, for the table and for screen readers. */
  label: string;
  days: readonly { date: string; value: number }[];
  /** Amounts are formatted in euros, counts as whole numbers. */
  unit: 'parcels' | 'euros';
}

/** One bar per day, today at the right, with the same figures as a collapsible table. */
export function DayBars({ label, days, unit }: Props) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const write = unit === 'euros' ? format.money : format.number;
  const writeTick = unit === 'euros' ? format.wholeMoney : format.number;
  const top = topOfScale(Math.max(...days.map(({ value }) => value)), unit === 'parcels');
  const bars = days.map(({ date, value }) => ({ key: date, label: format.day(date), value, text: write(value) }));
  return (
    <figure style={{ margin: 0 }}>
      <BarChart bars={bars} top={top} writeTick={writeTick} axisWidth={unit === 'euros' ? 62 : 40} />
      <details style={{ marginTop: 'var(--mantine-spacing-xs)' }}>
        <Text component="summary" size="xs" c="dimmed" style={{ cursor: 'pointer' }}>
          {t('asTable')}
        </Text>
        <Table.ScrollContainer minWidth={0} maxHeight={240} scrollAreaProps={{ tabIndex: 0 }}>
          <Table fz="xs" mt="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('day')}</Table.Th>
                <Table.Th ta="right">{label}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map(({ date, value }) => (
                <Table.Tr key={date}>
                  <Table.Td>{format.day(date)}</Table.Td>
                  <Table.Td ta="right">{write(value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </figure>
  );
}
