import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeStripe, startFakeStripe } from '../../../test/fake-stripe.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createStripeClient } from '../../adapters/stripe/stripe-client.ts';
import { addCredit } from '../ledger/index.ts';
import { topUpAccounts } from './top-up-accounts.handler.ts';

let stripe: FakeStripe;
let server: TestServer;
let owner: TestMember;
let accountId: string;
beforeAll(async () => {
  stripe = await startFakeStripe();
  server = await startTestServer(stripe.settings);
});
afterAll(async () => {
  await server.stop();
  await stripe.stop();
});
beforeEach(async () => {
  accountId = (await server.createAccount()).id;
  owner = await createTestMember(server, accountId);
});
afterEach(async () => {
  stripe.bankAnswers();
  await owner.call('stopAutomaticTopUp');
});

const run = (at = new Date()) => {
  const { secretKey, apiUrl } = server.config.stripe;
  const client = createStripeClient({ secretKey: secretKey ?? '', apiUrl, timeoutMs: 2_000 });
  const { db, jobs, app, config } = server;
  return topUpAccounts({ db, jobs, stripe: client, timeZone: config.timeZone, log: app.log }, at);
};
const ways = async () => (await owner.call('readPayments')).body;
const balance = async () => (await owner.call('readAccount')).body.account.balance;
const automatic = async () =>
  (await ways()).payments.filter(({ method }: { method: string }) => method === 'automatic');
const mails = async () => {
  const { rows } = await sql`
    select from pgboss.job where name = 'send-member-mail' and data ->> 'kind' = 'automatic-top-up-off'
      and data ->> 'about' = ${accountId}`.execute(server.db);
  return rows.length;
};

/** The owner pays 50 EUR, and lets the service take 50 more below 20. */
async function switchOn(): Promise<void> {
  const requestId = randomUUID();
  await owner.call('startTopUp', { body: { amount: 50, requestId, threshold: 20 } });
  await stripe.send(server.url, stripe.complete(stripe.sessionsOf(requestId)[0]?.id ?? '', 'card'));
  expect((await ways()).automatic).toMatchObject({ state: 'pending', threshold: 20, amount: 50 });
  await run();
  expect((await ways()).automatic).toMatchObject({ state: 'on', offReason: null });
}
const spend = (euros: number) => addCredit(server.db, accountId, -euros * 100, null);

test('below the limit the stored method pays, once; above it nothing is taken', async () => {
  await switchOn();
  await run();
  expect(await balance()).toBe(50);
  await spend(30);
  await run();
  expect(await balance()).toBe(20); // not below
  await spend(1);
  await Promise.all([run(), run(), run()]);
  await run();
  expect(await balance()).toBe(69);
  expect(await automatic()).toMatchObject([{ status: 'succeeded', amount: 50 }]);
});

test('a debit that is under way is the only one, and is credited when the bank confirms it', async () => {
  await switchOn();
  await spend(40);
  stripe.bankAnswers('debit');
  await run();
  await run();
  expect(await automatic()).toMatchObject([{ status: 'processing' }]);
  const intent = stripe.offSessionPayments.at(-1);
  Object.assign(intent ?? {}, { status: 'succeeded', amount_received: 5_000 });
  await stripe.send(server.url, stripe.event('payment_intent.succeeded', intent ?? {}));
  expect(await balance()).toBe(60);
});

test('a payment that Stripe cannot process holds up no other account, and is given up before Stripe forgets its key', async () => {
  await switchOn();
  await spend(40);
  stripe.bankAnswers('broken');
  await run();
  const first = { owner, accountId };
  accountId = (await server.createAccount()).id;
  owner = await createTestMember(server, accountId);
  await switchOn();
  await spend(40);
  await run();
  expect(await automatic()).toMatchObject([{ status: 'succeeded' }]);
  ({ owner, accountId } = first);
  expect(await automatic()).toMatchObject([{ status: 'open' }]);
  const taken = stripe.offSessionPayments.length;
  await run(new Date(Date.now() + 21 * 3_600_000));
  expect(await automatic()).toMatchObject([{ status: 'failed' }]);
  expect(stripe.offSessionPayments).toHaveLength(taken);
});

