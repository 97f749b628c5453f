import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { factsOf, openOffers, ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { explainAnyShipment } from './explain.ts';
import { summariseDispatch } from './summarise-dispatch.handler.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

let server: TestServer;
let shop: TestAccount;
let drivers: TestDriver[];
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_OFFER_SECONDS: '3600', DISPATCH_WAVE_SIZES: '2' });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  drivers = [await createTestDriver(server.db), await createTestDriver(server.db)];
  for (const driver of drivers) await standAt(server, driver, 0.5);
});
afterAll(() => server.stop());

async function offered(): Promise<{ _id: string; referenceNumber: string }> {
  const shipment = await ship(server, shop);
  await vi.waitFor(async () => expect(await openOffers(server, shipment._id)).toHaveLength(2), {
    timeout: 240_000,
    interval: 50,
  });
  return shipment;
}

async function rowsOf(shipmentId: string): Promise<Record<string, number>> {
  const count = async (table: string) => {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from ${sql.table(table)} where shipment_id = ${shipmentId}`.execute(server.db);
    return rows[0]?.rows ?? 0;
  };
  const tables = ['driver_searches', 'driver_offers', 'dispatch_decisions', 'dispatch_summaries'];
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await count(table)] as const)));
}

test('90 days after its end a shipment has one row of its searches; who was assigned stays, and the audit finds nothing', async () => {
  const worker = await startTestWorker(server);
  const [delivered, underWay] = [await offered(), await offered()];
  const [first, second] = drivers as [TestDriver, TestDriver];
  await overHttp(server.url, second)('refuseOffer', { id: delivered._id });
  await overHttp(server.url, first)('acceptOffer', { id: delivered._id });
  const { code } = await factsOf(server, delivered._id);
  await overHttp(server.url, first)('deliver', { id: delivered._id, deliveryCode: code });
  await worker.stop();

  const before = await rowsOf(delivered._id);
  expect(await summariseDispatch(server.db, inDays(89))).toBe(0);
  expect(await rowsOf(delivered._id)).toEqual(before);

  expect(await summariseDispatch(server.db, inDays(91))).toBe(1);
  expect(await rowsOf(delivered._id)).toEqual({
    driver_searches: 0,
    driver_offers: 0,
    dispatch_decisions: 1,
    dispatch_summaries: 1,
  });
  expect(await rowsOf(underWay._id)).toMatchObject({ driver_searches: 1, driver_offers: 2, dispatch_summaries: 0 });
  const explained = await explainAnyShipment(server.db, delivered.referenceNumber);
  expect(explained?.lines.map(({ text }) => text)).toEqual([
    'Searches for a driver: 1. Offers: 2, of which 1 refused, 0 not answered, 0 withdrawn.',
    expect.stringContaining('who was first to accept'),
  ]);
  expect(await brokenInvariants(server)).toEqual([]);
  expect(await summariseDispatch(server.db, inDays(91))).toBe(0);
});
