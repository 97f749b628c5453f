import { ERASED } from '@navette/contract';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestMember } from '../../../test/dashboard.ts';
import { ship, shipMany } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { holdUpdates } from '../../../test/lock-waits.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { runNavette, startNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { openLabelStore, openProofStore } from '../../adapters/files/open-file-store.ts';
import type { Config } from '../../config.ts';
import { firstIdAt } from '../../database/uuid.ts';
import { erasePersonalDataJob } from '../../jobs/definitions.ts';
import { type AccountInput, checkRetention, closeAccount, readAccount, updateAccount } from '../accounts/index.ts';
import { disableDriver } from '../drivers/index.ts';
import { auditErasedKeys, auditPersonalData } from './audit.ts';
import { erasePersonalData } from './erase-personal-data.handler.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Runs the job as if this many days had passed. */
async function eraseInDays(days: number, settings: Partial<Config> = {}, on: Partial<TestServer> = {}) {
  const { db, jobs, config } = { ...server, ...on };
  const { log } = server.app;
  const stores = { labels: openLabelStore(config), proofs: openProofStore(config) };
  const erasing = { db, jobs, stores, config: { ...config, ...settings }, registry: new Registry(), log };
  await erasePersonalData(erasing, () => inDays(days))();
}

async function cancelled(shop: TestAccount): Promise<string> {
  const { _id } = await ship(server, shop);
  await moveShipment(server, shop, _id, 'cancel');
  return _id;
}
const read = (id: string) =>
  server.db.selectFrom('shipments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const isErased = async (id: string) => (await read(id)).personal_data_erased_at !== null;

describe('a delivery code', () => {
  test('is erased 30 days after the end, and nothing else with it; one of a shipment in progress stays', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const [ended, underWay] = [await cancelled(shop), (await ship(server, shop))._id];
    await eraseInDays(29);
    expect((await read(ended)).delivery_code).toMatch(/^\d{6}$/);
    await eraseInDays(31);
    expect(await read(ended)).toMatchObject({
      delivery_code: null,
      personal_data_erased_at: null,
      delivery_address: { recipientName: 'Camille Durand' },
    });
    expect((await read(underWay)).delivery_code).toMatch(/^\d{6}$/);
  });
});

describe('a shipment', () => {
  test('is erased after SHIPMENT_RETENTION_DAYS, whose default is thirteen months, and not a day earlier', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const id = await cancelled(shop);
    await eraseInDays(395);
    expect(await isErased(id)).toBe(false);
    await eraseInDays(397);
    expect(await isErased(id)).toBe(true);
  });

  test('is erased earlier if its account has a shorter retention, never later than the setting', async () => {
    const [brief, patient, plain] = await Promise.all(
      [45, 300, null].map((retentionDays) => server.createAccount({ paymentMode: 'deferred', retentionDays })),
    );
    const ids = await Promise.all([brief, patient, plain].map((shop) => cancelled(shop as TestAccount)));
    const erased = () => Promise.all(ids.map(isErased));
    await eraseInDays(44);
    expect(await erased()).toEqual([false, false, false]);
    await eraseInDays(46);
    expect(await erased()).toEqual([true, false, false]);
    await eraseInDays(91, { shipmentRetentionDays: 90 });
    expect(await erased()).toEqual([true, true, true]);
  });

  test('keeps updated_at and its history, and its erasure publishes no event', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const id = await cancelled(shop);
    const { updated_at, status_history, cancelled_at, price_cents } = await read(id);
    await eraseInDays(400);
    expect(await read(id)).toMatchObject({ updated_at, status_history, cancelled_at, price_cents });
    const events = await server.db
      .selectFrom('events')
      .select(['type', 'body'])
      .where('shipment_id', '=', id)
      .execute();
    expect(events.map(({ type }) => type).sort()).toEqual(['shipping.cancelled', 'shipping.created']);
    expect(events.map(({ body }) => body)).toEqual([null, null]);
  });

  test('is erased with the places of its steps, and other shipments keep theirs', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred', retentionDays: 45 });
    const driver = await createTestDriver(server.db);
    const [erased, other] = [await cancelled(shop), (await ship(server, shop))._id];
    const command = { driver_id: driver.id, name: 'pickUp', received_at: new Date(), latitude: 48.85, longitude: 2.35 };
    const commands = [erased, other].map((id) => ({ ...command, command_id: id, shipment_id: id }));
    await server.db.insertInto('driver_commands').values(commands).execute();
    await eraseInDays(46);
    const places = await server.db
      .selectFrom('driver_commands')
      .select(['shipment_id', 'latitude', 'longitude'])
      .where('driver_id', '=', driver.id)
      .orderBy('latitude', (order) => order.asc().nullsFirst())
      .execute();
    expect(places).toEqual([
      { shipment_id: erased, latitude: null, longitude: null },
      { shipment_id: other, latitude: 48.85, longitude: 2.35 },
    ]);
  });

  test('that never ends is not erased: the audit reports it', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const { _id: id } = await ship(server, shop);
    await eraseInDays(500);
    expect(await isErased(id)).toBe(false);
    const findings = await auditPersonalData(server.db, server.config, inDays(500));
    const finding = findings.find(({ invariant }) => invariant.startsWith('a shipment ends, or changes'));
    expect(finding?.examples).toContain(id);
  });
});

