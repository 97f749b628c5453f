import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAfterDamage } from '../../../test/damage.ts';
import { createTestMember } from '../../../test/dashboard.ts';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { eraseShipment } from '../../../test/erase-shipment.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { workDone } from '../../../test/test-worker.ts';
import { withWorker } from '../../../test/with-worker.ts';
import type { Database } from '../../database/database.ts';
import { auditErasedKeys, auditOtherPersonalData, auditPersonalData } from './audit.ts';

let server: TestServer;
let accountId: string;
let [underWay, ended, erased] = ['', '', ''];
beforeAll(async () => {
  server = await startTestServer();
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  accountId = shop.id;
  const body = shipmentRequest({ externalReference: { orderId: '2041' } });
  const keyed = await server.call(shop, 'POST', '/shipping', { body, headers: { 'x-idempotency-key': 'order-2041' } });
  [underWay, ended, erased] = [(await ship(server, shop))._id, (await ship(server, shop))._id, keyed.body.shipping._id];
  await withWorker(server, async () => {
    await workDone(server);
    for (const id of [ended, erased]) await moveShipment(server, shop, id, 'cancel', { reason: 'x' });
    await workDone(server);
  });
  await eraseShipment(server, accountId, erased);
});
afterAll(() => server.stop());

const audit = async (db: Database) => [
  ...(await auditPersonalData(db, server.config, new Date())),
  ...(await auditOtherPersonalData(db, server.config, new Date())),
  ...(await auditErasedKeys(db)),
];
const brokenBy = (...damage: ReturnType<typeof sql>[]) => findAfterDamage(server, audit, damage);
const ago = (days: number) => new Date(Date.now() - days * 86_400_000);

const LONGEST = 'nothing of a shipment names a person longer than its retention';
const CODE = 'a delivery code goes in time after the shipment has ended, and never before';
const ERASED_HOLDS = 'an erased shipment holds nothing of a person';
const ELSEWHERE = 'what was erased with a shipment is in no other table';

test('the audit finds nothing in a valid database', async () => {
  expect((await audit(server.db)).filter(({ broken }) => broken > 0)).toEqual([]);
});

test('a shipment kept beyond the retention of the setting or of its account is reported', async () => {
  const old = sql`update shipments set cancelled_at = ${ago(399)}, delivery_code = null where id = ${ended}`;
  expect(await brokenBy(old)).toEqual({ [LONGEST]: [ended] });
  const younger = sql`update shipments set cancelled_at = ${ago(60)}, delivery_code = null where id = ${ended}`;
  expect(await brokenBy(younger)).toEqual({});
  const brief = sql`update accounts set retention_days = 45 where id = ${accountId}`;
  expect(await brokenBy(younger, brief)).toEqual({ [LONGEST]: [ended] });
});

test('a job that is one day late is not reported', async () => {
  const due = sql`update shipments set cancelled_at = ${ago(397)}, delivery_code = null where id = ${ended}`;
  expect(await brokenBy(due)).toEqual({});
});

test('a delivery code that was erased too late or too early is reported', async () => {
  expect(await brokenBy(sql`update shipments set cancelled_at = ${ago(33)} where id = ${ended}`)).toEqual({
    [CODE]: [ended],
  });
  expect(await brokenBy(sql`update shipments set delivery_code = null where id = ${underWay}`)).toEqual({
    [CODE]: [underWay],
  });
});

test('a shipment without changes for longer than the retention is reported', async () => {
  expect(await brokenBy(sql`update shipments set updated_at = ${ago(399)} where id = ${underWay}`)).toEqual({
    'a shipment ends, or changes at least, within the retention: cancel it or confirm its delivery': [underWay],
  });
});

test.each([
  ['nature', "'Livres'"],
  ['notes', "'Digicode'"],
  ['group_reference', "'G'"],
  ['order_id', "'1'"],
  ['shop_domain', "'x'"],
  ['external_reference_extra', `'{"gift":"x"}'`],
  ['metadata', `'{"a":1}'`],
  ['collection_contact', `'{"name":"x"}'`],
  ['delivery_code', "'123456'"],
  ['cancel_reason', "'x'"],
  ['cancelled_by', "'Zoé'"],
  ['delivery_reason', "'x'"],
  ['pickup_address', `'{"street":"1 rue de Rivoli"}'`],
  ['delivery_address', `'{"recipientName":"(effacé)","street":"(effacé)","phoneNumber":"06","email":"(effacé)"}'`],
])('%s of an erased shipment is named when it holds something', async (column, value) => {
  const damage = sql`update shipments set ${sql.ref(column)} = ${sql.raw(value)} where id = ${erased}`;
  expect(await brokenBy(damage)).toEqual({ [ERASED_HOLDS]: [erased] });
});

