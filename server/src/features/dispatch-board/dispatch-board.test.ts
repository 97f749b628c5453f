import { randomUUIDv7 } from 'node:crypto';
import type { AssignmentResult, BoardDriver, BoardShipment } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { factsOf, ship, shipMany, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { rowsRead } from '../../../test/rows-read.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { localDay } from '../../calendar/local-calendar.ts';
import { assignAnyShipment } from '../dispatch/index.ts';
import { createMemoryPositions } from '../drivers/index.ts';
import { listBoardDrivers } from './list-board-drivers.ts';

const DAY_MS = 86_400_000;

let server: TestServer;
let shop: TestAccount;
let lea: TestStaff;
let yanis: TestStaff;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
  lea = await createTestStaff(server, 'dispatcher', { name: 'Léa Morel' });
  yanis = await createTestStaff(server, 'dispatcher', { name: 'Yanis Cohen' });
});
afterEach(() => server.setNow(null));
afterAll(() => server.stop());

const tomorrow = () => localDay(new Date(Date.now() + DAY_MS), 'Europe/Paris');
const slotted = (timeSlot: string) => ship(server, shop, { scheduledDate: tomorrow(), timeSlot } as never);
const versionOf = async (id: string): Promise<string> =>
  (await lea.call('readShipmentPage', { params: { id } })).body.shipment.version;
const rowsOf = (ids: string[]) =>
  Promise.all(ids.map(async (shipmentId) => ({ shipmentId, version: await versionOf(shipmentId) })));

interface Sent {
  status: number;
  body: { results: AssignmentResult[]; undoUntil: string | null; at: string; error?: string };
}
const assign = (
  who: TestStaff,
  driver: TestDriver,
  rows: { shipmentId: string; version: string }[],
  commandId: string = randomUUIDv7(),
): Promise<Sent> => who.call('assignShipments', { body: { commandId, driverId: driver.id, rows } });
const undo = (who: TestStaff, id: string): Promise<Sent> => who.call('undoAssignments', { params: { id } });
const outcomes = ({ body }: Sent) => body.results.map(({ outcome, refusal }) => refusal ?? outcome);
const actsAbout = (id: string) =>
  server.db
    .selectFrom('operator_acts')
    .select(['act', 'actor', 'reason', 'details'])
    .where('subject_id', '=', id)
    .orderBy('number')
    .execute();

