import { randomUUIDv7 } from 'node:crypto';
import { CONSOLE_SLUGS, type ConsoleErrorSlug } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { auditOperatorActs } from '../staff/index.ts';

let server: TestServer;
let account: TestAccount;
let driverId: string;
let [first, second, third]: TestStaff[] = [];
beforeAll(async () => {
  server = await startTestServer({ CONSOLE_CREDIT_LIMIT: '100', CONSOLE_CONFIRMATIONS_PER_DAY: '2' });
  account = await server.createAccount();
  driverId = (await createTestDriver(server.db)).id;
  [first, second, third] = await Promise.all(
    ['Ana', 'Bob', 'Cléo'].map((name) => createTestStaff(server, 'admin', { name })),
  );
});
afterAll(() => server.stop());

const refused = (slug: ConsoleErrorSlug, more: object = {}) =>
  expect.objectContaining({
    status: CONSOLE_SLUGS[slug].status,
    body: expect.objectContaining({ success: false, error: slug, ...more }),
  });
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const staff = (who: TestStaff | undefined): TestStaff => who ?? expect.fail('no staff');
const credits = async () => {
  const rows = await server.db
    .selectFrom('ledger_entries')
    .select(['amount_cents as amountCents', 'note'])
    .where('account_id', '=', account.id)
    .where('kind', '=', 'credit')
    .orderBy('entry')
    .execute();
  return rows.map(({ amountCents, note }) => `${amountCents} ${note}`);
};
const credit = (who: TestStaff | undefined, amount: number, reason: string, requestId: string = randomUUIDv7()) =>
  staff(who).call('creditAccount', { params: { id: account.id }, body: { amount, reason, requestId } });
const decide = (who: TestStaff | undefined, id: string, approve: boolean) =>
  staff(who).call('decideApproval', { params: { id }, body: { approve } });
const waiting = async () => (await staff(first).call('listApprovals')).body.approvals;

/** A shipment that a driver has, with the version that the console shows. */
async function onTheRoad() {
  const { _id: id } = await ship(server, account);
  await moveShipment(server, account, id, 'assign', { driverId, payCents: 0 });
  await moveShipment(server, account, id, 'pick_up');
  const { body } = await staff(first).call('listAssignableDrivers', { params: { id } });
  return { id, version: String(body.shipment.version) };
}
const confirm = (who: TestStaff | undefined, { id, version }: { id: string; version: string }) =>
  staff(who).call('confirmDelivery', { params: { id }, body: { reason: 'confirmed by phone', version } });
const statusOf = async (id: string) =>
  (await server.db.selectFrom('shipments').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

describe('a credit', () => {
  test('within the limit is applied at once, and once when it is sent again, also at the same moment', async () => {
    const id = randomUUIDv7();
    const answers = await Promise.all([1, 2, 3].map(() => credit(first, 100, 'within', id)));
    for (const { status, body } of answers) expect([status, body.approvalId]).toEqual([200, null]);
    expect((await credits()).filter((entry) => entry.endsWith('within'))).toEqual(['10000 within']);
    expect(await credit(first, 99, 'within', id)).toEqual(refused('NOT_POSSIBLE_NOW'));
    expect(await credit(second, 100, 'within', id)).toEqual(refused('NOT_POSSIBLE_NOW'));
  });

  test('above the limit waits for a second person, never the one who asked, and is applied once', async () => {
    const { status, body } = await credit(first, 100.01, 'above');
    expect(status).toBe(202);
    expect(await credits()).not.toContain('10001 above');
    expect(await waiting()).toMatchObject([
      { id: body.approvalId, act: 'account.credited', amount: 100.01, requestedBy: { name: 'Ana' } },
    ]);
    expect(await decide(first, body.approvalId, true)).toEqual(refused('OWN_REQUEST'));
    const answers = await Promise.all([second, third].map((who) => decide(who, body.approvalId, true)));
    expect(statusesOf(answers)).toEqual([200, 409]);
    const loser = answers.find((answer) => answer.status === 409);
    expect(loser?.body).toMatchObject({ error: 'CHANGED_MEANWHILE', change: 'approval.approved' });
    expect(['Bob', 'Cléo']).toContain(loser?.body.by);
    expect((await credits()).filter((entry) => entry === '10001 above')).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  test('that the second person declines changes nothing, and cannot be approved afterwards', async () => {
    const { body } = await credit(first, 500, 'declined');
    expect(await decide(second, body.approvalId, false)).toMatchObject({ status: 200 });
    expect(await decide(third, body.approvalId, true)).toEqual(refused('CHANGED_MEANWHILE', { by: 'Bob' }));
    expect(await credits()).not.toContain('50000 declined');
  });

  test('with more than two decimals, or for an unknown account, is refused', async () => {
    expect(await credit(first, 1.005, 'fractions')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'amount' }] },
    });
    const body = { amount: 1, reason: 'x', requestId: randomUUIDv7() };
    const id = randomUUIDv7();
    expect(await staff(first).call('creditAccount', { params: { id }, body })).toMatchObject({ status: 404 });
  });

  test('is approved only by a role that may credit', async () => {
    const { body } = await credit(first, 600, 'role');
    const dispatcher = await createTestStaff(server, 'dispatcher');
    expect(await decide(dispatcher, body.approvalId, true)).toEqual(refused('ROLE_NOT_ALLOWED', { needs: 'money' }));
    expect(await decide(second, body.approvalId, false)).toMatchObject({ status: 200 });
  });
});