test('fifty payments that Stripe cannot process keep no other one waiting', async () => {
  await switchOn();
  await sql`
    insert into payments (id, account_id, method, status, amount_cents, created_at, updated_at)
    select gen_random_uuid(), ${accountId}, 'automatic', 'open', 5000, now() - interval '1 hour', now()
    from generate_series(1, 50)`.execute(server.db);
  stripe.bankAnswers(...Array.from({ length: 50 }, () => 'broken' as const));
  const first = accountId;
  accountId = (await server.createAccount()).id;
  owner = await createTestMember(server, accountId);
  await switchOn();
  await spend(40);
  for (let i = 0; i < 2; i++) await run();
  expect(await automatic()).toMatchObject([{ status: 'succeeded' }]);
  await sql`update payments set status = 'failed' where account_id = ${first} and status = 'open'`.execute(server.db);
});

test('an account that was closed before Stripe could be reached is not charged', async () => {
  await switchOn();
  await spend(40);
  stripe.bankAnswers('down');
  await run();
  const taken = stripe.offSessionPayments.length;
  await server.db.updateTable('accounts').set({ closed_at: new Date() }).where('id', '=', accountId).execute();
  await run();
  await server.db.updateTable('accounts').set({ closed_at: null }).where('id', '=', accountId).execute();
  expect(stripe.offSessionPayments).toHaveLength(taken);
  expect(await automatic()).toMatchObject([{ status: 'failed' }]);
});

test('at most three payments a day are taken', async () => {
  await switchOn();
  for (let i = 0; i < 5; i++) {
    await spend(60);
    await run();
  }
  expect(await automatic()).toHaveLength(3);
  await run(new Date(Date.now() + 86_400_000));
  expect(await automatic()).toHaveLength(4);
});

test.each([
  ['card_declined', 'refused'],
  ['authentication_required', 'authentication_required'],
])('a payment that the bank refuses (%s) switches it off, with one e-mail to each owner', async (code, offReason) => {
  await switchOn();
  await createTestMember(server, accountId, 'developer');
  await spend(40);
  stripe.bankAnswers({ code });
  await run();
  await run();
  expect((await ways()).automatic).toMatchObject({ state: 'off', offReason });
  expect(await automatic()).toMatchObject([{ status: 'failed' }]);
  expect([await balance(), await mails()]).toEqual([10, 1]);
  await switchOn(); // with another card
  expect((await ways()).automatic).toMatchObject({ state: 'on', offReason: null });
});

test('a debit that fails days later switches it off too', async () => {
  await switchOn();
  await spend(40);
  stripe.bankAnswers('debit');
  await run();
  const intent = { ...stripe.offSessionPayments.at(-1), status: 'requires_payment_method' };
  await stripe.send(server.url, stripe.event('payment_intent.payment_failed', intent));
  await run();
  expect((await ways()).automatic).toMatchObject({ state: 'off', offReason: 'refused' });
  expect(await mails()).toBe(1);
});

test('a debit that fails after the limit was changed switches it off all the same', async () => {
  await switchOn();
  await spend(40);
  stripe.bankAnswers('debit');
  await run();
  await owner.call('changeAutomaticTopUp', { body: { amount: 60, threshold: 25 } });
  const intent = { ...stripe.offSessionPayments.at(-1), status: 'requires_payment_method' };
  await stripe.send(server.url, stripe.event('payment_intent.payment_failed', intent));
  await run();
  expect((await ways()).automatic).toMatchObject({ state: 'off', offReason: 'refused', threshold: 25 });
  expect(await automatic()).toHaveLength(1);
});