describe('the lists', () => {
  const list = async (query: Record<string, unknown>) =>
    (await lea.call('listBoardShipments', { query: query as never })).body as {
      shipments: BoardShipment[];
      nextCursor: string | null;
    };

  test('unassigned shipments come by the promised time, page by page, each once', async () => {
    const express: string[] = [];
    while (express.length < 7) express.push((await ship(server, shop))._id);
    await server.db
      .updateTable('shipments')
      .set({ estimated_delivery_at: null })
      .where('id', '=', express[3] as string)
      .execute();
    const seen: string[] = [];
    let after: string | null = null;
    const ends: string[] = [];
    do {
      const page = await list({ list: 'unassigned', limit: 3, ...(after ? { after } : {}) });
      seen.push(...page.shipments.map(({ id }) => id));
      after = page.nextCursor;
      if (after) ends.push(after);
    } while (after);
    const mine = seen.filter((id) => express.includes(id));
    expect(mine).toEqual([...express.filter((id) => id !== express[3]), express[3]]);
    expect(new Set(seen).size).toBe(seen.length);

    // A page that is read again up to its end neither skips nor repeats a row, although one has left the list.
    const [gone] = seen.slice(3, 6);
    await server.call(shop, 'PUT', `/shipping/${gone}/cancel`);
    const again = await list({ list: 'unassigned', after: ends[0], until: ends[1] });
    expect(again.shipments.map(({ id }) => id)).toEqual(seen.slice(4, 6));
    expect(again.nextCursor).toBeNull();
  });

  test('a row names merchant, towns, slot and the time until which it is due', async () => {
    const { _id: id, referenceNumber: reference } = await ship(server, shop);
    const { shipments } = await list({ list: 'unassigned', limit: 500 });
    expect(shipments.find((row) => row.id === id)).toEqual({
      ...{ id, reference, version: '1.0', status: 'created', account: 'Fleurs & Fils', from: 'Paris', to: 'Paris' },
      ...{ timeSlot: null, slotStartsAt: null, promisedUntil: expect.any(String), search: null, driver: null },
    });
  });

  test('slots come by their start, and begin where asked', async () => {
    const late = await slotted('16h-18h');
    const early = await slotted('10h-12h');
    const { shipments } = await list({ list: 'slots', limit: 500 });
    expect(shipments.map(({ id }) => id)).toEqual([early._id, late._id]);
    expect(shipments[0]).toMatchObject({ status: 'programmed', timeSlot: '10h-12h' });
    expect((await list({ list: 'slots', from: tomorrow() })).shipments).toHaveLength(2);
    const later = localDay(new Date(Date.now() + 2 * DAY_MS), 'Europe/Paris');
    expect((await list({ list: 'slots', from: later })).shipments).toEqual([]);
  });

  test.each(['x', '1.x', `1.${randomUUIDv7()}.1`, `12345678901234567.${randomUUIDv7()}`, ''])(
    'the cursor “%s” is refused as a field error',
    async (after) => {
      const { status } = await lea.call('listBoardShipments', { query: { list: 'unassigned', after } });
      expect(status).toBe(400);
      expect((await lea.call('listBoardDrivers', { query: { after } })).status).toBe(400);
    },
  );

  test('drivers come with their parcels, available ones first; a name finds them; a disabled one is not listed', async () => {
    const [away, busy, disabled] = [
      await createTestDriver(server.db, { firstName: 'Aaron', available: false }),
      await createTestDriver(server.db, { firstName: 'Zoé' }),
      await createTestDriver(server.db, { firstName: 'Abel' }),
    ];
    await sql`update drivers set disabled_at = now() where id = ${disabled.id}`.execute(server.db);
    await standAt(server, busy, 1);
    const { _id: id } = await ship(server, shop);
    await assign(lea, busy, await rowsOf([id]));
    const all: BoardDriver[] = [];
    let after: string | undefined;
    do {
      const { body } = await lea.call('listBoardDrivers', { query: { limit: 1, ...(after ? { after } : {}) } });
      all.push(...body.drivers);
      after = body.nextCursor ?? undefined;
    } while (after);
    const ids = all.map((driver) => driver.id);
    expect(ids.indexOf(busy.id)).toBeLessThan(ids.indexOf(away.id));
    expect(ids).not.toContain(disabled.id);
    expect(new Set(ids).size).toBe(ids.length);
    const { body } = await lea.call('listBoardDrivers', { query: { name: 'zoe' } });
    expect(body.drivers).toMatchObject([
      { id: busy.id, name: 'Zoé Leroy', available: true, positionAt: expect.any(String), runCount: 1, runs: [{ id }] },
    ]);
  });

  test('a page of drivers reads no more drivers than it has', async () => {
    await sql`
      insert into drivers (id, first_name, last_name, phone_number, available, disabled_at)
      select gen_random_uuid(), 'Name ' || n, 'Many', '+33611111111', n % 2 = 0, case when n % 3 = 0 then now() end
      from generate_series(1, 5000) n`.execute(server.db);
    await sql`analyze drivers`.execute(server.db);
    const positions = createMemoryPositions();
    const middle = { isAway: true, firstName: 'Name 3', lastName: '', id: randomUUIDv7() };
    for (const after of [null, middle]) {
      const read = await rowsRead(server.db, 'public.drivers', (tx) =>
        listBoardDrivers(
          { db: tx, positions, config: server.config },
          { name: undefined, after, until: null, limit: 50 },
        ),
      );
      expect(read).toBeLessThan(150);
    }
  });
});

describe('the preview', () => {
  test('says for each row what would happen, and changes nothing', async () => {
    const driver = await createTestDriver(server.db);
    const ids = await shipMany(server, shop, 4);
    const before = await factsOf(server, ids[0] as string);
    const shipmentIds = [...ids, randomUUIDv7(), 'x'];
    const { status, body } = await lea.call('previewAssignments', { body: { driverId: driver.id, shipmentIds } });
    expect(status).toBe(200);
    expect(body.driver).toMatchObject({ name: 'Ana Leroy', runs: 0, runsPerDriver: 3 });
    expect(body.rows.map(({ refusal }: { refusal: string }) => refusal)).toEqual([
      ...[null, null, null, 'run_limit', 'unknown', 'unknown'],
    ]);
    expect(body.rows[0]).toMatchObject({
      will: 'assign',
      warnings: ['position_unknown'],
      shipment: { version: '1.0' },
    });
    expect(await factsOf(server, ids[0] as string)).toEqual(before);
  });

  test('warns of a driver who gave the parcel back', async () => {
    const driver = await createTestDriver(server.db);
    const { _id: id, referenceNumber } = await ship(server, shop);
    await assignAnyShipment({ ...server, now: new Date() }, referenceNumber, driver.id);
    await overHttp(server.url, driver)('abandon', { id });
    const { body } = await lea.call('previewAssignments', { body: { driverId: driver.id, shipmentIds: [id] } });
    expect(body.rows[0].warnings).toContain('refused_before');
  });

  test('of an unknown driver is refused', async () => {
    for (const driverId of ['x', randomUUIDv7()]) {
      const { status } = await lea.call('previewAssignments', { body: { driverId, shipmentIds: ['x'] } });
      expect(status).toBe(404);
      expect(
        (
          await lea.call('assignShipments', {
            body: { driverId, commandId: 'x', rows: [{ shipmentId: 'x', version: '' }] },
          })
        ).status,
      ).toBe(404);
    }
  });
});