test('several credits of one person count together', async () => {
  const person = await createTestStaff(server, 'accountant');
  expect(await credit(person, 60, 'first part')).toMatchObject({ status: 200 });
  const { status, body } = await credit(person, 60, 'second part');
  expect(status).toBe(202);
  expect(await decide(second, body.approvalId, false)).toMatchObject({ status: 200 });
  expect(await credit(person, 40, 'the rest')).toMatchObject({ status: 200 });
});

describe('a confirmation without a code', () => {
  test('is done at once up to the limit of a day, then waits for a second person; the next day starts at zero', async () => {
    const person = await createTestStaff(server, 'dispatcher', { name: 'Dan' });
    const parcels = await Promise.all(Array.from({ length: 4 }, onTheRoad));
    const answers = await Promise.all(parcels.map((parcel) => confirm(person, parcel)));
    expect(statusesOf(answers)).toEqual([200, 200, 202, 202]);
    const held = parcels.filter((_, i) => answers[i]?.status === 202);
    for (const { id } of held) expect(await statusOf(id)).toBe('picked_up');
    const [approve, decline] = answers.filter(({ status }) => status === 202).map(({ body }) => body.approvalId);
    expect(await decide(person, approve, true)).toEqual(refused('OWN_REQUEST'));
    expect(await decide(second, approve, true)).toMatchObject({ status: 200 });
    expect(await decide(second, decline, false)).toMatchObject({ status: 200 });
    expect(await Promise.all(held.map(({ id }) => statusOf(id)))).toEqual(['delivered', 'picked_up']);
    server.setNow(new Date(Date.now() + 26 * 3_600_000)); // longer than any day
    await server.db
      .updateTable('staff_sessions')
      .set({ expires_at: new Date(Date.now() + 3 * 86_400_000) })
      .execute();
    await server.db
      .updateTable('staff_sessions')
      .set({ last_seen_at: new Date(Date.now() + 26 * 3_600_000 - 400_000) })
      .execute();
    expect(await confirm(person, await onTheRoad())).toMatchObject({ status: 200 });
    server.setNow(null);
    await server.db.updateTable('staff_sessions').set({ last_seen_at: new Date() }).execute();
  });

  test('of a version that has changed is refused with the name of the person who was first', async () => {
    const parcel = await onTheRoad();
    expect(await confirm(third, parcel)).toMatchObject({ status: 200, body: { shipment: { status: 'delivered' } } });
    expect(await confirm(first, parcel)).toEqual(
      refused('CHANGED_MEANWHILE', { by: 'Cléo', change: 'shipment.delivery_confirmed' }),
    );
  });

  test('that waits and is overtaken by another act cannot be applied any more', async () => {
    const person = await createTestStaff(server, 'dispatcher', { name: 'Eve' });
    for (let i = 0; i < 2; i++) expect(await confirm(person, await onTheRoad())).toMatchObject({ status: 200 });
    const parcel = await onTheRoad();
    const { body } = await confirm(person, parcel);
    expect(await confirm(person, parcel)).toMatchObject({ status: 202, body: { approvalId: body.approvalId } });
    await moveShipment(server, account, parcel.id, 'depart');
    expect(await decide(second, body.approvalId, true)).toEqual(refused('CHANGED_MEANWHILE'));
    expect(await statusOf(parcel.id)).toBe('in_transit');
    expect(await decide(second, body.approvalId, false)).toMatchObject({ status: 200 });
  });
});

test('every act and decision is in the log, whose chain holds', async () => {
  const { body } = await staff(first).call('listOperatorActs', { query: { subjectId: account.id } });
  expect(new Set(body.acts.map(({ act }: { act: string }) => act))).toEqual(
    new Set(['account.credited', 'approval.requested', 'approval.declined']),
  );
  expect(await auditOperatorActs(server.db)).toMatchObject([{ broken: 0 }]);
});
