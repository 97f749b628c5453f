import { test } from 'vitest';
import { expectOneShipmentAndChargeEach } from '../test/create-through-faults.ts';

test('2,000 creations through lost requests, lost responses and error pages are one shipment and one charge each', () =>
  expectOneShipmentAndChargeEach(2_000, 2_000));