describe('an assignment', () => {
  test('has a result for each row: done, changed by whom, refused why', async () => {
    const [ana, bob] = [await createTestDriver(server.db), await createTestDriver(server.db, { firstName: 'Bob' })];
    const ids = await shipMany(server, shop, 6);
    const rows = await rowsOf(ids);
    await assign(yanis, bob, rows.slice(0, 1));
    await server.call(shop, 'PUT', `/shipping/${ids[1]}/cancel`);
    const unknown = { shipmentId: randomUUIDv7(), version: '1.0' };
    const sent = await assign(lea, ana, [...rows, unknown]);
    expect(outcomes(sent)).toEqual(['changed', 'changed', 'done', 'done', 'done', 'run_limit', 'unknown']);
    expect(sent.body.results[0]).toMatchObject({
      conflict: { by: 'Yanis Cohen', change: 'shipment.assigned', at: expect.any(String) },
      shipment: { status: 'assigned', driver: { id: bob.id, name: 'Bob Leroy' } },
    });
    expect(sent.body.results[1]).toMatchObject({
      conflict: { by: null, change: 'shipment.cancelled' },
      shipment: { status: 'cancelled' },
    });
    expect(sent.body.results[2]).toMatchObject({ shipment: { status: 'assigned', driver: { id: ana.id } } });
    expect(Date.parse(sent.body.undoUntil as string) - Date.parse(sent.body.at)).toBeLessThanOrEqual(10_000);
    expect((await factsOf(server, ids[5] as string)).status).toBe('created');
  });

  test('sent again with the same command does nothing twice and completes the rest', async () => {
    const driver = await createTestDriver(server.db);
    const rows = await rowsOf(await shipMany(server, shop, 3));
    const commandId = randomUUIDv7();
    await assign(lea, driver, rows.slice(0, 2), commandId);
    expect(outcomes(await assign(lea, driver, rows, commandId))).toEqual(['done', 'done', 'done']);
    for (const { shipmentId } of rows) {
      expect((await factsOf(server, shipmentId)).history).toEqual(['created', 'assigned']);
      expect(await actsAbout(shipmentId)).toMatchObject([
        { act: 'shipment.assigned', actor: 'Léa Morel', details: { driver: driver.id, command: commandId } },
      ]);
    }
    const other = await createTestDriver(server.db);
    expect(outcomes(await assign(lea, other, rows, commandId))).toEqual(Array(3).fill('command_reused'));
    // The command of another person is another command.
    expect(outcomes(await assign(yanis, driver, rows, commandId))).toEqual(Array(3).fill('changed'));
  });

  test('never exceeds the limit of a driver, even when two people fill it at the same time', async () => {
    const driver = await createTestDriver(server.db);
    const [mine, theirs] = [
      await rowsOf(await shipMany(server, shop, 3)),
      await rowsOf(await shipMany(server, shop, 3)),
    ];
    const sent = await Promise.all([assign(lea, driver, mine), assign(yanis, driver, theirs)]);
    const all = sent.flatMap(outcomes);
    expect(all.filter((outcome) => outcome === 'done')).toHaveLength(3);
    expect(all.filter((outcome) => outcome === 'run_limit')).toHaveLength(3);
  });

  test('to a disabled driver is refused as a whole', async () => {
    const driver = await createTestDriver(server.db);
    await sql`update drivers set disabled_at = now() where id = ${driver.id}`.execute(server.db);
    const sent = await assign(lea, driver, await rowsOf(await shipMany(server, shop, 1)));
    expect([sent.status, sent.body.error]).toEqual([409, 'NOT_POSSIBLE_NOW']);
  });

  test('of more than fifty rows is a field error', async () => {
    const driver = await createTestDriver(server.db);
    const rows = Array.from({ length: 51 }, () => ({ shipmentId: randomUUIDv7(), version: '1.0' }));
    expect((await assign(lea, driver, rows)).status).toBe(400);
  });
});

