import { describe, expect, test } from 'vitest';
import { zoneOf } from '../../geography/zone-of.ts';
import { type EndedRun, factOfIncident, factOfRun, timesOfRun } from './facts.ts';
import { bucketOf } from './histogram.ts';

const ZONE = 'Europe/Paris';
const at = (time: string) => new Date(`2026-03-04T${time}Z`);
const step = (status: string, time: string) => ({ status, at: at(time).toISOString() });

const run = (changes: Partial<EndedRun> = {}): EndedRun => ({
  ...{ accountId: 'shop', driverId: 'ana', postalCode: '75 011', priceCents: 850, payCents: 400 },
  ...{ createdAt: at('10:00'), activateAt: null, slotStartsAt: null, estimatedDeliveryAt: at('10:00') },
  ...{ deliveredAt: at('10:50'), cancelledAt: null, returnedAt: null },
  history: [
    step('created', '10:00'),
    step('assigned', '10:05'),
    step('picked_up', '10:20'),
    step('delivered', '10:50'),
  ],
  ...changes,
});

describe('the times of a run', () => {
  test('start when it needs a driver', () => {
    expect(timesOfRun(run(), at('10:50'))).toEqual({ wait: 300, door: 3_000 });
  });

  test('go on while another driver is searched for, after the first gave it back', () => {
    const history = [
      ...[step('created', '10:00'), step('assigned', '10:05'), step('created', '10:15'), step('assigned', '10:30')],
      step('delivered', '10:50'),
    ];
    expect(timesOfRun(run({ history }), at('10:50'))).toEqual({ wait: 1_800, door: 3_000 });
  });

  test('end with the first driver, when staff gave it to another one', () => {
    const history = [step('created', '10:00'), step('assigned', '10:05'), step('assigned', '10:20')];
    expect(timesOfRun(run({ history }), at('10:50')).wait).toBe(300);
  });

  test('of a scheduled run start with its activation, also when it was assigned before', () => {
    const searched = [step('programmed', '08:00'), step('created', '10:00'), step('assigned', '10:10')];
    expect(timesOfRun(run({ history: searched }), at('10:50'))).toEqual({ wait: 600, door: 3_000 });
    const ahead = [step('programmed', '08:00'), step('assigned', '08:30')];
    const times = timesOfRun(run({ history: ahead, activateAt: at('10:00') }), at('10:50'));
    expect(times).toEqual({ wait: 0, door: 3_000 });
  });
});

describe('what a run adds', () => {
  test('a delivery: punctuality, times, charge and pay, in the zone of its postal code', () => {
    expect(factOfRun(run(), ZONE)).toEqual({
      ...{ at: at('10:50'), zone: '75011', accountId: 'shop', driverId: 'ana' },
      figures: {
        ...{ delivered: 1, onTime: 1, chargedCents: 850, payCents: 400 },
        ...{ wait: { [bucketOf(300)]: 1 }, door: { [bucketOf(3_000)]: 1 } },
      },
    });
  });

  test('a cancellation: no charge, since it was refunded; a return: the charge, and no pay', () => {
    const cancelled = run({ deliveredAt: null, cancelledAt: at('10:30') });
    expect(factOfRun(cancelled, ZONE)?.figures).toEqual({ cancelled: 1 });
    const returned = run({ deliveredAt: null, returnedAt: at('18:00') });
    expect(factOfRun(returned, ZONE)?.figures).toEqual({ returned: 1, chargedCents: 850 });
  });

  test('nothing, while it is under way', () => {
    expect(factOfRun(run({ deliveredAt: null }), ZONE)).toBeNull();
  });
});

test('an incident counts when it happened', () => {
  const incident = { accountId: 'shop', driverId: 'ana', postalCode: null, kind: 'damaged', happenedAt: at('10:40') };
  expect(factOfIncident(incident)).toMatchObject({ at: at('10:40'), zone: '', figures: { incidents: { damaged: 1 } } });
});

test('all ways to write a postal code are one zone', () => {
  expect(['75011', ' 75 011', 'sw1a 1aa', null].map(zoneOf)).toEqual(['75011', '75011', 'SW1A1AA', '']);
});
