import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeStripe, startFakeStripe } from '../../../test/fake-stripe.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createStripeClient } from '../../adapters/stripe/stripe-client.ts';
import { reconcilePayments } from './reconcile-payments.handler.ts';

const REASON = 'The bank took one euro off.';

let stripe: FakeStripe;
let server: TestServer;
let accountId: string;
let owner: TestMember;
let accountant: TestStaff;
let second: TestStaff;
beforeAll(async () => {
  stripe = await startFakeStripe();
  server = await startTestServer({ ...stripe.settings, CONSOLE_TRANSFER_LIMIT: '100' });
  second = await createTestStaff(server, 'admin');
});
afterAll(async () => {
  await server.stop();
  await stripe.stop();
});

/** A payment of which Stripe received another amount than asked for. */
async function begin(asked = 50, receivedCents = 4_900) {
  accountant = await createTestStaff(server, 'accountant');
  accountId = (await server.createAccount()).id;
  owner = await createTestMember(server, accountId);
  const id = randomUUID();
  await owner.call('startTopUp', { body: { amount: asked, requestId: id } });
  const sessionId = stripe.sessionsOf(id)[0]?.id ?? '';
  const event = stripe.complete(sessionId, 'card', receivedCents);
  expect((await stripe.send(server.url, event)).status).toBe(200);
  expect(await stateOf(id)).toMatchObject({ status: 'review', amount: asked });
  return { id, sessionId, event, received: receivedCents / 100 };
}
const stateOf = async (id: string) => (await owner.call('readPayment', { params: { id } })).body.payment;
const balance = async () => (await owner.call('readAccount')).body.account.balance;
const decide = (id: string, body: object, staff = accountant) =>
  staff.call('decideReview', { params: { id }, body: { reason: REASON, ...body } });
const acts = async () =>
  (
    await server.db
      .selectFrom('operator_acts')
      .select(['act', 'reason'])
      .where('subject_id', '=', accountId)
      .orderBy('number')
      .execute()
  ).map(({ act, reason }) => [act, reason]);
const reconcile = (at: Date) => {
  const { secretKey, apiUrl } = server.config.stripe;
  const client = createStripeClient({ secretKey: secretKey ?? '', apiUrl, timeoutMs: 2_000 });
  return reconcilePayments({ db: server.db, stripe: client, log: server.app.log }, at);
};