test.each(['requires_action', 'requires_payment_method'])(
  'the event of a payment that a person must confirm (%s) may come before the answer to the request',
  async (status) => {
    await switchOn();
    await spend(40);
    stripe.bankAnswers('accept-and-hold');
    await run(); // the answer is lost
    const error = { last_payment_error: { code: 'authentication_required' } };
    const intent = { ...stripe.offSessionPayments.at(-1), ...error, status, amount_received: 0 };
    await stripe.send(server.url, stripe.event('payment_intent.payment_failed', intent));
    await run();
    expect((await ways()).automatic).toMatchObject({ state: 'off', offReason: 'authentication_required' });
  },
);

test('while Stripe does not answer, the payment waits, and is taken once afterwards', async () => {
  await switchOn();
  await spend(40);
  stripe.bankAnswers('down', 'down');
  await run();
  await run();
  expect([(await ways()).automatic.state, (await automatic()).length]).toEqual(['on', 1]);
  await run();
  expect(await balance()).toBe(60);
});

test('a payment whose answer is lost is found again: nothing is taken twice', async () => {
  await switchOn();
  await spend(40);
  const before = stripe.offSessionPayments.length;
  stripe.bankAnswers('accept-and-hold');
  await run();
  expect(await automatic()).toMatchObject([{ status: 'open' }]);
  await run();
  expect([await balance(), stripe.offSessionPayments.length - before]).toEqual([60, 1]);
});

test('a first payment that is not made leaves it off; only an owner may resume it', async () => {
  const requestId = randomUUID();
  await owner.call('startTopUp', { body: { amount: 50, requestId, threshold: 20 } });
  const operations = await createTestMember(server, accountId, 'operations');
  const resumed = { body: { amount: 50, requestId } };
  expect((await operations.call('startTopUp', resumed)).status).toBe(403);
  expect((await owner.call('startTopUp', resumed)).body.url).toBe(stripe.sessionsOf(requestId)[0]?.url);
  await stripe.send(server.url, stripe.expire(stripe.sessionsOf(requestId)[0]?.id ?? ''));
  await run();
  expect((await ways()).automatic).toMatchObject({ state: 'off', offReason: 'not_paid' });
});

test('only owners switch it on, change it and stop it; limits of amounts hold', async () => {
  await switchOn();
  const operations = await createTestMember(server, accountId, 'operations');
  const body = { amount: 50, requestId: randomUUID(), threshold: 20 };
  expect((await operations.call('startTopUp', { body })).body.error).toBe('ROLE_NOT_ALLOWED');
  expect((await operations.call('changeAutomaticTopUp', { body: { amount: 50, threshold: 1 } })).status).toBe(403);
  expect((await operations.call('stopAutomaticTopUp')).status).toBe(403);
  const wrong = await owner.call('changeAutomaticTopUp', { body: { amount: 9, threshold: 1 } });
  expect(wrong.body.error).toBe('TOP_UP_AMOUNT_REFUSED');
  await owner.call('changeAutomaticTopUp', { body: { amount: 75, threshold: 30 } });
  expect((await ways()).automatic).toMatchObject({ threshold: 30, amount: 75 });
  await owner.call('stopAutomaticTopUp');
  expect((await ways()).automatic).toMatchObject({ state: 'off', offReason: null });
  const off = await owner.call('changeAutomaticTopUp', { body: { amount: 75, threshold: 30 } });
  expect(off.body.error).toBe('AUTOMATIC_TOP_UP_OFF');
  const fraction = await owner.call('changeAutomaticTopUp', { body: { amount: 75, threshold: 30.001 } });
  expect(fraction.body.errors ?? fraction.body).toMatchObject([{ path: 'threshold' }]);
  await spend(50);
  await run();
  expect(await automatic()).toEqual([]);
});

