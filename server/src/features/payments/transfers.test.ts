import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { createTestMember } from '../../../test/dashboard.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { readAccountReference } from './account-reference.ts';

let server: TestServer;
let accountant: TestStaff;
let second: TestStaff;
beforeAll(async () => {
  server = await startTestServer({ SELLER_IBAN: 'FR7630006000011234567890189', CONSOLE_TRANSFER_LIMIT: '1000' });
  second = await createTestStaff(server, 'admin');
});
afterAll(() => server.stop());

/** An accountant who has recorded nothing today, and a merchant. */
async function begin(name = 'Chez Paul') {
  accountant = await createTestStaff(server, 'accountant');
  const { id } = await server.createAccount({ name });
  return { id, reference: (await readAccountReference(server.db, id)) ?? '' };
}
const transfer = (payer: string, changes = {}) => ({
  payer,
  amount: 250,
  bankId: randomUUID(),
  receivedOn: '2026-01-15',
  ...changes,
});
const record = (body: object, staff = accountant) => staff.call('recordTransfer', { body });
const balanceOf = async (id: string) =>
  (await server.db.selectFrom('account_counters').select('balance_cents').where('account_id', '=', id).execute())[0]
    ?.balance_cents;
const ascending = (a = 0, b = 0) => a - b;
const actsOf = async (id: string) =>
  (await server.db.selectFrom('operator_acts').select(['act', 'details']).where('subject_id', '=', id).execute()).map(
    ({ act }) => act,
  );

describe('a bank transfer', () => {
  test('is found by its reference and credited at once, with a line in the log of acts', async () => {
    const { id, reference } = await begin();
    const found = await accountant.call('findPayer', { query: { payer: reference.toLowerCase() } });
    expect(found.body.merchant).toEqual({ id, name: 'Chez Paul', balance: 0 });
    const { status, body } = await record(transfer(reference, { bankId: 'bnp 0042 x', receivedOn: '2026-01-14' }));
    expect(status).toBe(201);
    expect(body.payment).toMatchObject({ status: 'succeeded', amount: 250, bankId: 'BNP0042X', isOwn: true });
    expect(await balanceOf(id)).toBe(25_000);
    expect(await actsOf(id)).toEqual(['payment.recorded']);
    const owner = await createTestMember(server, id);
    expect((await owner.call('listLedger')).body.entries).toMatchObject([{ amount: 250, note: 'Virement BNP0042X' }]);
    expect((await owner.call('readPayments')).body.payments).toMatchObject([{ method: 'transfer', amount: 250 }]);
  });

  test('that is recorded a second time, for anybody and at once, is refused with when it was recorded', async () => {
    const { id } = await begin();
    const other = await server.createAccount({ name: 'Autre' });
    const bankId = randomUUID();
    const payers = [id, other.id, id, other.id, id];
    const answers = await Promise.all(payers.map((payer) => record(transfer(payer, { bankId }))));
    expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([201, 409, 409, 409, 409]);
    const credited = [await balanceOf(id), await balanceOf(other.id)];
    expect(credited.toSorted(ascending)).toEqual([0, 25_000]);
    const refused = await record(transfer(id, { bankId: ` ${bankId.toUpperCase()} ` }));
    expect(refused.body).toMatchObject({ error: 'TRANSFER_KNOWN', amount: 250 });
    expect(Date.parse(refused.body.recordedAt)).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    ['a mistyped reference', { payer: 'NV222222' }, 409, 'NOT_POSSIBLE_NOW'],
    ['no account', { payer: randomUUID() }, 409, 'NOT_POSSIBLE_NOW'],
    ['a day in the future', { receivedOn: '2999-01-01' }, 409, 'NOT_POSSIBLE_NOW'],
    ['a fraction of a cent', { amount: 10.001 }, 400, undefined],
    ['nothing', { amount: 0 }, 400, undefined],
    ['a day that does not exist', { receivedOn: '2026-02-30' }, 400, undefined],
  ])('with %s is refused', async (_case, changes, status, error) => {
    const { id } = await begin();
    const answer = await record(transfer(id, changes));
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(await balanceOf(id)).toBe(0);
  });

  test('needs the permission for money', async () => {
    const { id } = await begin();
    for (const role of ['dispatcher', 'support'] as const) {
      const staff = await createTestStaff(server, role);
      expect((await record(transfer(id), staff)).status).toBe(403);
      expect((await staff.call('listConsolePayments')).status).toBe(403);
    }
  });

  test('of a test account is refused', async () => {
    const { id } = await begin();
    const owner = await createTestMember(server, id);
    await owner.call('switchMode', { body: { mode: 'test' } });
    const twin = await server.db
      .selectFrom('accounts')
      .select('id')
      .where('live_account_id', '=', id)
      .executeTakeFirst();
    expect((await record(transfer(twin?.id ?? ''))).body.why).toBe('payer_unknown');
  });
});

