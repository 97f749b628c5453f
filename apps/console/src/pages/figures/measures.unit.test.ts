import type { PeriodFigures } from '@navette/contract';
import { expect, test } from 'vitest';
import { measureFigures } from './measures.ts';

const DAY: PeriodFigures = {
  ...{ delivered: 8, onTime: 6, returned: 2, cancelled: 1, incidents: 3, charged: 85, pay: 32 },
  ...{ toDriverP50: 240, toDriverP95: 900, toDoorP50: 2_400, toDoorP95: 4_800 },
};
const EMPTY: PeriodFigures = {
  ...{ delivered: 0, onTime: 0, returned: 0, cancelled: 0, incidents: 0, charged: null, pay: null },
  ...{ toDriverP50: null, toDriverP95: null, toDoorP50: null, toDoorP95: null },
};

test('a return was charged and not paid', () => {
  expect(measureFigures('chargedPerRun', DAY)).toEqual({ value: 8.5, upper: null });
  expect(measureFigures('payPerRun', DAY)).toEqual({ value: 4, upper: null });
});

test('times have their median and their 95th percentile', () => {
  expect(measureFigures('toDriver', DAY)).toEqual({ value: 240, upper: 900 });
});

test('without deliveries there is no punctuality, and without the permission no amount', () => {
  expect(measureFigures('onTime', DAY).value).toBe(0.75);
  for (const measure of ['onTime', 'toDoor', 'payPerRun'] as const)
    expect(measureFigures(measure, EMPTY)).toEqual({ value: null, upper: null });
});