describe('another card', () => {
  /** The owner starts a payment that stores another method. */
  async function replace(threshold = 30, amount = 60): Promise<string> {
    const requestId = randomUUID();
    await owner.call('startTopUp', { body: { amount, requestId, threshold } });
    return stripe.sessionsOf(requestId)[0]?.id ?? '';
  }
  const methodOf = () => stripe.offSessionPayments.at(-1)?.payment_method;
  const storedBy = (sessionId: string) =>
    stripe.intents.get(stripe.sessions.get(sessionId)?.payment_intent ?? '')?.payment_method;
  const stored = async () =>
    (
      await server.db
        .selectFrom('automatic_top_ups')
        .select('method_id')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
    )?.method_id;

  test('is used from its confirmation on; until then the present one pays', async () => {
    await switchOn();
    const first = await stored();
    const sessionId = await replace();
    expect((await ways()).automatic).toMatchObject({ state: 'on', threshold: 20, amount: 50, isReplacing: true });
    await spend(40);
    await run();
    expect([await balance(), methodOf()]).toEqual([60, first]);
    await stripe.send(server.url, stripe.complete(sessionId, 'card'));
    await run();
    expect((await ways()).automatic).toMatchObject({ state: 'on', threshold: 30, amount: 60, isReplacing: false });
    await spend(100);
    await run();
    expect([await balance(), methodOf()]).toEqual([80, storedBy(sessionId)]);
    expect(methodOf()).not.toBe(first);
  });

  test.each(['expired', 'refused'] as const)(
    'that is not confirmed (%s) leaves the present one in use',
    async (end) => {
      await switchOn();
      const first = await stored();
      const sessionId = await replace();
      if (end === 'refused') await stripe.send(server.url, stripe.complete(sessionId, 'debit'));
      await stripe.send(server.url, end === 'expired' ? stripe.expire(sessionId) : stripe.endDebit(sessionId, false));
      await run();
      expect((await ways()).automatic).toMatchObject({ state: 'on', threshold: 20, amount: 50, isReplacing: false });
      expect([await stored(), await mails()]).toEqual([first, 0]);
    },
  );

  test('switches on again when the present one fails before it is confirmed', async () => {
    await switchOn();
    const sessionId = await replace();
    await spend(40);
    stripe.bankAnswers({ code: 'card_declined' });
    await run();
    expect((await ways()).automatic).toMatchObject({ state: 'off', offReason: 'refused', isReplacing: true });
    await stripe.send(server.url, stripe.complete(sessionId, 'card'));
    await run();
    expect((await ways()).automatic).toMatchObject({ state: 'on', offReason: null, isReplacing: false });
    expect(await stored()).toBe(storedBy(sessionId));
  });

  test('waits while a payment with the present one is under way, so that nothing is taken twice', async () => {
    await switchOn();
    const first = await stored();
    const sessionId = await replace();
    await spend(40);
    stripe.bankAnswers('down');
    await run(); // no answer of Stripe
    await stripe.send(server.url, stripe.complete(sessionId, 'card'));
    await run(); // the same request again
    expect([methodOf(), await automatic()]).toMatchObject([first, [{ status: 'succeeded', amount: 50 }]]);
    await run();
    expect(await stored()).toBe(storedBy(sessionId));
  });

  test('is forgotten when a member stops automatic payments; a changed limit holds for it too', async () => {
    await switchOn();
    const sessionId = await replace();
    await owner.call('changeAutomaticTopUp', { body: { threshold: 5, amount: 80 } });
    await stripe.send(server.url, stripe.complete(sessionId, 'card'));
    await run();
    expect((await ways()).automatic).toMatchObject({ state: 'on', threshold: 5, amount: 80 });
    const other = await replace();
    await owner.call('stopAutomaticTopUp');
    await stripe.send(server.url, stripe.complete(other, 'card'));
    await run();
    expect((await ways()).automatic).toMatchObject({ state: 'off', isReplacing: false });
    expect(await stored()).toBe(null);
  });
});

test('after all of these every invariant of the audit holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
