import { Tooltip } from '@mantine/core';
import type { CSSProperties } from 'react';
import classes from './bar-chart.module.css';

export interface Bar {
  key: string;
  label: string;
  /** Null: nothing was measured. */
  value: number | null;
  /** A lighter bar behind it, such as the 95th percentile behind the median. */
  upper?: number | null;
  /** In the tooltip, after the label. */
  text: string;
}

interface Props {
  bars: readonly Bar[];
  /** The upper bound of the axis. */
  top: number;
  writeTick: (value: number) => string;
  /** Room for the ticks, in pixels. */
  axisWidth: number;
}

/** Bars beside each other. Hidden from screen readers: every page with a chart also shows its figures as a table. */
export function BarChart({ bars, top, writeTick, axisWidth }: Props) {
  const [first, middle, last] = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)];
  const shown = [first, ...(bars.length > 2 ? [middle] : []), ...(bars.length > 1 ? [last] : [])];
  const height = (value: number) => ({ height: `${(value / top) * 100}%` });
  return (
    <div aria-hidden style={{ '--axis': `${axisWidth}px` } as CSSProperties}>
      <div className={classes.plot}>
        {[1, 0.5].map((share) => (
          <div key={share} className={classes.line} style={{ bottom: `${share * 100}%` }}>
            <span className={classes.tick}>{writeTick(top * share)}</span>
          </div>
        ))}
        <div className={classes.bars}>
          {bars.map(({ key, label, value, upper = null, text }) => (
            <Tooltip key={key} label={`${label} · ${text}`} withArrow>
              <div className={classes.slot}>
                {upper !== null && <div className={classes.upper} style={height(upper)} />}
                {value !== null && <div className={classes.bar} style={height(value)} />}
              </div>
            </Tooltip>
          ))}
        </div>
      </div>
      <div className={classes.labels}>{shown.map((bar) => bar && <span key={bar.key}>{bar.label}</span>)}</div>
    </div>
  );
}