test.each([
  ['events', sql`update events set body = '{}'`],
  ['messages', sql`update messages set erased_at = null`],
  [
    'recipient_notes',
    sql`insert into recipient_notes select account_id, id, 'Code 1234', now() from shipments where personal_data_erased_at is not null`,
  ],
  [
    'recipient_reports',
    sql`insert into recipient_reports select account_id, id, id, 'other', 'Abîmé', now() from shipments where personal_data_erased_at is not null`,
  ],
  ['shipment_keys', sql`update shipment_keys set field = 2 where field = 1`],
])('%s that still hold what was erased are named', async (table, damage) => {
  const found = await brokenBy(damage);
  expect(Object.keys(found)).toEqual([ELSEWHERE]);
  expect(new Set(found[ELSEWHERE])).toEqual(new Set([`${erased} in ${table}`]));
});

test('the idempotency key of an erased shipment that is not a hash is reported', async () => {
  expect(await brokenBy(sql`update idempotency_keys set key = 'order of Camille'`)).toEqual({
    'the idempotency key of an erased shipment is a hash': [erased],
  });
});

test('places of a driver’s commands for an erased shipment are reported, and commands kept longer than 90 days', async () => {
  const driver = await createTestDriver(server.db);
  const insert = (shipment: string, days: number) => sql`
    insert into driver_commands (driver_id, command_id, name, shipment_id, received_at, latitude, longitude)
    values (${driver.id}, 'deliver-1', 'deliver', ${shipment}, ${ago(days)}, 48.85, 2.35)`;
  expect(await brokenBy(insert(ended, 1))).toEqual({});
  expect(await brokenBy(insert(erased, 1))).toEqual({ [ELSEWHERE]: [`${erased} in driver_commands`] });
  expect(await brokenBy(insert(ended, 91))).toEqual({});
  expect(await brokenBy(insert(ended, 93))).toEqual({
    'no command of a driver is kept longer than 90 days': [`${driver.id} deliver-1`],
  });
});

test('a free-text reason that was not erased is reported', async () => {
  const typed = sql`
    insert into dispatch_decisions (account_id, shipment_id, kind, at, details)
    values (${accountId}, ${erased}, 'abandoned', now(), '{"reason": "Camille n’est pas là"}')`;
  expect(await brokenBy(typed)).toEqual({ [ELSEWHERE]: [`${erased} in dispatch_decisions`] });
});

test('a requested erasure that did not happen and a label file that still exists are reported', async () => {
  const receipt = sql`
    insert into erasure_receipts (id, at, subject_kind, subject_hash, reason, "system_user", counts)
    values (${ended}, now(), 'email', 'x', 'x', 'x', '{}')`;
  const request = sql`insert into erasure_requests values (${accountId}, ${ended}, ${ended})`;
  const past = sql`update shipments set cancelled_at = ${ago(3)} where id = ${ended}`;
  expect(await brokenBy(receipt, request)).toEqual({});
  expect(await brokenBy(receipt, request, past)).toEqual({
    'a person who asked to be erased is, once their shipments have ended': [ended],
  });
  expect(await brokenBy(sql`update label_files_to_delete set erased_at = ${ago(3)}`)).toEqual({
    'the label of an erased shipment is deleted': [expect.stringMatching(/^[A-Z0-9]{10}$/)], // not the secret name
  });
});

test('messages, imports, webhook logs, geocoder results and former drivers kept too long are reported', async () => {
  const driver = await createTestDriver(server.db);
  const event = '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60'; // of 2024
  const found = await brokenBy(
    sql`update messages set created_at = ${ago(33)}`,
    sql`insert into imports (account_id, id, filename, content_hash, state, delimiter, columns, lines, good, amount_cents, created_at)
        values (${accountId}, ${event}, 'x.csv', '', 'done', ';', '[]', 0, 0, 0, ${ago(33)})`,
    sql`insert into webhook_attempts (account_id, event_id, webhook_id, attempt, started_at)
        values (${accountId}, ${event}, ${event}, 1, ${ago(33)})`,
    sql`insert into geocoded_addresses values ('\\x01', 1, 1, 'address', ${ago(183)})`,
    sql`insert into member_acts (account_id, id, at, act) values (${accountId}, ${event}, ${ago(1098)}, 'key-created')`,
    sql`update drivers set disabled_at = ${ago(399)} where id = ${driver.id}`,
  );
  expect(found).toMatchObject({
    'no message keeps its recipient and text longer than MESSAGE_RETENTION_DAYS': expect.any(Array),
    'no import keeps its lines longer than 30 days': [event],
    'no answer of a webhook is kept longer than 30 days': [event],
    'no answer of the geocoder is kept longer than 180 days': ['01'],
    'no entry of a security log is kept longer than three years': [event],
    'a driver who left is forgotten after the retention': [driver.id],
  });
  const { id } = await createTestMember(server, accountId);
  expect(await brokenBy(sql`update accounts set closed_at = ${ago(399)}`)).toEqual({
    'nobody is a member of an account that was closed longer ago than the retention': [id],
  });
});
