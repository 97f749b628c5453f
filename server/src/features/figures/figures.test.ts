import type { ShipmentRequest } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createTwin } from '../../../test/twin.ts';
import { endIncident, openIncident } from '../incidents/index.ts';
import { auditFigures } from './audit-figures.ts';
import { countFigures } from './count-figures.handler.ts';
import { pagesOfPending } from './count-pending.ts';
import { rebuildDay } from './rebuild-figures.ts';

const ZONE = 'Europe/Paris';
let server: TestServer;
let shop: TestAccount;
let admin: TestStaff;
let driverId: string;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ name: '=HYPERLINK("x")', paymentMode: 'deferred', minimumPrice: 8.5 });
  admin = await createTestStaff(server, 'admin');
  ({ id: driverId } = await createTestDriver(server.db, { firstName: 'Karim' }));
});
afterAll(() => server.stop());

const minutesAfter = (at: string, minutes: number) => new Date(Date.parse(at) + minutes * 60_000);

async function create(account: TestAccount, at: string, changes: Partial<ShipmentRequest> = {}): Promise<string> {
  server.setNow(new Date(at));
  const { _id: id } = await ship(server, account, changes);
  server.setNow(null);
  return id;
}

interface Delivery {
  minutes?: number;
  doneAfter?: number;
  changes?: Partial<ShipmentRequest>;
}

/** Created at this time, assigned after four minutes, delivered after 40. */
async function deliver(at: string, { minutes = 40, doneAfter = minutes, changes = {} }: Delivery = {}) {
  const id = await create(shop, at, changes);
  await moveShipment(server, shop, id, 'assign', { now: minutesAfter(at, 4), driverId, payCents: 300 });
  await moveShipment(server, shop, id, 'pick_up', { now: minutesAfter(at, 10) });
  const times = { now: minutesAfter(at, minutes), doneAt: minutesAfter(at, doneAfter) };
  await moveShipment(server, shop, id, 'deliver', times);
  return id;
}

const to = (postalCode: string): Partial<ShipmentRequest> => {
  const { deliveryAddress } = shipmentRequest();
  return { deliveryAddress: { ...deliveryAddress, postalCode } };
};

const count = () => countFigures(server.db, ZONE, new Date());

async function reportIncident(shipmentId: string, at: string) {
  await server.db.transaction().execute(async (tx) => {
    const happenedAt = new Date(at);
    const place = { note: null, place: null, happenedAt, receivedAt: happenedAt };
    await openIncident(tx, server.jobs, { accountId: shop.id, shipmentId, driverId, kind: 'damaged', ...place });
    await openIncident(tx, server.jobs, {
      accountId: shop.id,
      shipmentId,
      driverId,
      kind: 'recipient_absent',
      ...place,
    });
    await endIncident(tx, shop.id, shipmentId, { resolution: 'tried_again', by: 'operator', now: happenedAt });
  });
}

type By = 'day' | 'hour' | 'zone' | 'merchant' | 'driver';
const listBy = async (by: By, from: string, until = from) =>
  (await admin.call('listFigures', { query: { by, from, to: until } })).body.rows;