describe('above the limit of one person on one day', () => {
  test('a transfer waits for a second person, who is not the first, and is credited once', async () => {
    const { id } = await begin();
    expect((await record(transfer(id, { amount: 900 }))).body.payment.status).toBe('succeeded');
    const waiting = (await record(transfer(id, { amount: 101 }))).body.payment;
    expect(waiting).toMatchObject({ status: 'waiting', isOwn: true });
    expect(await balanceOf(id)).toBe(90_000);
    const decision = { params: { id: waiting.id }, body: { approve: true } };
    expect((await accountant.call('decideTransfer', decision)).body.error).toBe('OWN_REQUEST');
    const decided = await Promise.all([1, 2, 3].map(() => second.call('decideTransfer', decision)));
    expect(decided.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409, 409]);
    expect(await balanceOf(id)).toBe(100_100);
    expect(await actsOf(id)).toEqual(['payment.recorded', 'payment.proposed', 'payment.recorded']);
  });

  test('one that is rejected is not credited, and may be recorded again for the right account', async () => {
    const { id } = await begin();
    const bankId = randomUUID();
    const waiting = (await record(transfer(id, { amount: 2_000, bankId }))).body.payment;
    await second.call('decideTransfer', { params: { id: waiting.id }, body: { approve: false } });
    expect(await balanceOf(id)).toBe(0);
    const right = await server.createAccount();
    expect((await record(transfer(right.id, { amount: 2_000, bankId }))).status).toBe(201);
    const { body } = await second.call('listConsolePayments', { query: { account: id } });
    expect(body.payments).toMatchObject([{ status: 'rejected', isOwn: false }]);
  });
});

test('the console lists payments page by page, by account and status', async () => {
  const { id } = await begin();
  for (let i = 0; i < 52; i++) await record(transfer(id, { amount: 1 }));
  const first = (await accountant.call('listConsolePayments', { query: { account: id } })).body;
  const query = { account: id, status: 'succeeded' as const, cursor: first.nextCursor };
  const next = (await accountant.call('listConsolePayments', { query })).body;
  expect([first.payments.length, next.payments.length, next.nextCursor]).toEqual([50, 2, null]);
  expect(new Set([...first.payments, ...next.payments].map((payment) => payment.id)).size).toBe(52);
  const none = await accountant.call('listConsolePayments', { query: { account: 'x', cursor: 'y' } });
  expect(none.body.payments).toEqual([]);
});

test('`navette payment record` records a transfer once, and `payment list` shows it', async () => {
  const { id, reference } = await begin();
  const args = ['payment', 'record', '--payer', reference, '--amount', '75.50', '--bank-id', 'cli 1', '--json'];
  const done = await runNavette(args, server.environment);
  expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { account: 'Chez Paul', amount: 75.5 }]);
  const again = await runNavette(args, server.environment);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('transfer cli 1 was recorded on')]);
  expect(await balanceOf(id)).toBe(7_550);
  expect(await actsOf(id)).toEqual(['payment.recorded']);
  const listed = await runNavette(['payment', 'list', '--account', id, '--json'], server.environment);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ bankId: 'CLI1', amount: 75.5, account: 'Chez Paul' }]);
});

test('after all of these every invariant of the audit holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
