import { readdir, readFile, rm } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { eraseShipment } from '../../../test/erase-shipment.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createTwin } from '../../../test/twin.ts';
import type { FileStore } from '../../adapters/files/file-store.ts';
import { openProofStore } from '../../adapters/files/open-file-store.ts';
import { localDay } from '../../calendar/local-calendar.ts';
import { RowsAreGone, rebuildDay } from '../figures/index.ts';
import { listLedger } from '../ledger/index.ts';
import { deleteProofFiles } from '../proofs/index.ts';
import { signReference } from '../shipments/index.ts';
import { archiveShipments } from './archive-shipments.ts';

const AFTER_DAYS = 400;
const PER_FILE = 3;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const LATER = inDays(500);

let server: TestServer;
let shop: TestAccount;
let driverId: string;
beforeAll(async () => {
  server = await startTestServer();
  driverId = (await createTestDriver(server.db)).id;
});
afterAll(() => server.stop());
beforeEach(async () => {
  shop = await server.createAccount({ paymentMode: 'deferred' });
});

const archive = (store: FileStore = openProofStore(server.config), now = LATER) =>
  archiveShipments({ db: server.db, store, log: server.app.log }, AFTER_DAYS, () => now, PER_FILE);
/** After the days whose figures are compared with shipments, and before the shipment under way is one too many. */
const audit = () => brokenInvariants(server, inDays(10));
const filesOf = async ({ id }: TestAccount) =>
  (await readdir(server.config.proofStore, { recursive: true }).catch(() => [])).filter((name) => name.includes(id));
const pathOf = (name: string) => `${server.config.proofStore}/${name}`;

interface Made {
  _id: string;
  referenceNumber: string;
  key: string;
}

async function create(): Promise<Made> {
  const key = `order of ${crypto.randomUUID()}`;
  const headers = { 'x-idempotency-key': key };
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(), headers });
  return { ...body.shipping, key };
}

async function end({ _id }: Made, how: 'delivered' | 'cancelled'): Promise<void> {
  if (how === 'cancelled') {
    await moveShipment(server, shop, _id, 'cancel');
  } else {
    await moveShipment(server, shop, _id, 'assign', { driverId });
    await moveShipment(server, shop, _id, 'pick_up');
    await moveShipment(server, shop, _id, 'deliver');
  }
}

/** Shipments that have ended and are erased: every third one, or each, was cancelled. */
async function makeErased(many: number, cancelledEvery = 3): Promise<Made[]> {
  const made: Made[] = [];
  for (let i = 0; i < many; i++) {
    const shipment = await create();
    await end(shipment, (i + 1) % cancelledEvery === 0 ? 'cancelled' : 'delivered');
    await eraseShipment(server, shop.id, shipment._id);
    made.push(shipment);
  }
  return made;
}

const archivedRows = async () => {
  const { rows } = await sql<{ archived: number; left: number; files: number }>`
    select (select count(*) from archived_shipments where account_id = ${shop.id}) as archived,
           (select count(*) from shipments where account_id = ${shop.id}) as left,
           (select count(*) from archive_files where account_id = ${shop.id}) as files`.execute(server.db);
  return rows[0];
};

