import type { FigureRow, FiguresBy } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { BarChart } from '@navette/ui/parts/bar-chart.tsx';
import { topOfScale } from '@navette/ui/parts/scale.ts';
import { useTranslation } from 'react-i18next';
import classes from './figures.module.css';
import { type Measure, measureFigures, UNITS, type Unit } from './measures.ts';
import { useRowName } from './use-row-name.ts';
import { useWrite } from './use-write.ts';

interface Props {
  rows: FigureRow[];
  by: FiguresBy;
  measure: Measure;
}

const RANKED = 10; // rows; the table has all of them

/** One measure as bars: days and hours along a time axis, all others below each other. The table below has the same figures. */
export function FigureChart({ rows, by, measure }: Props) {
  const nameOf = useRowName();
  const textOf = useValueText(measure);
  const unit = UNITS[measure];
  const isTime = by === 'day' || by === 'hour';
  const bars = (isTime ? rows : rows.slice(0, RANKED)).map((row) => ({
    ...{ key: row.key, label: nameOf(by, row), text: textOf(row) },
    ...measureFigures(measure, row),
  }));
  const top = topOf(unit, Math.max(0, ...bars.flatMap(({ value, upper }) => [value ?? 0, upper ?? 0])));
  if (isTime) return <TimeBars bars={bars} top={top} unit={unit} />;
  return (
    <div className={classes.ranked} aria-hidden>
      {bars.map(({ key, label, value, upper, text }) => (
        <div key={key} className={classes.line}>
          <span className={classes.name} title={label}>
            {label}
          </span>
          <span className={classes.track}>
            {upper !== null && <span className={classes.upper} style={{ width: `${(upper / top) * 100}%` }} />}
            {value !== null && <span className={classes.bar} style={{ width: `${(value / top) * 100}%` }} />}
          </span>
          <span className={classes.value}>{text}</span>
        </div>
      ))}
    </div>
  );
}

function TimeBars({ bars, top, unit }: { bars: Parameters<typeof BarChart>[0]['bars']; top: number; unit: Unit }) {
  const write = useWrite();
  const format = useFormat();
  const writeTick = (value: number) => (unit === 'euros' ? format.wholeMoney(value) : write(unit, value));
  return <BarChart bars={bars} top={top} writeTick={writeTick} axisWidth={68} />;
}

/** A value, with its 95th percentile where it is a median. */
function useValueText(measure: Measure): (row: FigureRow) => string {
  const { t } = useTranslation('figures');
  const write = useWrite();
  return (row) => {
    const { value, upper } = measureFigures(measure, row);
    const text = write(UNITS[measure], value);
    return upper === null ? text : `${text} · ${t('p95', { time: write(UNITS[measure], upper) })}`;
  };
}

/** Shares have the same axis always; times have round minutes. */
function topOf(unit: Unit, most: number): number {
  if (unit === 'share') return 1;
  if (unit === 'duration') return 60 * topOfScale(Math.ceil(most / 60), true);
  return topOfScale(most, unit === 'count');
}
