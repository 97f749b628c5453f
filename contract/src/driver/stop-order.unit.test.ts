import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceKm, keepOrder, moveStop, type Stop, suggestOrder } from './stop-order.ts';

const NOW = Date.parse('2026-11-16T10:00:00Z');
const HOUR = 3_600_000;
const north = (km: number) => ({ latitude: 48.85 + km / 111.2, longitude: 2.35 });
const stop = (kind: Stop['kind'], shipmentId: string, km: number, window: Stop['window'] = null): Stop => ({
  id: `${kind} ${shipmentId}`,
  ...{ shipmentId, kind, at: north(km), window },
});
const ids = (stops: readonly Stop[]) => stops.map(({ id }) => id);

describe('the suggested order', () => {
  test('goes through stops by distance', () => {
    const stops = [stop('delivery', 'far', 5), stop('delivery', 'near', 1), stop('delivery', 'middle', 3)];
    expect(ids(suggestOrder(stops, north(0), NOW))).toEqual(['delivery near', 'delivery middle', 'delivery far']);
  });

  test('picks parcels up on the way, before they are delivered', () => {
    const stops = [stop('pickup', 'a', 2), stop('delivery', 'a', 6), stop('pickup', 'b', 3), stop('delivery', 'b', 4)];
    expect(ids(suggestOrder(stops, north(0), NOW))).toEqual(['pickup a', 'pickup b', 'delivery b', 'delivery a']);
  });

  test('respects a time slot that distance alone would miss', () => {
    const soon = { from: NOW, until: NOW + HOUR / 4 };
    const stops = [stop('delivery', 'near', 1), stop('delivery', 'slot', -3, soon)];
    expect(ids(suggestOrder(stops, north(0), NOW))).toEqual(['delivery slot', 'delivery near']);
    const tonight = { from: NOW + 8 * HOUR, until: NOW + 10 * HOUR };
    const later = [stop('delivery', 'slot', 0.5, tonight), stop('delivery', 'now', 2)];
    expect(ids(suggestOrder(later, north(0), NOW))).toEqual(['delivery now', 'delivery slot']);
  });

  test('works without a position and without coordinates', () => {
    const unlocated = { ...stop('delivery', 'a', 0), at: null };
    expect(suggestOrder([unlocated, stop('pickup', 'b', 1)], null, NOW)).toHaveLength(2);
  });

  const run = fc.record({
    isPickedUp: fc.boolean(),
    from: fc.integer({ min: -50, max: 50 }),
    to: fc.integer({ min: -50, max: 50 }),
    slot: fc.option(fc.integer({ min: -5, max: 5 }), { nil: null }),
  });
  const stopsOf = (runs: { isPickedUp: boolean; from: number; to: number; slot: number | null }[]) =>
    runs.flatMap(({ isPickedUp, from, to, slot }, i) => {
      const window = slot === null ? null : { from: NOW + slot * HOUR, until: NOW + (slot + 2) * HOUR };
      const delivery = stop('delivery', `${i}`, to / 10, window);
      return isPickedUp ? [delivery] : [stop('pickup', `${i}`, from / 10), delivery];
    });

  test('has every stop once, each pickup before its delivery, whatever the order of the input', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), fc.boolean(), (runs, isReversed) => {
        const stops = stopsOf(runs);
        const route = suggestOrder(isReversed ? stops.toReversed() : stops, north(0), NOW);
        expect(ids(route)).toEqual(ids(suggestOrder(stops, north(0), NOW)));
        expect(ids(route).toSorted()).toEqual(ids(stops).toSorted());
        const at = (id: string) => ids(route).indexOf(id);
        const isBefore = ({ shipmentId }: Stop) => at(`pickup ${shipmentId}`) < at(`delivery ${shipmentId}`);
        expect(stops.filter(({ kind }) => kind === 'pickup').every(isBefore)).toBe(true);
      }),
    );
  });
});

describe('the driver’s own order', () => {
  const route = [stop('pickup', 'a', 1), stop('delivery', 'b', 2), stop('delivery', 'a', 3)];

  test('is kept; done stops leave it and a new stop is inserted where it costs least', () => {
    const chosen = ['delivery b', 'pickup a', 'delivery a', 'delivery done'];
    expect(ids(keepOrder(route, chosen, north(0), NOW))).toEqual(['delivery b', 'pickup a', 'delivery a']);
    const withNew = [...route, stop('delivery', 'c', 2.9)];
    expect(ids(keepOrder(withNew, chosen, north(0), NOW))).toEqual([
      'delivery b',
      'pickup a',
      'delivery c',
      'delivery a',
    ]);
  });

  test('moves one stop by one place, never a delivery before its pickup', () => {
    expect(ids(moveStop(route, 'delivery b', -1) ?? [])).toEqual(['delivery b', 'pickup a', 'delivery a']);
    expect(moveStop(route, 'pickup a', -1)).toBeNull();
    expect(moveStop([stop('pickup', 'a', 1), stop('delivery', 'a', 2)], 'delivery a', -1)).toBeNull();
  });

  test('distances are in kilometres', () => {
    expect(distanceKm(north(0), north(10))).toBeCloseTo(10, 1);
  });
});
