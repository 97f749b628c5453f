import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeStripe, startFakeStripe } from '../../../test/fake-stripe.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createStripeClient } from '../../adapters/stripe/stripe-client.ts';
import { reconcilePayments } from './reconcile-payments.handler.ts';

const DAY = 86_400_000;

let stripe: FakeStripe;
let server: TestServer;
let accountId: string;
let owner: TestMember;
beforeAll(async () => {
  stripe = await startFakeStripe();
  server = await startTestServer(stripe.settings);
});
afterAll(async () => {
  await server.stop();
  await stripe.stop();
});
afterEach(async () => {
  stripe.setDown(false);
  stripe.setPageLimit(100);
  // Each test has a payment of its own, and is alone with it.
  await server.db.updateTable('payments').set({ reversals_check_at: null, check_at: null }).execute();
});

/** A payment of 50 EUR that was credited. */
async function pay() {
  const { id, sessionId } = await start();
  await stripe.send(server.url, stripe.complete(sessionId, 'card'));
  expect(await balance()).toBe(50);
  return { id, sessionId };
}
async function start() {
  accountId = (await server.createAccount()).id;
  owner = await createTestMember(server, accountId);
  const id = randomUUID();
  await owner.call('startTopUp', { body: { amount: 50, requestId: id } });
  return { id, sessionId: stripe.sessionsOf(id)[0]?.id ?? '' };
}
const balance = async () => (await owner.call('readAccount')).body.account.balance;
const reconcile = (days: number) => {
  const { secretKey, apiUrl } = server.config.stripe;
  const client = createStripeClient({ secretKey: secretKey ?? '', apiUrl, timeoutMs: 2_000 });
  return reconcilePayments({ db: server.db, stripe: client, log: server.app.log }, new Date(Date.now() + days * DAY));
};
const callsDuring = async (work: () => Promise<unknown>) => {
  const before = stripe.calls;
  await work();
  return stripe.calls - before;
};

describe('a refund or dispute whose event was lost', () => {
  test('is found the next day, and taken back once, also when the event comes after all', async () => {
    const { sessionId } = await pay();
    const refund = stripe.reversal('refund', sessionId, 700, 'succeeded');
    await reconcile(0.9);
    expect(await balance()).toBe(50);
    await reconcile(1.1);
    expect(await balance()).toBe(43);
    await stripe.send(server.url, stripe.event('refund.created', refund));
    await reconcile(2.2);
    expect(await balance()).toBe(43);
  });

  test('a refund that fails later is credited again', async () => {
    const { sessionId } = await pay();
    const refund = stripe.reversal('refund', sessionId, 700, 'pending');
    await stripe.send(server.url, stripe.event('refund.created', refund));
    refund.status = 'failed';
    await reconcile(1.1);
    expect(await balance()).toBe(50);
  });

  test('a dispute takes the money when the bank did, and returns it when it was won', async () => {
    const { sessionId } = await pay();
    const dispute = stripe.reversal('dispute', sessionId, 5_000, 'warning_needs_response');
    await reconcile(1.1);
    expect(await balance()).toBe(50); // an inquiry takes nothing
    dispute.status = 'needs_response';
    await reconcile(2.2);
    expect(await balance()).toBe(0);
    dispute.status = 'won';
    await reconcile(3.3);
    expect(await balance()).toBe(50);
  });

  test('many refunds of one payment are read page by page', async () => {
    const { sessionId } = await pay();
    stripe.setPageLimit(3);
    for (let i = 0; i < 8; i++) stripe.reversal('refund', sessionId, 100, 'succeeded');
    await reconcile(1.1);
    expect(await balance()).toBe(42);
  });
});

describe('the cost', () => {
  test('is one request per payment and day for a week, then one per week, after half a year one per month, and none after 400 days', async () => {
    await pay();
    expect(await callsDuring(() => reconcile(0.5))).toBe(0);
    expect(await callsDuring(() => reconcile(1.1))).toBe(1);
    expect(await callsDuring(() => reconcile(1.2))).toBe(0);
    expect(await callsDuring(() => reconcile(7.5))).toBe(1);
    expect(await callsDuring(() => reconcile(9))).toBe(0);
    expect(await callsDuring(() => reconcile(15))).toBe(1);
    expect(await callsDuring(() => reconcile(181))).toBe(1);
    expect(await callsDuring(() => reconcile(205))).toBe(0);
    expect(await callsDuring(() => reconcile(212))).toBe(1);
    expect(await callsDuring(() => reconcile(401))).toBe(1);
    expect(await callsDuring(() => reconcile(500))).toBe(0);
  });

  test('of one round is fifty payments at most; an unreachable Stripe costs one request, and nothing is forgotten', async () => {
    const { id } = await pay();
    await server.pools.main.query(
      `insert into payments (id, account_id, method, status, amount_cents, intent_id, reversals_check_at, created_at, updated_at)
       select gen_random_uuid(), account_id, method, 'failed', amount_cents, 'pi_unknown_' || n, now(), now(), now()
       from payments cross join generate_series(1, 60) n where id = $1`,
      [id],
    );
    stripe.setDown(true);
    expect(await callsDuring(() => reconcile(0.1))).toBe(1);
    stripe.setDown(false);
    expect(await callsDuring(() => reconcile(0.2))).toBe(50);
    expect(await callsDuring(() => reconcile(0.2))).toBe(10);
  });
});

describe('the metadata of a session', () => {
  test('that names another account or payment credits nothing: a person must look at it', async () => {
    for (const wrong of [{ navette_account: randomUUID() }, { navette_payment: randomUUID() }]) {
      const { id, sessionId } = await start();
      const paid = stripe.complete(sessionId, 'card');
      const object = paid.data.object as { metadata: Record<string, string> };
      object.metadata = { ...object.metadata, ...wrong };
      expect((await stripe.send(server.url, paid)).status).toBe(200);
      // Its refund asks Stripe about the PaymentIntent, which has the right amount.
      const refund = stripe.reversal('refund', sessionId, 700, 'succeeded');
      expect((await stripe.send(server.url, stripe.event('refund.created', refund))).status).toBe(200);
      const { body } = await owner.call('readPayment', { params: { id } });
      expect([body.payment.status, await balance()]).toEqual(['review', 0]);
    }
  });

  test('a session that somebody else made for the reference of a payment without a page credits nobody', async () => {
    const { sessionId } = await start();
    const requestId = randomUUID();
    stripe.answerWith({ status: 500, code: 'api_error' });
    await owner.call('startTopUp', { body: { amount: 50, requestId } });
    // As a payment link of the operator's shop, which takes the reference from its address.
    const other = {
      ...stripe.complete(sessionId, 'card').data.object,
      id: 'cs_of_a_link',
      client_reference_id: requestId,
    };
    for (const metadata of [{}, { navette_payment: requestId }, { navette_account: accountId }])
      await stripe.send(server.url, stripe.event('checkout.session.completed', { ...other, metadata }));
    const { body } = await owner.call('readPayment', { params: { id: requestId } });
    expect([body.payment.status, await balance()]).toEqual(['open', 0]);
  });

  test('a session of the release before, without it, is accepted by its id', async () => {
    const { sessionId } = await start();
    const paid = stripe.complete(sessionId, 'card');
    Object.assign(paid.data.object, { metadata: {} });
    await stripe.send(server.url, paid);
    expect(await balance()).toBe(50);
  });
});

test('after all of these every invariant of the audit holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