describe('the figures of a day', () => {
  const DAY = '2026-05-04';
  beforeAll(async () => {
    const id = await deliver(`${DAY}T08:00Z`, { changes: to('75011') });
    await deliver(`${DAY}T12:30Z`, { minutes: 70, changes: to('93100') });
    await reportIncident(id, `${DAY}T08:20Z`);
    const cancelled = await create(shop, `${DAY}T09:00Z`, to('75011'));
    await moveShipment(server, shop, cancelled, 'cancel', { now: minutesAfter(`${DAY}T09:00Z`, 5) });
    await count();
  });

  test('contain punctuality, times, money, cancellations and incidents by kind', async () => {
    const { body } = await admin.call('readFigures', { query: { from: DAY } });
    expect(body.figures).toMatchObject({ delivered: 2, onTime: 2, returned: 0, cancelled: 1, incidents: 1 });
    expect(body.figures).toMatchObject({ charged: 17, pay: 6 });
    expect(Math.abs(body.figures.toDriverP50 - 240)).toBeLessThan(7);
    expect(Math.abs(body.figures.toDoorP50 - 2_400)).toBeLessThan(61);
    expect(Math.abs(body.figures.toDoorP95 - 4_200)).toBeLessThan(106);
    expect(body.incidents).toEqual([{ kind: 'recipient_absent', count: 1 }]); // its last kind
  });

  test('are listed by hour, zone, merchant and driver, with their names', async () => {
    const hours = (await listBy('hour', DAY)).filter((row: { delivered: number }) => row.delivered > 0);
    expect(hours.map(({ key }: { key: string }) => key)).toEqual(['10', '15']); // in Paris
    expect(await listBy('zone', DAY)).toMatchObject([
      { key: '75011', name: 'Paris', delivered: 1, cancelled: 1, incidents: 1 },
      { key: '93100', name: 'Montreuil', delivered: 1 },
    ]);
    expect(await listBy('merchant', DAY)).toMatchObject([{ key: shop.id, name: '=HYPERLINK("x")', delivered: 2 }]);
    expect(await listBy('driver', DAY)).toMatchObject([{ key: driverId, delivered: 2, cancelled: 0, incidents: 1 }]);
    expect(await listBy('day', '2026-05-03', DAY)).toMatchObject([{ delivered: 0, toDoorP50: null }, { delivered: 2 }]);
  });

  test('show amounts to accountants and administrators, and everything else to everybody', async () => {
    for (const role of ['dispatcher', 'support', 'accountant', 'admin'] as const) {
      const { call } = await createTestStaff(server, role);
      const [{ body }, list, csv] = [
        await call('readFigures', { query: { from: DAY } }),
        await call('listFigures', { query: { by: 'driver', from: DAY } }),
        await call('exportFigures', { query: { by: 'driver', from: DAY } }),
      ];
      const seesMoney = role === 'accountant' || role === 'admin';
      expect(body.figures).toMatchObject({ delivered: 2, charged: seesMoney ? 17 : null, pay: seesMoney ? 6 : null });
      expect(list.body.rows[0]).toMatchObject({ delivered: 2, pay: seesMoney ? 6 : null });
      expect(String(csv.body).includes('Rémunération')).toBe(seesMoney);
    }
  });

  test('are exported as CSV, in which no name is a formula', async () => {
    const { headers, body } = await admin.call('exportFigures', { query: { by: 'merchant', from: DAY } });
    expect(headers.get('content-disposition')).toBe(`attachment; filename="navette-merchant-${DAY}-${DAY}.csv"`);
    const [header, line] = String(body)
      .replace(/^\uFEFF/, '')
      .split('\r\n');
    expect(header).toBe(
      'Commerçant;Identifiant;Livrés;À l’heure;Rapportés;Annulés;Incidents;Attente d’un livreur p50 (s);Attente d’un livreur p95 (s);Délai jusqu’à la porte p50 (s);Délai jusqu’à la porte p95 (s);Facturé (EUR);Rémunération (EUR)',
    );
    expect(line).toMatch(new RegExp(`^"'=HYPERLINK\\(""x""\\)";${shop.id};2;2;0;1;1;.*;"17,00";"6,00"$`));
    const incidents = await admin.call('exportFigures', { query: { by: 'incident', from: DAY } });
    expect(String(incidents.body).replace(/^\uFEFF/, '')).toBe('Incident;Nombre\r\nDestinataire absent;1\r\n');
  });

  test('of a month are the sum of its days, also beside other days', async () => {
    const { body } = await admin.call('readFigures', { query: { from: '2026-04-29', to: '2026-06-02' } });
    expect(body.figures).toMatchObject({ delivered: 2, cancelled: 1, incidents: 1, charged: 17 });
    expect(await listBy('zone', '2026-04-29', '2026-06-02')).toMatchObject([{ key: '75011' }, { key: '93100' }]);
  });

  test('refuse a period that ends before it starts, or is longer than a year', async () => {
    for (const query of [
      { from: '2026-05-04', to: '2026-05-03' },
      { from: '2024-01-01', to: '2026-01-01' },
    ])
      expect(await admin.call('readFigures', { query })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'to' }] },
      });
  });
});

