import { expect, test } from 'vitest';
import { rankDrivers } from './assignable-drivers.ts';

const PICKUP = { latitude: 48.8556, longitude: 2.3601 };
const SETTINGS = { radiiKm: [3, 6], runsPerDriver: 3 };
const north = (km: number) => ({ ...PICKUP, latitude: PICKUP.latitude + km / 111.2 });
const driver = (name: string, changes: Partial<Parameters<typeof rankDrivers>[0][number]> = {}) => ({
  ...{ id: name, name, runs: 0, available: true, refused: false, hasAbandoned: false, position: north(1) },
  ...changes,
});

test('drivers without warnings come first, nearest first; each warning has its reason', () => {
  const ranked = rankDrivers(
    [
      driver('far', { position: north(6.1) }),
      driver('at the limit', { position: north(6) }),
      driver('busy', { runs: 3 }),
      driver('nearly busy', { runs: 2, position: north(2) }),
      driver('refused', { refused: true }),
      driver('gave back', { hasAbandoned: true }),
      driver('hidden and offline', { position: null, available: false }),
    ],
    PICKUP,
    SETTINGS,
  );
  expect(ranked.map(({ name, distanceKm, warnings }) => [name, distanceKm, ...warnings])).toEqual([
    ['nearly busy', 2],
    ['at the limit', 6],
    ['busy', 1, 'many_runs'],
    ['gave back', 1, 'refused_before'],
    ['refused', 1, 'refused_before'],
    ['far', 6.1, 'far'],
    ['hidden and offline', null, 'position_unknown', 'offline'],
  ]);
});

test('without a place of the pickup no distance is known, and nobody is far', () => {
  expect(rankDrivers([driver('ana', { position: north(50) })], null, SETTINGS)).toMatchObject([
    { distanceKm: null, warnings: [] },
  ]);
});