describe('retentionDays of an account', () => {
  const change = async (id: string, retentionDays: unknown) => {
    const input = { retentionDays } as AccountInput;
    checkRetention(input, server.config.shipmentRetentionDays);
    await updateAccount(server.db, id, input, { locate: async () => null });
    return (await readAccount(server.db, id))?.retentionDays;
  };

  test('may be up to the setting, and null for the setting itself', async () => {
    const { id } = await server.createAccount();
    for (const days of [30, 60, 396, null]) expect(await change(id, days)).toBe(days);
  });

  test.each([397, 29, 45.5, '60'])('may not be %s', async (days) => {
    const { id } = await server.createAccount();
    await expect(change(id, days)).rejects.toThrow('retentionDays');
    expect((await readAccount(server.db, id))?.retentionDays).toBe(null);
  });

  test('is set, printed and validated by `navette account update`', async () => {
    const { id } = await server.createAccount();
    const update = (retentionDays: number) =>
      runNavette(
        ['account', 'update', id, '--input', '-', '--json'],
        server.environment,
        JSON.stringify({ retentionDays }),
      );
    const { code, stdout } = await update(60);
    expect([code, JSON.parse(stdout).retentionDays]).toEqual([0, 60]);
    expect(await update(397)).toMatchObject({ code: 2, stderr: expect.stringContaining('SHIPMENT_RETENTION_DAYS') });
  });
});

