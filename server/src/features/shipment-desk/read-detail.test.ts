import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let shop: TestAccount;
let member: TestMember;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred', pricePerKg: 9.9 });
  member = await createTestMember(server, shop.id, 'read-only');
});
afterAll(() => server?.stop());

async function detailOf(changes: Parameters<typeof shipmentRequest>[0]) {
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes) });
  const read = async () => (await member.call('readShipment', { params: { id: body.shipping._id } })).body;
  return { price: body.shipping.price, read };
}

describe('the price of a shipment', () => {
  test('is explained by steps that add up to what was charged, express and in a slot', async () => {
    const heavy = { parcelDetails: { weight: 5.5, nature: 'Livres' } };
    const express = await detailOf(heavy);
    expect((await express.read()).priceSteps).toEqual([
      { step: 'flat_price', amount: 9.9, includedKg: 4 },
      { step: 'extra_weight', amount: 1.76, weightKg: 1.5, pricePerKg: 1.17 },
    ]);
    const saturdayEvening = await detailOf({ ...heavy, scheduledDate: '2031-03-08', timeSlot: '19h-20h' });
    const { priceSteps } = await saturdayEvening.read();
    expect(priceSteps.map(({ step }: { step: string }) => step)).toEqual([
      'scheduled_weight',
      'unusual_hour',
      'weekend',
    ]);
    expect(priceSteps.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(
      saturdayEvening.price,
    );
  });

  test('is not explained when prices have changed since', async () => {
    const { read } = await detailOf({});
    await server.db.updateTable('accounts').set({ price_per_kg_cents: 1_200 }).where('id', '=', shop.id).execute();
    await eventually(async () => expect((await read()).priceSteps).toBeNull()); // settings are kept for half a second
  });
});