describe('archived shipments', () => {
  test('every read of the API, the ledger and the audit give what they gave before', async () => {
    const made = await makeErased(7); // two files, and one shipment that stays
    const underWay = await create();
    const paths = [
      ...[...made, underWay].flatMap(({ _id, referenceNumber }) => [
        `/shipping/${_id}`,
        `/shipping/reference/${referenceNumber}`,
        `/shipping/tracking/${referenceNumber}`,
      ]),
      ...['', '?limit=2&page=1', '?limit=2&page=2', '?limit=3&page=3', '?status=delivered', '?status=cancelled'],
      ...[
        '?status=delivered&limit=2&page=2',
        '?status=delivered&limit=2&page=3',
        '?status=created',
        '?groupReference=x',
      ],
      ...['?from=2020-01-01', '?to=2020-01-01', '?status=cancelled&from=2020-01-01&limit=1'],
      ...['/labels', '/stats'],
    ].map((path) => (path.startsWith('/') && path.length > 10 ? path : `/shipping${path}`));
    const read = async () => {
      const answers: Record<string, unknown> = { account: (await server.call(shop, 'GET', '/account')).body };
      for (const path of paths) {
        const { status, body } = await server.call(shop, 'GET', path);
        answers[path] = { status, body };
        const cursor = body.pagination?.nextCursor;
        if (cursor)
          answers[`${path} next`] = (await server.call(shop, 'GET', `/shipping?cursor=${cursor}&limit=2`)).body;
      }
      return answers;
    };
    const ledger = () => listLedger(server.db, shop.id, {});
    await server.db.deleteFrom('label_files_to_delete').execute(); // as the hourly job does
    const before = { answers: await read(), ledger: await ledger() };
    expect(before.answers['/shipping/labels']).toMatchObject({ status: 200 });
    expect(await audit()).toEqual([]);

    expect(await archive()).toBe(6);
    expect(await archivedRows()).toEqual({ archived: 6, left: 2, files: 2 });
    expect(await read()).toEqual(before.answers);
    expect(await ledger()).toEqual(before.ledger);
    expect(await audit()).toEqual([]);
    expect(await archive()).toBe(0);
  });

  test('a document is the same text, byte for byte', async () => {
    const [made] = await makeErased(PER_FILE);
    const text = async () => {
      const headers = { authorization: `Bearer ${shop.key}`, 'x-client-id': shop.clientId };
      return (await fetch(`${server.url}/pro/api/v1/shipping/${made?._id}`, { headers })).text();
    };
    const before = await text();
    expect(before).toContain(made?.referenceNumber);
    await archive();
    expect(await text()).toBe(before);
  });

  test('a key still returns its shipment, cancelling behaves as before, and nobody else finds anything', async () => {
    const made = await makeErased(PER_FILE);
    const [delivered, , cancelled] = made as [Made, Made, Made];
    const { body: before } = await server.call(shop, 'GET', `/shipping/${cancelled._id}`);
    await archive();
    const headers = { 'x-idempotency-key': delivered.key };
    const replay = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(), headers });
    expect(replay).toMatchObject({ status: 200, body: { idempotent: true, shipping: { _id: delivered._id } } });
    expect((await server.call(shop, 'PUT', `/shipping/${delivered._id}/cancel`, { body: {} })).status).toBe(400);
    const again = await server.call(shop, 'PUT', `/shipping/${cancelled._id}/cancel`, { body: {} });
    expect(again).toMatchObject({ status: 200, body: { shipping: { updatedAt: before.shipping.updatedAt } } });

    const other = await server.createAccount({ paymentMode: 'deferred' });
    const conflict = await server.call(other, 'POST', '/shipping', { body: shipmentRequest(), headers });
    expect(conflict).toMatchObject({ status: 409, body: { error: 'IDEMPOTENCY_KEY_CONFLICT' } });
    for (const path of [
      `/shipping/${delivered._id}`,
      `/shipping/reference/${delivered.referenceNumber}`,
      `/shipping/tracking/${delivered.referenceNumber}`,
    ]) {
      expect((await server.call(other, 'GET', path)).status).toBe(404);
    }
    expect((await server.call(other, 'PUT', `/shipping/${cancelled._id}/cancel`, { body: {} })).status).toBe(404);
    expect((await server.call(other, 'GET', '/shipping')).body.shippings).toEqual([]);
  });

  test('their file names nobody: they are archived after their personal data was erased, never before', async () => {
    const made = await Promise.all([create(), create(), create()]);
    for (const shipment of made) await end(shipment, 'delivered');
    expect(await archive()).toBe(0);
    for (const { _id } of made.slice(0, 2)) await eraseShipment(server, shop.id, _id);
    expect(await archive()).toBe(0);
    await eraseShipment(server, shop.id, made[2]?._id ?? '');
    expect(await archive(undefined, inDays(AFTER_DAYS - 1))).toBe(0);
    expect(await archive()).toBe(PER_FILE);
    const [name] = await filesOf(shop);
    const text = gunzipSync(await readFile(pathOf(name ?? ''))).toString();
    expect(text).toContain(made[0]?.referenceNumber);
    const { deliveryAddress, notes } = shipmentRequest();
    for (const personal of [
      deliveryAddress.recipientName,
      deliveryAddress.street,
      deliveryAddress.phoneNumber,
      notes,
    ]) {
      expect(text).not.toContain(personal ?? made[0]?.key);
    }
    for (const { key } of made) expect(text).not.toContain(key);
  });

  test('a shipment under way keeps its file waiting, and those of a moved account or a test twin stay', async () => {
    await makeErased(2);
    await create();
    await makeErased(3);
    expect(await archive()).toBe(0);
    shop = await server.createAccount({ paymentMode: 'deferred' });
    await makeErased(PER_FILE);
    await sql`update accounts set moved_to = 'north' where id = ${shop.id}`.execute(server.db);
    shop = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
    await makeErased(PER_FILE, 1); // its drivers are robots
    expect(await archive()).toBe(0);
  });

  test('the figures of their day cannot be counted again', async () => {
    await makeErased(PER_FILE);
    const { timeZone } = server.config;
    await archive();
    await expect(rebuildDay(server.db, localDay(new Date(), timeZone), timeZone)).rejects.toThrow(RowsAreGone);
    await rebuildDay(server.db, localDay(inDays(1), timeZone), timeZone);
  });

  test('a link for the recipient is expired, as before', async () => {
    const [made] = await makeErased(PER_FILE);
    const link = `${server.url}/t/${signReference(server.config.linkSecrets, 'track', made?.referenceNumber ?? '')}`;
    const before = (await fetch(link)).status;
    await archive();
    expect([before, (await fetch(link)).status]).toEqual([410, 410]);
  });
});