describe('an undo', () => {
  test('within ten seconds returns each parcel to where it was', async () => {
    const [ana, bob] = [await createTestDriver(server.db), await createTestDriver(server.db, { firstName: 'Bob' })];
    const [fresh, given] = (await shipMany(server, shop, 2)) as [string, string];
    await assign(yanis, bob, await rowsOf([given]));
    const commandId = randomUUIDv7();
    await assign(lea, ana, await rowsOf([fresh, given]), commandId);
    const sent = await undo(lea, commandId);
    expect(outcomes(sent)).toEqual(['done', 'done']);
    expect(await factsOf(server, fresh)).toMatchObject({ status: 'created', driver: null });
    expect(await factsOf(server, given)).toMatchObject({ status: 'assigned', driver: bob.id });
    expect((await actsAbout(fresh)).map(({ act }) => act)).toEqual(['shipment.assigned', 'shipment.assignment_undone']);
    // Ana did not refuse it: she may be asked again.
    const { body } = await lea.call('previewAssignments', { body: { driverId: ana.id, shipmentIds: [fresh] } });
    expect(body.rows[0].warnings).not.toContain('refused_before');
    const { body: page } = await lea.call('readShipmentPage', { params: { id: given } });
    expect(page.story.find(({ kind }: { kind: string }) => kind === 'assignment_undone')).toMatchObject({
      by: 'Léa Morel',
      driver: { name: 'Ana Leroy' },
      facts: { previous: 'Bob Leroy' },
    });
    // Sent again, it reports the same and does nothing.
    expect(outcomes(await undo(lea, commandId))).toEqual(['done', 'done']);
    expect((await actsAbout(fresh)).length).toBe(2);
  });

  test('after ten seconds is refused', async () => {
    const driver = await createTestDriver(server.db);
    const [id] = (await shipMany(server, shop, 1)) as [string];
    const commandId = randomUUIDv7();
    const now = Date.now();
    server.setNow(new Date(now));
    await assign(lea, driver, await rowsOf([id]), commandId);
    server.setNow(new Date(now + 10_001));
    expect(outcomes(await undo(lea, commandId))).toEqual(['too_late']);
    expect(await factsOf(server, id)).toMatchObject({ status: 'assigned', driver: driver.id });
    server.setNow(new Date(now + 10_000));
    expect(outcomes(await undo(lea, commandId))).toEqual(['done']);
  });

  test('is refused when something else has happened since, and says what', async () => {
    const [ana, bob] = [await createTestDriver(server.db), await createTestDriver(server.db)];
    const [picked, moved] = (await shipMany(server, shop, 2)) as [string, string];
    const commandId = randomUUIDv7();
    await assign(lea, ana, await rowsOf([picked, moved]), commandId);
    await overHttp(server.url, ana)('pickUp', { id: picked });
    await assign(yanis, bob, await rowsOf([moved]));
    const { body } = await undo(lea, commandId);
    expect(body.results).toMatchObject([
      { outcome: 'changed', conflict: { by: null, change: 'shipment.picked_up' }, shipment: { status: 'picked_up' } },
      { outcome: 'changed', conflict: { by: 'Yanis Cohen', change: 'shipment.assigned' } },
    ]);
    expect(await factsOf(server, moved)).toMatchObject({ status: 'assigned', driver: bob.id });
  });

  test('of a colleague’s or an unknown command is not found', async () => {
    const driver = await createTestDriver(server.db);
    const commandId = randomUUIDv7();
    await assign(lea, driver, await rowsOf(await shipMany(server, shop, 1)), commandId);
    expect((await undo(yanis, commandId)).status).toBe(404);
    expect((await undo(lea, randomUUIDv7())).status).toBe(404);
  });
});

test('an assignment is cancelled later with a reason, which the log keeps', async () => {
  const driver = await createTestDriver(server.db);
  const [id] = (await shipMany(server, shop, 1)) as [string];
  await assign(lea, driver, await rowsOf([id]));
  const body = { version: await versionOf(id), reason: 'Vélo en panne' };
  expect((await yanis.call('unassignShipment', { params: { id }, body })).status).toBe(200);
  expect((await actsAbout(id)).at(-1)).toMatchObject({ act: 'shipment.unassigned', reason: 'Vélo en panne' });
});

test('afterwards every invariant holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
