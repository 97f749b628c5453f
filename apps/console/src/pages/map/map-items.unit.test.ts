import type { MapDriver, MovingDrivers } from '@navette/contract';
import { describe, expect, test } from 'vitest';
import { joinDrivers } from './map-items.ts';

const NOW = Date.parse('2026-03-05T10:00:00Z');
const named = (id: string, name: string): MapDriver => ({
  ...{ id, name, latitude: 1, longitude: 1, at: '2026-03-05T09:59:58Z', available: true, runs: 2 },
});
const moved = (...drivers: MovingDrivers['drivers']): MovingDrivers => ({
  known: true,
  drivers,
  clusters: [],
  total: 2,
});

describe('the drivers of the map', () => {
  test('have the position of the socket and the name of the list', () => {
    const [driver] = joinDrivers(moved(['a', 48, 2, NOW - 1_000, 0]), [named('a', 'Ana')], NOW);
    expect(driver).toMatchObject({
      name: 'Ana',
      runs: 2,
      latitude: 48,
      longitude: 2,
      available: false,
      isStale: false,
    });
  });

  test('are shown before their name is known', () => {
    expect(joinDrivers(moved(['b', 48, 2, NOW, 1]), [], NOW)).toMatchObject([{ id: 'b', name: null, runs: null }]);
  });

  test('are those of the list until the socket has sent something, and gone when it no longer sends them', () => {
    expect(joinDrivers(null, [named('a', 'Ana')], NOW)).toMatchObject([{ id: 'a', latitude: 1 }]);
    expect(joinDrivers(moved(), [named('a', 'Ana')], NOW)).toEqual([]);
  });

  test('are marked when their position is older than half a minute', () => {
    const drivers = joinDrivers(moved(['a', 48, 2, NOW - 31_000, 1], ['b', 48, 2, NOW - 29_000, 1]), [], NOW);
    expect(drivers.map(({ isStale }) => isStale)).toEqual([true, false]);
  });
});