describe('beside shipments', () => {
  test('a disabled driver is erased after the retention; the id stays', async () => {
    const [gone, still] = [await createTestDriver(server.db), await createTestDriver(server.db)];
    await disableDriver(server.db, gone.id);
    const find = (id: string) =>
      server.db.selectFrom('drivers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await eraseInDays(395);
    expect(await find(gone.id)).toMatchObject({ first_name: 'Ana', email: gone.email });
    await eraseInDays(397);
    expect(await find(gone.id)).toMatchObject({ first_name: ERASED, phone_number: ERASED, email: null });
    expect(await find(still.id)).toMatchObject({ first_name: 'Ana', email: still.email });
  });

  test('members of a closed account are deleted after the retention, those of open accounts stay', async () => {
    const [closed, open] = [await server.createAccount(), await server.createAccount()];
    const [left, stays] = [await createTestMember(server, closed.id), await createTestMember(server, open.id)];
    const { key } = (await left.call('createKey', { body: { name: 'Shop', scopes: ['read'] } })).body;
    await left.call('revokeKey', { params: { id: key.id } });
    await closeAccount(server.db, closed.id);
    const members = async () => {
      const rows = await server.db.selectFrom('members').select('id').where('id', 'in', [left.id, stays.id]).execute();
      return rows.map(({ id }) => id).sort();
    };
    await eraseInDays(395);
    expect(await members()).toEqual([left.id, stays.id].sort());
    await eraseInDays(397);
    expect(await members()).toEqual([stays.id]);
    const kept = await server.db.selectFrom('api_keys').selectAll().where('id', '=', key.id).executeTakeFirst();
    expect(kept).toMatchObject({ name: 'Shop', created_by: null, revoked_by: null });
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${left.email}|${left.id}|Zoé`));
  });

  test('an entry of the security log is deleted after three years; the database refuses it earlier', async () => {
    const { id: accountId } = await server.createAccount();
    const enter = async (days: number) => {
      const [id, at] = [firstIdAt(inDays(-days)), inDays(-days)];
      await server.db.insertInto('member_acts').values({ account_id: accountId, id, at, act: 'key-created' }).execute();
      return id;
    };
    const [old, young] = [await enter(1_096), await enter(1_094)];
    await eraseInDays(0);
    const left = await server.db.selectFrom('member_acts').select('id').where('id', 'in', [old, young]).execute();
    expect(left).toEqual([{ id: young }]);
    for (const forged of [
      sql`delete from member_acts`,
      sql`update member_acts set act = 'x'`,
      sql`truncate member_acts`,
    ])
      await expect(forged.execute(server.db)).rejects.toThrow('append-only');
  });

  test('the label of an erased shipment is deleted an hour later, even if it was stored meanwhile', async () => {
    const store = openLabelStore(server.config);
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    const { _id: id, pdfUrl } = body.shipping;
    const name = pdfUrl.replace('/pdfs/', '');
    await server.call(shop, 'POST', `/shipping/${id}/view-link`);
    const drawn = await store.read(name);
    expect(drawn).not.toBe(null);
    await moveShipment(server, shop, id, 'cancel');
    await eraseInDays(400);
    await store.write(name, drawn as Buffer); // by somebody who had begun to draw it before
    await eraseInDays(400 + 2 / 24);
    expect(await store.read(name)).toBe(null);
    const left = await server.db.selectFrom('label_files_to_delete').selectAll().execute();
    expect(left).toEqual([]);
  });

  test('a label whose deletion fails is deleted by the next run', async () => {
    const name = `bordereau_X_${'0'.repeat(32)}.pdf`;
    const erasedAt = inDays(-1);
    await server.db.insertInto('label_files_to_delete').values({ file_name: name, erased_at: erasedAt }).execute();
    const unreachable = { ...server.config, labelStore: 'http://127.0.0.1:9/labels' };
    await expect(eraseInDays(0, {}, { config: unreachable })).rejects.toThrow('fetch failed');
    expect(await server.db.selectFrom('label_files_to_delete').select('file_name').execute()).toEqual([
      { file_name: name },
    ]);
    await eraseInDays(0);
    expect(await server.db.selectFrom('label_files_to_delete').selectAll().execute()).toEqual([]);
  });
});

describe('killed in the middle', () => {
  test('every shipment is erased in all tables or in none, and the next worker erases the rest', async () => {
    const own = await startTestServer();
    const shop = await own.createAccount({ paymentMode: 'deferred' });
    for (let i = 0; i < 8; i++) await shipMany(own, shop, 500);
    const old = inDays(-400);
    await sql`update shipments set cancelled_at = ${old}, status = 'cancelled'`.execute(own.db);
    await sql`delete from pgboss.job where name = 'follow-change'`.execute(own.db); // no notifications needed
    const erased = async () => {
      const { rows } = await sql<{
        erased: number;
      }>`select count(personal_data_erased_at)::int as erased from shipments`.execute(own.db);
      return rows[0]?.erased ?? 0;
    };
    const ask = () => own.db.transaction().execute((tx) => own.jobs.send(tx, erasePersonalDataJob, {}));
    try {
      const held = await holdUpdates(own.db, 'shipments', 4_000 + 1_200); // codes are erased first
      const first = await startNavette(['worker'], own.environment);
      await ask();
      await held.reached();
      await first.kill();
      await held.release();
      expect(await erased()).toBe(1_000);
      const whole = async () =>
        [...(await auditPersonalData(own.db, own.config, new Date())), ...(await auditErasedKeys(own.db))].filter(
          ({ invariant, broken }) => broken > 0 && /erased/.test(invariant),
        );
      expect(await whole()).toEqual([]);
      const second = await startNavette(['worker'], own.environment);
      await ask();
      await vi.waitFor(async () => expect(await erased()).toBe(4_000), { timeout: 240_000, interval: 200 });
      await second.stop();
      expect(await whole()).toEqual([]);
      const { rows } = await sql`select from events where body is not null`.execute(own.db);
      expect(rows).toEqual([]);
    } finally {
      await own.stop();
    }
  });
});
