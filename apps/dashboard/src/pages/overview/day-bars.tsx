import { Table, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { BarChart } from '@navette/ui/parts/bar-chart.tsx';
import { highestUsual, topOfScale } from '@navette/ui/parts/scale.ts';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Name of the metric, for the legend and the table. */
  label: string;
  /** Name of the line above the bars. */
  lineLabel: string;
  /** Null: nothing was measured. */
  days: readonly { date: string; value: number | null; line: number | null }[];
  /** Amounts are formatted in euros, counts as whole numbers, shares in percent. */
  unit: 'parcels' | 'euros' | 'share';
}

const AXIS_WIDTHS = { parcels: 40, euros: 62, share: 52 };

/** One bar per day, today at the right, a line to compare with, and the same figures as a collapsible table. */
export function DayBars({ label, lineLabel, days, unit }: Props) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const writeNumber = { parcels: format.number, euros: format.money, share: format.percent }[unit];
  const write = (value: number | null) => (value === null ? '—' : writeNumber(value));
  const writeTick = unit === 'euros' ? format.wholeMoney : writeNumber;
  const values = days.flatMap(({ value, line }) => [value ?? 0, line ?? 0]);
  const top = unit === 'share' ? 1 : topOfScale(highestUsual(values), unit === 'parcels');
  const bars = days.map(({ date, value, line }) => ({
    ...{ key: date, label: format.day(date), value, line },
    text: t('tooltip', { value: write(value), line: lineLabel, before: write(line) }),
  }));
  return (
    <figure style={{ margin: 0 }}>
      <BarChart
        bars={bars}
        top={top}
        writeTick={writeTick}
        axisWidth={AXIS_WIDTHS[unit]}
        legend={{ bars: label, line: lineLabel }}
      />
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
                <Table.Th ta="right">{lineLabel}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map(({ date, value, line }) => (
                <Table.Tr key={date}>
                  <Table.Td>{format.day(date)}</Table.Td>
                  <Table.Td ta="right">{write(value)}</Table.Td>
                  <Table.Td ta="right">{write(line)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </figure>
  );
}
