import { Table, Text, Tooltip } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './day-bars.module.css';
import { topOfScale } from './scale.ts';

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
  const [first, last] = [days[0], days.at(-1)];
  const middle = days[Math.floor(days.length / 2)];
  const axis = { '--axis': unit === 'euros' ? '62px' : '40px' } as CSSProperties;
  return (
    <figure style={{ margin: 0, ...axis }}>
      <div aria-hidden>
        <div className={classes.plot}>
          {[1, 0.5].map((share) => (
            <div key={share} className={classes.line} style={{ bottom: `${share * 100}%` }}>
              <span className={classes.tick}>{writeTick(top * share)}</span>
            </div>
          ))}
          <div className={classes.bars}>
            {days.map(({ date, value }) => (
              <Tooltip key={date} label={`${format.day(date)} · ${write(value)}`} withArrow>
                <div className={classes.day}>
                  <div className={classes.bar} style={{ height: `${(value / top) * 100}%` }} />
                </div>
              </Tooltip>
            ))}
          </div>
        </div>
        <div className={classes.dates}>
          {[first, middle, last].map((day) => day && <span key={day.date}>{format.day(day.date)}</span>)}
        </div>
      </div>
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