describe('a payment in review', () => {
  test('that a person settles credits what was received, once, with the reason in the log of acts', async () => {
    const { id, event, received } = await begin();
    const listed = await accountant.call('listConsolePayments', { query: { status: 'review', account: accountId } });
    expect(listed.body.payments).toMatchObject([{ id, amount: 50, received: { amount: 49, currency: 'EUR' } }]);
    const decided = await Promise.all([1, 2, 3].map(() => decide(id, { approve: true, received })));
    expect(decided.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded', amount: 49 });
    expect(await balance()).toBe(49);
    expect(await acts()).toEqual([['payment.review_settled', REASON]]);
    await stripe.send(server.url, { ...event, id: 'evt_of_a_repetition' });
    expect([(await stateOf(id)).status, await balance()]).toEqual(['succeeded', 49]);
  });

  test('that a person rejects credits nothing, also when the same news comes again', async () => {
    const { id, event, received } = await begin();
    expect((await decide(id, { approve: false, received })).body.payment.status).toBe('rejected');
    expect(await acts()).toEqual([['payment.review_rejected', REASON]]);
    await stripe.send(server.url, { ...event, id: 'evt_again_after_the_rejection' });
    expect([(await stateOf(id)).status, await balance()]).toEqual(['rejected', 0]);
    expect((await decide(id, { approve: true, received })).body.error).toBe('CHANGED_MEANWHILE');
  });

  test('that was rejected returns to the review when other money arrives, even the right amount', async () => {
    const { id, sessionId, received } = await begin();
    await decide(id, { approve: false, received });
    await stripe.send(server.url, stripe.complete(sessionId, 'card', 5_000));
    expect([(await stateOf(id)).status, await balance()]).toEqual(['review', 0]);
    expect((await decide(id, { approve: true, received: 50 })).status).toBe(200);
    expect(await balance()).toBe(50);
  });

  test('is not decided with an amount that the person did not see, nor without a reason, nor by everybody', async () => {
    const { id, received } = await begin();
    expect((await decide(id, { approve: true, received: 50 })).body.error).toBe('CHANGED_MEANWHILE');
    expect((await decide(id, { approve: true, received, reason: ' ' })).status).toBe(400);
    expect((await decide(randomUUID(), { approve: true, received })).status).toBe(404);
    for (const role of ['dispatcher', 'support'] as const)
      expect((await decide(id, { approve: true, received }, await createTestStaff(server, role))).status).toBe(403);
    expect([(await stateOf(id)).status, await balance(), await acts()]).toEqual(['review', 0, []]);
  });

  test('of another currency can only be rejected', async () => {
    const { id, sessionId } = await begin();
    const session = stripe.sessions.get(sessionId) ?? {};
    const event = stripe.event('checkout.session.completed', { ...session, currency: 'usd', amount_total: 5_000 });
    await stripe.send(server.url, event);
    const settled = await decide(id, { approve: true, received: 50 });
    expect([settled.status, settled.body.why]).toEqual([409, 'not_in_euros']);
    expect((await decide(id, { approve: false, received: 50 })).status).toBe(200);
    expect(await balance()).toBe(0);
  });

  test('a refund made at Stripe during the review is taken back after it', async () => {
    const { id, sessionId, received } = await begin();
    await stripe.send(
      server.url,
      stripe.event('refund.created', stripe.reversal('refund', sessionId, 900, 'succeeded')),
    );
    await decide(id, { approve: true, received });
    expect(await balance()).toBe(49);
    await reconcile(new Date());
    expect(await balance()).toBe(40);
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded', amount: 49, refunded: 9 });
  });
});

describe('above the limit of one person on one day', () => {
  test('settling waits for a second person, who is not the first', async () => {
    const { id, event, received } = await begin(150, 14_900);
    expect((await decide(id, { approve: true, received })).body.payment).toMatchObject({
      status: 'waiting',
      isOwn: true,
    });
    expect(await balance()).toBe(0);
    await stripe.send(server.url, { ...event, id: 'evt_again_while_it_waits' });
    const decision = { params: { id }, body: { approve: true } };
    expect((await accountant.call('decideTransfer', decision)).body.error).toBe('OWN_REQUEST');
    const decided = await Promise.all([1, 2, 3].map(() => second.call('decideTransfer', decision)));
    expect(decided.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect([(await stateOf(id)).amount, await balance()]).toEqual([149, 149]);
    expect((await acts()).map(([act]) => act)).toEqual(['payment.review_proposed', 'payment.review_settled']);
  });

  test('what one person settled and recorded counts together', async () => {
    const { id, received } = await begin(90, 8_900);
    const transfer = { payer: accountId, amount: 12, bankId: randomUUID(), receivedOn: '2026-01-15' };
    expect((await accountant.call('recordTransfer', { body: transfer })).body.payment.status).toBe('succeeded');
    expect((await decide(id, { approve: true, received })).body.payment.status).toBe('waiting');
    await second.call('decideTransfer', { params: { id }, body: { approve: false } });
    expect([(await stateOf(id)).status, await balance()]).toEqual(['rejected', 12]);
  });
});

test('`navette payment settle` and `payment reject` decide, once and with a reason', async () => {
  const settled = await begin();
  const run = (...args: string[]) => runNavette(['payment', ...args], server.environment);
  const done = await run('settle', settled.id, '--reason', REASON, '--json');
  expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { asked: 50, received: 49, decision: 'settled' }]);
  expect([await balance(), await acts()]).toEqual([49, [['payment.review_settled', REASON]]]);
  const again = await run('settle', settled.id, '--reason', REASON);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('not in review: succeeded')]);
  const rejected = await begin();
  expect((await run('reject', rejected.id)).code).toBe(2);
  expect((await run('reject', rejected.id, '--reason', REASON)).code).toBe(0);
  expect([(await stateOf(rejected.id)).status, await balance()]).toEqual(['rejected', 0]);
});

test('after all of these every invariant of the audit holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