describe('a late or unusual day', () => {
  test('a delivery that a phone sends in the next day counts on the day on which it happened', async () => {
    await deliver('2026-06-10T20:30Z', { minutes: 600, doneAfter: 45 });
    await count();
    expect(await listBy('day', '2026-06-10', '2026-06-11')).toMatchObject([{ delivered: 1 }, { delivered: 0 }]);
    expect(Math.abs((await listBy('day', '2026-06-10'))[0].toDoorP50 - 2_700)).toBeLessThan(68);
  });

  test('the days of both clock changes have their hours, and rebuild to the same', async () => {
    for (const at of ['2026-03-28T22:30Z', '2026-03-29T00:10Z', '2026-03-29T00:40Z', '2026-03-29T21:00Z'])
      await deliver(at); // 23:30 of the day before, 01:10, 01:40, 23:00; the hour 02 does not exist
    for (const at of ['2026-10-24T23:50Z', '2026-10-25T00:50Z', '2026-10-25T22:00Z']) await deliver(at); // 02:30 twice, 23:40
    await count();
    const hoursOf = async (day: string) =>
      (await listBy('hour', day)).flatMap(({ key, delivered }: { key: string; delivered: number }) =>
        delivered > 0 ? [[key, delivered]] : [],
      );
    const expected = {
      '2026-03-29': [
        ['00', 1],
        ['01', 1],
        ['03', 1],
        ['23', 1],
      ],
      '2026-10-25': [
        ['02', 2],
        ['23', 1],
      ],
    };
    for (const [day, hours] of Object.entries(expected)) {
      expect(await hoursOf(day)).toEqual(hours);
      expect(await rebuildDay(server.db, day, ZONE)).toMatchObject({ corrected: 0 });
      expect(await hoursOf(day)).toEqual(hours);
    }
  });

  test('twins of test mode are left out', async () => {
    const twin = await createTwin(server, shop);
    const id = await create(twin, '2026-07-01T08:00Z');
    await moveShipment(server, twin, id, 'cancel', { now: new Date('2026-07-01T09:00Z') });
    await count();
    expect(await listBy('merchant', '2026-07-01')).toEqual([]);
    expect(await server.db.selectFrom('figures_pending').selectAll().execute()).toEqual([]);
  });
});

describe('counters', () => {
  const now = new Date();
  const today = now.toISOString();
  const findBroken = async () => (await auditFigures(server.db, ZONE, new Date())).filter(({ broken }) => broken > 0);

  test('agree with the rows before and after they are counted; the audit names a row that does not', async () => {
    await deliver(new Date(now.getTime() - 3_600_000).toISOString());
    expect(await findBroken()).toEqual([]); // still pending
    await count();
    expect(await findBroken()).toEqual([]);
    await sql`update figures set on_time = on_time + 1 where dimension = 'driver' and key = ${driverId} and grain = 'day'
      and start >= (${today}::timestamptz at time zone ${ZONE})::date - 1`.execute(server.db);
    const [finding] = await findBroken();
    expect(finding).toMatchObject({
      invariant: 'the figures of the latest days agree with the shipments and incidents',
      examples: [expect.stringMatching(`driver ${driverId}$`)],
    });
    const day = finding?.examples[0]?.slice(0, 10) ?? '';
    const { code, stdout, stderr } = await runNavette(['figures', 'rebuild', day, '--json'], server.environment);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject([{ day, corrected: 1 }]);
    expect(await findBroken()).toEqual([]);
  });

  test('are counted once, however often and however many jobs count', async () => {
    const day = '2026-08-03';
    for (const hour of ['08', '09', '10']) await deliver(`${day}T${hour}:00Z`);
    await Promise.all([count(), count(), rebuildDay(server.db, day, ZONE), count()]);
    expect(await listBy('day', day)).toMatchObject([{ delivered: 3, charged: 25.5 }]);
    expect(await rebuildDay(server.db, day, ZONE)).toMatchObject({ corrected: 0 });
  });

  test('are read page by page while they are pending, each once', async () => {
    await server.db.transaction().execute(async (tx) => {
      await sql`
        insert into figures_pending (subject, account_id, id)
        select 'run', '00000000-0000-4000-8000-000000000000', gen_random_uuid() from generate_series(1, 2500)`.execute(
        tx,
      );
      const pages = [];
      for await (const page of pagesOfPending(tx)) pages.push(page);
      expect(pages.map((page) => page.length)).toEqual([1_000, 1_000, 500]);
      expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(2_500);
      await sql`delete from figures_pending`.execute(tx);
    });
  });

  test('stay, without names, when personal data is erased', async () => {
    const erased = await createTestDriver(server.db, { firstName: 'Ghislaine' });
    const id = await create(shop, '2026-09-01T08:00Z');
    await moveShipment(server, shop, id, 'assign', { now: new Date('2026-09-01T08:05Z'), driverId: erased.id });
    await moveShipment(server, shop, id, 'deliver', { doneAt: new Date('2026-09-01T08:50Z') });
    await count();
    await server.db
      .updateTable('drivers')
      .set({ first_name: '(effacé)', last_name: '(effacé)' })
      .where('id', '=', erased.id)
      .execute();
    expect(await listBy('driver', '2026-09-01')).toMatchObject([
      { key: erased.id, name: '(effacé) (effacé)', delivered: 1 },
    ]);
    const { rows } = await sql<{ text: string }>`select f::text as text from figures f`.execute(server.db);
    expect(rows.filter(({ text }) => /Ghislaine|HYPERLINK|Camille/.test(text))).toEqual([]);
  });
});
