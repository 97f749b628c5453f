import type { Overview } from '@navette/contract';
import { describe, expect, test } from 'vitest';
import { comparePeriods, onTimeShare, onTimeTrend } from './compare-periods.ts';

type OverviewDay = Overview['days'][number];

const day = (changes: Partial<OverviewDay> = {}): OverviewDay => ({
  date: '2026-03-01',
  shipments: 0,
  spend: 0,
  delivered: 0,
  onTime: 0,
  ...changes,
});

describe('a period compared with the one before', () => {
  test('counts finished days only: today and its counterpart are left out', () => {
    const before = [
      day({ shipments: 4, spend: 40 }),
      day({ shipments: 6, spend: 60 }),
      day({ shipments: 90, spend: 900 }),
    ];
    const now = [day({ shipments: 5, spend: 30 }), day({ shipments: 7, spend: 20 }), day({ shipments: 1, spend: 5 })];
    const { shipments, spend } = comparePeriods({ days: now, previousDays: before });
    expect(shipments).toBeCloseTo(0.2);
    expect(spend).toBeCloseTo(-0.5);
  });

  test('says nothing where there was nothing before', () => {
    const compared = comparePeriods({ days: [day({ shipments: 5 }), day()], previousDays: [day(), day()] });
    expect(compared).toStrictEqual({ shipments: null, spend: null, onTime: null });
  });

  test('compares shares on time in points, of all deliveries and not of days', () => {
    const before = [day({ delivered: 1, onTime: 0 }), day({ delivered: 9, onTime: 9 }), day()]; // 90 %
    const now = [day({ delivered: 20, onTime: 19 }), day(), day({ delivered: 5, onTime: 0 })]; // 95 % without today
    expect(comparePeriods({ days: now, previousDays: before }).onTime).toBeCloseTo(0.05);
  });
});

describe('the trend of deliveries on time', () => {
  test('is the share of the week that ends with a day, weighted by deliveries', () => {
    const previousDays = Array.from({ length: 7 }, () => day({ delivered: 1, onTime: 1 }));
    const days = [day({ delivered: 4, onTime: 0 }), ...Array.from({ length: 6 }, () => day())];
    const trend = onTimeTrend({ days, previousDays });
    expect(trend[0]).toBeCloseTo(6 / 10);
    expect(trend[6]).toBe(0); // the four late ones are all that is left
  });

  test('is interrupted by a week without deliveries', () => {
    const days = [day({ delivered: 1, onTime: 1 }), ...Array.from({ length: 7 }, () => day())];
    const trend = onTimeTrend({ days, previousDays: [] });
    expect(trend.slice(0, 7)).toStrictEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(trend[7]).toBeNull();
  });

  test('a day without deliveries has no share', () => expect(onTimeShare([day()])).toBeNull());
});
