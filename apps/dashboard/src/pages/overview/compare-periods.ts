import type { Overview } from '@navette/contract';

type Days = Overview['days'];
type Counted = 'shipments' | 'spend' | 'delivered' | 'onTime';

export const sumOf = (days: Days, field: Counted): number => days.reduce((total, day) => total + day[field], 0);

/** The share of deliveries on time, null without a delivery. */
export function onTimeShare(days: Days): number | null {
  const delivered = sumOf(days, 'delivered');
  return delivered > 0 ? sumOf(days, 'onTime') / delivered : null;
}

/**
 * How the finished days of a period compare with the same days of the period before. Today is left out, with its counterpart:
 * until the evening it would make every period look worse than the one before.
 */
export function comparePeriods({ days, previousDays }: Pick<Overview, 'days' | 'previousDays'>) {
  const [now, before] = [days.slice(0, -1), previousDays.slice(0, -1)];
  const growth = (field: Counted) => {
    const base = sumOf(before, field);
    return base > 0 ? sumOf(now, field) / base - 1 : null;
  };
  const [share, shareBefore] = [onTimeShare(now), onTimeShare(before)];
  return {
    /** 0.12: 12 % more than before; null if there was nothing before. */
    shipments: growth('shipments'),
    spend: growth('spend'),
    /** 0.03: three points more; null if one of the two had no delivery. */
    onTime: share === null || shareBefore === null ? null : share - shareBefore,
  };
}

const TREND_DAYS = 7;

/** For each day, the share of deliveries on time in the week that ends with it. The first days reach into the period before. */
export function onTimeTrend({ days, previousDays }: Pick<Overview, 'days' | 'previousDays'>): (number | null)[] {
  const all = [...previousDays, ...days];
  return days.map((_, index) => {
    const end = previousDays.length + index + 1;
    return onTimeShare(all.slice(Math.max(0, end - TREND_DAYS), end));
  });
}
