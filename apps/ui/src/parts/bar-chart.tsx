import { Tooltip } from '@mantine/core';
import type { CSSProperties } from 'react';
import classes from './bar-chart.module.css';
import { pathOfLine } from './line-path.ts';

export interface Bar {
  key: string;
  label: string;
  /** Null: nothing was measured. */
  value: number | null;
  /** A lighter bar behind it, such as the 95th percentile behind the median. */
  upper?: number | null;
  /** A point of the line above the bars, such as the same day of the previous period. Null interrupts the line. */
  line?: number | null;
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
  /** Names of bars and line, below the chart. */
  legend?: { bars: string; line: string };
}

/** Bars beside each other. A bar above the axis is cut, marked, and has its value written beside it. Hidden from screen readers: every page with a chart also shows its figures as a table. */
export function BarChart({ bars, top, writeTick, axisWidth, legend }: Props) {
  const [first, middle, last] = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)];
  const shown = [first, ...(bars.length > 2 ? [middle] : []), ...(bars.length > 1 ? [last] : [])];
  const height = (value: number) => ({ height: `${Math.min(value / top, 1) * 100}%` });
  return (
    <div aria-hidden style={{ '--axis': `${axisWidth}px` } as CSSProperties}>
      <div className={classes.plot}>
        {[1, 0.5].map((share) => (
          <div key={share} className={classes.line} style={{ bottom: `${share * 100}%` }}>
            <span className={classes.tick}>{writeTick(top * share)}</span>
          </div>
        ))}
        <div className={classes.bars}>
          {bars.map(({ key, label, value, upper = null, text }, index) => (
            <Tooltip key={key} label={`${label} · ${text}`} withArrow>
              <div className={classes.slot}>
                {upper !== null && <div className={classes.upper} style={height(upper)} />}
                {value !== null && (
                  <div className={classes.bar} style={height(value)} data-cut={value > top || undefined} />
                )}
                {value !== null && value > top && (
                  <span className={classes.cut} data-side={index * 2 < bars.length ? 'right' : 'left'}>
                    {writeTick(value)}
                  </span>
                )}
              </div>
            </Tooltip>
          ))}
        </div>
        {bars.some(({ line }) => line !== undefined) && <Line bars={bars} top={top} />}
      </div>
      <div className={classes.labels}>{shown.map((bar) => bar && <span key={bar.key}>{bar.label}</span>)}</div>
      {legend && (
        <div className={classes.legend}>
          <span>
            <i />
            {legend.bars}
          </span>
          <span>
            <i data-line />
            {legend.line}
          </span>
        </div>
      )}
    </div>
  );
}

/** Through the middle of each bar. Its width does not change with the size of the chart. */
function Line({ bars, top }: Pick<Props, 'bars' | 'top'>) {
  return (
    <svg aria-hidden className={classes.overlay} viewBox={`0 0 ${bars.length} 1`} preserveAspectRatio="none">
      <path className={classes.curve} d={pathOfLine(bars, top)} />
    </svg>
  );
}
