import { describe, expect, test } from 'vitest';
import { replayArrivals } from '../../../../demo/arrivals/replay.ts';
import { readConfig } from '../../config.ts';
import { type ArrivalKnowledge, type ExpectedRun, estimateArrivals } from './estimate-arrival.ts';
import { legsOf } from './legs.ts';
import { calibrate, measureArrivals } from './measure-arrivals.ts';
import { addDay, type Leg, legTime, sumLegs } from './pace.ts';

const NOW = Date.parse('2026-11-17T14:02:00Z');
const MINUTE = 60_000;
const hourOf = (at: number) => new Date(at).getUTCHours();
const assumed = readConfig({ ARRIVAL_ROAD_FACTOR: '1.5', ARRIVAL_SPEEDS: '0:15', ARRIVAL_STOP_MINUTES: '4' }).arrival;
const knowledge: ArrivalKnowledge = { assumed, learned: new Map(), calibration: { early: -1, late: 1.5 }, hourOf };
const north = (km: number) => ({ latitude: 48.85 + km / 111.2, longitude: 2.35 });
const run = (id: string, km: number, more: Partial<ExpectedRun> = {}): ExpectedRun => ({
  ...{ id, isPickedUp: true, pickup: north(0), delivery: north(km), pickupZone: '75001', zone: '75011' },
  ...{ slot: null, hasIncident: false },
  ...more,
});
const start = { place: north(0), at: NOW };
const estimate = (...runs: ExpectedRun[]) => estimateArrivals(runs, start, knowledge, NOW);
const minutesTo = (at: Date | undefined) => ((at?.getTime() ?? Number.NaN) - NOW) / MINUTE;

describe('an arrival estimate', () => {
  test('is the way by road at the speed of the hour, and the time at the stop', () => {
    expect(minutesTo(estimate(run('a', 2)).get('a')?.expected)).toBeCloseTo(2 * 6 + 4, 1);
  });

  test('is a window on five minutes around the expected instant, and never in the past', () => {
    const { from, until, expected } = estimate(run('a', 0.2)).get('a') as { from: Date; until: Date; expected: Date };
    expect([from.getTime() % (5 * MINUTE), until.getTime() % (5 * MINUTE)]).toEqual([0, 0]);
    expect(from <= expected && expected < until && until.getTime() > NOW).toBe(true);
  });

  test('counts the stops before it, and is wider the farther it is', () => {
    const arrivals = estimate(
      run('far', 5),
      run('near', 1),
      run('waiting', 3, { isPickedUp: false, pickup: north(1.5) }),
    );
    expect(['near', 'waiting', 'far'].map((id) => arrivals.get(id)?.stopsBefore)).toEqual([0, 2, 3]);
    const spread = (id: string) => arrivals.get(id)?.spread ?? 0;
    expect(spread('far')).toBeGreaterThan(spread('near'));
  });

  test('is not before the slot', () => {
    const slot = { from: NOW + 58 * MINUTE, until: NOW + 178 * MINUTE };
    expect(minutesTo(estimate(run('a', 1, { slot })).get('a')?.from)).toBe(58);
  });

  test('is missing without a place of the driver, beyond an unknown address, and during an incident', () => {
    expect(estimateArrivals([run('a', 1)], null, knowledge, NOW).size).toBe(0);
    expect(estimate(run('a', 1, { delivery: null })).size).toBe(0);
    expect([...estimate(run('a', 1, { hasIncident: true }), run('b', 2)).keys()]).toEqual(['b']);
  });
});

describe('learning', () => {
  const slowLegs = (count: number, zone = '75018'): Leg[] =>
    Array.from({ length: count }, (_, i) => ({ zone, hour: 14, km: 1 + (i % 4), minutes: 6 + 10 * (1 + (i % 4)) }));

  test('moves towards the legs of a zone and hour as they become many, and leaves other hours alone', () => {
    const at = (legs: number, hour = 14) =>
      legTime(assumed, addDay(new Map(), sumLegs(assumed, slowLegs(legs))), '75018', hour, 2).minutes;
    expect(at(0)).toBeCloseTo(16, 1);
    expect(at(5)).toBeGreaterThan(17);
    expect(at(400)).toBeCloseTo(26, 0);
    expect(at(400, 9)).toBeCloseTo(16, 1);
  });

  test('forgets: after weeks of other days, the old ones hardly count', () => {
    let learned = addDay(new Map(), sumLegs(assumed, slowLegs(50)));
    const usual = Array.from(
      { length: 50 },
      (_, i): Leg => ({ zone: '75018', hour: 14, km: 1 + (i % 4), minutes: 4 + 6 * (1 + (i % 4)) }),
    );
    for (let day = 0; day < 30; day++) learned = addDay(learned, sumLegs(assumed, usual));
    expect(legTime(assumed, learned, '75018', 14, 2).minutes).toBeCloseTo(16, 0);
  });

  test('takes ways that began with the parcel in hand', () => {
    const at = (minute: number) => new Date(NOW + minute * MINUTE);
    const delivered = (pickedUp: number, done: number, km: number) => ({
      ...{
        driverId: 'd',
        pickedUpAt: at(pickedUp),
        deliveredAt: at(done),
        pickup: north(0),
        delivery: north(km),
        zone: 'z',
      },
    });
    const legs = legsOf([delivered(0, 10, 1), delivered(1, 25, 3), delivered(90, 95, 0.5)], hourOf);
    expect(legs.map(({ km, minutes }) => [Math.round(km * 10) / 10, minutes])).toEqual([
      [1, 9],
      [2, 15],
      [0.5, 5],
    ]);
  });
});

test('the measure counts deliveries inside the window, and widens the next windows after a bad day', () => {
  const shown = {
    from: new Date(NOW),
    until: new Date(NOW + 15 * MINUTE),
    expected: new Date(NOW + 7 * MINUTE),
    spread: 3,
  };
  const outcomes = [-4, 2, 8, 14, 30].map((minute) => ({ shown, deliveredAt: new Date(NOW + minute * MINUTE) }));
  const measure = measureArrivals(outcomes);
  expect(measure).toMatchObject({ measured: 5, inside: 3, medianErrorMinutes: 7, medianWidthMinutes: 15 });
  expect(calibrate([{ ...measure, measured: 500 }]).late).toBeGreaterThan(calibrate([]).late);
});

test('in replayed days, at least 80 % of deliveries fall inside the window shown a quarter of an hour before', () => {
  const days = replayArrivals({ days: 3, shipments: 120, drivers: 7, seed: 5 });
  const sum = (name: 'measured' | 'inside') => days.reduce((total, day) => total + day[name], 0);
  expect(sum('measured')).toBeGreaterThan(200);
  expect(sum('inside') / sum('measured')).toBeGreaterThan(0.8);
  for (const { medianErrorMinutes, medianWidthMinutes } of days) {
    expect(medianErrorMinutes).toBeLessThan(6);
    expect(medianWidthMinutes).toBeLessThanOrEqual(25);
  }
});
