import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember } from '../../../test/dashboard.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { readsOf } from '../../../test/rows-read.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { updateAccount } from '../accounts/index.ts';
import { addCredit } from '../ledger/index.ts';

const nowhere = { locate: async () => null };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function ship(shop: TestAccount, at: string, changes = {}): Promise<string> {
  server.setNow(new Date(at));
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes) });
  return body.shipping._id;
}
async function deliver(shop: TestAccount, id: string, at: string) {
  for (const trigger of ['assign', 'pick_up', 'depart', 'deliver'] as const)
    await moveShipment(server, shop, id, trigger, { now: new Date(at) });
}

describe('GET /overview', () => {
  test('200: per local day what was created, spent and delivered, and how much of it on time', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred', minimumPrice: 8.5 });
    const owner = await createTestMember(server, shop.id);
    const [express, late, cancelled] = [
      await ship(shop, '2026-03-03T10:00Z'),
      await ship(shop, '2026-03-03T22:30Z'), // 23:30 in Paris
      await ship(shop, '2026-03-04T09:00Z'),
    ];
    const slot = await ship(shop, '2026-03-04T10:00Z', { scheduledDate: '2026-03-05', timeSlot: '14h-16h' });
    await deliver(shop, express, '2026-03-03T18:00Z');
    await deliver(shop, late, '2026-03-04T08:00Z');
    await moveShipment(server, shop, cancelled, 'cancel', { now: new Date('2026-03-04T12:00Z') });
    await moveShipment(server, shop, slot, 'activate', { now: new Date('2026-03-05T12:00Z') });
    await deliver(shop, slot, '2026-03-05T14:59Z'); // 15:59 in Paris
    server.setNow(new Date('2026-03-05T20:00Z'));
    const { status, body } = await owner.call('readOverview', { query: { days: 4 } });
    server.setNow(null);
    expect(status).toBe(200);
    expect(body.overview.days).toStrictEqual([
      { date: '2026-03-02', shipments: 0, spend: 0, delivered: 0, onTime: 0 },
      { date: '2026-03-03', shipments: 2, spend: 17, delivered: 1, onTime: 1 },
      { date: '2026-03-04', shipments: 2, spend: 17.5, delivered: 1, onTime: 0 },
      { date: '2026-03-05', shipments: 0, spend: 0, delivered: 1, onTime: 1 },
    ]);
    expect(body.overview.previousDays.map(({ date }: { date: string }) => date)).toStrictEqual([
      '2026-02-26',
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    expect(body.overview.byStatus).toMatchObject({ delivered: 3, cancelled: 1, created: 0 });
    expect(body.overview).toMatchObject({ balance: -34.5, amountDue: 34.5, paymentMode: 'deferred' });
    expect(body.overview.firstSteps).toMatchObject({ keyMade: true, shipmentCreated: true, webhookHeard: false });
  });

  test('200: the days before the period are in a list of their own, and each day is in one of the two', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred', minimumPrice: 8.5 });
    const owner = await createTestMember(server, shop.id);
    for (const at of ['2026-03-27T22:30Z', '2026-03-27T23:30Z', '2026-03-30T09:00Z', '2026-03-31T21:30Z'])
      await ship(shop, at); // in Paris: 27, 28, 30 and 31 March; the clocks changed on the 29th
    server.setNow(new Date('2026-03-31T21:45Z'));
    const { body } = await owner.call('readOverview', { query: { days: 2 } });
    server.setNow(null);
    const created = (days: { date: string; shipments: number }[]) => days.map((day) => [day.date, day.shipments]);
    expect(created(body.overview.previousDays)).toStrictEqual([
      ['2026-03-28', 1],
      ['2026-03-29', 0],
    ]);
    expect(created(body.overview.days)).toStrictEqual([
      ['2026-03-30', 1],
      ['2026-03-31', 1],
    ]);
  });

  test('200: nothing of another account is counted', async () => {
    const busy = await server.createAccount({ paymentMode: 'deferred' });
    await ship(busy, new Date().toISOString());
    server.setNow(null);
    const quiet = await createTestMember(server, (await server.createAccount()).id);
    const { body } = await quiet.call('readOverview');
    expect(body.overview.days).toHaveLength(30);
    expect(body.overview.days.reduce((sum: number, { shipments }: { shipments: number }) => sum + shipments, 0)).toBe(
      0,
    );
  });

  test('reads as many rows of an account with a long past as of one without', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const owner = await createTestMember(server, shop.id);
    const tables = ['shipments', 'ledger_entries', 'daily_totals', 'daily_deliveries', 'webhook_deliveries', 'events'];
    const cost = async () => {
      const reads = await readsOf(Object.values(server.pools), () => owner.call('readOverview'));
      return tables.reduce((sum, table) => sum + reads.rows(table), 0);
    };
    const young = await cost();
    await sql`insert into daily_totals select ${shop.id}, '2020-01-01'::date + n, 5, 4250 from generate_series(1, 2000) n`.execute(
      server.db,
    );
    await sql`insert into daily_deliveries select ${shop.id}, '2020-01-01'::date + n, 5, 5 from generate_series(1, 2000) n`.execute(
      server.db,
    );
    await sql`
      insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, settled_at)
      select ${shop.id}, ('017f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(), 'delivered', 1, 1, now()
      from generate_series(1, 5000) n`.execute(server.db);
    await sql`analyze`.execute(server.db);
    expect(await cost()).toBeLessThanOrEqual(young + 60); // the 30 days and those before, where they exist
  });
});

describe('GET /account', () => {
  const read = async (settings: object) => {
    const shop = await server.createAccount();
    await addCredit(server.db, shop.id, 10_000, null);
    await updateAccount(server.db, shop.id, settings, nowhere);
    const member = await createTestMember(server, shop.id, 'read-only');
    return (await member.call('readAccount')).body;
  };

  test('200: no blocks where nothing blocks, and prices by example as a creation would charge them', async () => {
    const body = await read({ minimumPrice: 8.5, pricePerKg: 9.9 });
    expect(body.blocks).toStrictEqual([]);
    expect(body.priceExamples).toContainEqual({ kind: 'express', weight: 6, price: 12.24 });
    expect(body.priceExamples).toContainEqual({ kind: 'weekend', weight: 2, price: 19 });
    expect(body.account).toMatchObject({ balance: 100, minimumPrice: 8.5 });
  });

  test('200: every block at once, in the order in which creations are refused', async () => {
    const body = await read({ clientType: null, contractSigned: false, paymentStatus: 'suspended', amountDue: 42 });
    expect(body.blocks).toStrictEqual([
      { error: 'CLIENT_TYPE_REQUIRED' },
      { error: 'CONTRACT_SIGNATURE_REQUIRED' },
      { error: 'ACCOUNT_SUSPENDED', amountDue: 42, paymentStatus: 'suspended', gracePeriodEndsAt: null },
    ]);
  });

  test('200: a balance below the price of the cheapest parcel blocks too', async () => {
    const shop = await server.createAccount({ minimumPrice: 8.5 });
    const member = await createTestMember(server, shop.id);
    const { body } = await member.call('readAccount');
    expect(body.blocks).toStrictEqual([{ error: 'INSUFFICIENT_BALANCE', currentBalance: 0, requiredAmount: 7 }]);
  });
});
