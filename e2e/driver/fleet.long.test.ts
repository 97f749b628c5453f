import { expect, test } from 'vitest';
import { runFleet } from '../../demo/fleet/run-fleet.ts';

/** A small `npm run demo:drivers`. */
test('drivers on a bad network deliver every parcel once although processes are killed, and the times are theirs', {
  timeout: 300_000,
}, async () => {
  const { faults, delivered, kills } = await runFleet({ drivers: 3, parcels: 9, kills: 2, seed: 2 }, () => {});
  expect({ faults, delivered }).toEqual({ faults: [], delivered: 9 });
  expect(kills).toBeGreaterThan(0);
});
