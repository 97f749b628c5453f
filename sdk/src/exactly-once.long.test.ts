import { expect, test } from 'vitest';
import { createThroughFaults } from '../test/create-through-faults.ts';

const COUNT = 2_000;

test('2,000 creations through lost requests, lost responses and error pages are one shipment and one charge each', async () => {
  const { stored, returned, requests } = await createThroughFaults(COUNT, 2_000);
  expect(stored).toEqual({ shipments: COUNT, orders: COUNT, charges: COUNT, cents: -850 * COUNT });
  expect(returned).toBe(COUNT);
  expect(requests).toBeGreaterThan(COUNT * 1.3); // the faults have happened
});