describe('a crash or a change while archiving', () => {
  test('a row that changes after the file was written stays, and the file goes', async () => {
    const made = await makeErased(PER_FILE);
    const store = openProofStore(server.config);
    const changing: FileStore = {
      ...store,
      async write(...file) {
        await store.write(...file);
        await sql`update shipments set wrong_delivery_codes = 1 where id = ${made[0]?._id}`.execute(server.db);
      },
    };
    await expect(archive(changing)).rejects.toThrow('changed while they were archived');
    expect(await archivedRows()).toEqual({ archived: 0, left: PER_FILE, files: 0 });
    expect(await filesOf(shop)).toHaveLength(1);
    await deleteProofFiles(server.db, store, new Date(LATER.getTime() + 2 * 3_600_000));
    expect(await filesOf(shop)).toEqual([]);
    expect(await archive()).toBe(PER_FILE);
    expect(await filesOf(shop)).toHaveLength(1);
    await deleteProofFiles(server.db, store, new Date(LATER.getTime() + 2 * 3_600_000));
    expect(await filesOf(shop)).toHaveLength(1);
  });

  test('a file that the store does not take leaves every row', async () => {
    await makeErased(PER_FILE);
    const full: FileStore = { ...openProofStore(server.config), write: () => Promise.reject(new Error('disk full')) };
    await expect(archive(full)).rejects.toThrow('disk full');
    expect(await archivedRows()).toEqual({ archived: 0, left: PER_FILE, files: 0 });
  });

  test('a write that took so long that the file may be deleted is not relied on', async () => {
    await makeErased(PER_FILE);
    let late = LATER;
    const store = openProofStore(server.config);
    const slow: FileStore = {
      ...store,
      async write(...file) {
        await store.write(...file);
        late = new Date(LATER.getTime() + 45 * 60_000);
      },
    };
    const context = { db: server.db, store: slow, log: server.app.log };
    await expect(archiveShipments(context, AFTER_DAYS, () => late, PER_FILE)).rejects.toThrow('took too long');
    expect(await archivedRows()).toEqual({ archived: 0, left: PER_FILE, files: 0 });
  });

  test('`navette verify` names a file that is missing, a read of it fails, and a list is not silently shorter', async () => {
    const [made] = await makeErased(PER_FILE);
    await archive();
    const [name] = await filesOf(shop);
    await rm(pathOf(name ?? ''));
    expect((await server.call(shop, 'GET', `/shipping/${made?._id}`)).status).toBe(500);
    expect((await server.call(shop, 'GET', '/shipping')).status).toBe(500);
    const args = ['verify', '--since', new Date(Date.now() - 60_000).toISOString(), '--json'];
    const { stdout } = await runNavette(args, server.environment);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ source: 'files of archived shipments', missing: 1, examples: [name?.slice(3)] }),
    );
  });
});
