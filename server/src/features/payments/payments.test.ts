import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeEvent, type FakeStripe, STRIPE_SECRET, startFakeStripe } from '../../../test/fake-stripe.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createStripeClient } from '../../adapters/stripe/stripe-client.ts';
import { signatureOf } from '../../adapters/stripe/stripe-signature.ts';
import { reconcilePayments } from './reconcile-payments.handler.ts';

const OTHER_SECRET = 'whsec_of_the_next_endpoint_secret';
const MINUTE = 60_000;

let stripe: FakeStripe;
let server: TestServer;
let shop: TestAccount;
let owner: TestMember;
beforeAll(async () => {
  stripe = await startFakeStripe();
  server = await startTestServer({
    ...stripe.settings,
    STRIPE_WEBHOOK_SECRETS: `${OTHER_SECRET},${STRIPE_SECRET}`,
    SELLER_IBAN: 'FR7630006000011234567890189',
    SELLER_CONTACT: 'compta@navette.example',
  });
});
afterAll(async () => {
  await server.stop();
  await stripe.stop();
});
afterEach(() => {
  stripe.answerWith();
  stripe.setDown(false);
});

/** A shop whose owner has a payment open on Stripe's page. */
async function start(amount = 50): Promise<{ id: string; sessionId: string }> {
  shop = await server.createAccount();
  owner = await createTestMember(server, shop.id);
  const id = randomUUID();
  const { status } = await owner.call('startTopUp', { body: { amount, requestId: id } });
  expect(status).toBe(201);
  return { id, sessionId: stripe.sessionsOf(id)[0]?.id ?? '' };
}
const send = async (event: FakeEvent | string, options = {}) => {
  const response = await stripe.send(server.url, event, options);
  await response.arrayBuffer();
  return response.status;
};
const stateOf = async (id: string) => (await owner.call('readPayment', { params: { id } })).body.payment;
const balance = async () => (await owner.call('readAccount')).body.account.balance;
const notes = async () => {
  const { body } = await owner.call('listLedger');
  return body.entries.map((entry: { amount: number; note: string }) => [entry.amount, entry.note]);
};
const reconcile = (at: Date) => {
  const { secretKey, apiUrl } = server.config.stripe;
  const client = createStripeClient({ secretKey: secretKey ?? '', apiUrl, timeoutMs: 2_000 });
  return reconcilePayments({ db: server.db, stripe: client, log: server.app.log }, at);
};
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE);

describe('a payment by card', () => {
  test('is credited when Stripe confirms it, and not before', async () => {
    const { id, sessionId } = await start(50);
    expect(await stateOf(id)).toMatchObject({ status: 'open', amount: 50, refunded: 0 });
    expect(await balance()).toBe(0);
    expect(await send(stripe.complete(sessionId, 'card'))).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded' });
    expect(await balance()).toBe(50);
    expect(await notes()).toEqual([[50, 'Paiement en ligne']]);
  });

  test('the same request again finds the same page at Stripe; another amount is refused', async () => {
    const { id } = await start(50);
    const again = await owner.call('startTopUp', { body: { amount: 50, requestId: id.toUpperCase() } });
    expect(again.body.url).toBe(stripe.sessionsOf(id)[0]?.url);
    expect(stripe.sessionsOf(id)).toHaveLength(1);
    expect((await owner.call('startTopUp', { body: { amount: 51, requestId: id } })).status).toBe(404);
  });

  test('concurrent clicks with one request create one payment and one page', async () => {
    await start();
    const requestId = randomUUID();
    const clicks = Array.from({ length: 6 }, () => owner.call('startTopUp', { body: { amount: 20, requestId } }));
    expect(new Set((await Promise.all(clicks)).map(({ status, body }) => `${status} ${body.url}`)).size).toBe(1);
    expect(stripe.sessionsOf(requestId)).toHaveLength(1);
  });

  test('a page that was left expires; a payment that arrives all the same is credited', async () => {
    const { id, sessionId } = await start();
    expect(await send(stripe.expire(sessionId))).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'expired' });
    expect(await send(stripe.complete(sessionId, 'card'))).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded' });
    const closed = await owner.call('startTopUp', { body: { amount: 50, requestId: id } });
    expect(closed.body).toMatchObject({ url: null, payment: { status: 'succeeded' } });
  });
});

describe('a SEPA debit', () => {
  test('stays under way until the bank confirms it', async () => {
    const { id, sessionId } = await start();
    await send(stripe.complete(sessionId, 'debit'));
    expect(await stateOf(id)).toMatchObject({ status: 'processing' });
    expect(await balance()).toBe(0);
    await send(stripe.endDebit(sessionId, true));
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded' });
    expect(await balance()).toBe(50);
  });

  test('that the bank refuses credits nothing', async () => {
    const { id, sessionId } = await start();
    const completed = stripe.complete(sessionId, 'debit');
    await send(stripe.endDebit(sessionId, false));
    await send(completed); // late
    expect(await stateOf(id)).toMatchObject({ status: 'failed' });
    expect(await balance()).toBe(0);
  });

  test('in any order of its events, each sent twice and at once, is credited once', async () => {
    const { id, sessionId } = await start();
    const events = [stripe.complete(sessionId, 'debit'), stripe.endDebit(sessionId, true)].toReversed();
    const statuses = await Promise.all([...events, ...events, ...events].map((event) => send(event)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded' });
    expect(await balance()).toBe(50);
  });
});

describe('money that goes back', () => {
  test('a refund is an entry of the ledger, once, and a refund that fails is credited again', async () => {
    const { id, sessionId } = await start();
    await send(stripe.complete(sessionId, 'card'));
    const refund = stripe.reversal('refund', sessionId, 2_000, 'pending');
    const events = ['refund.created', 'refund.updated'].map((type) => stripe.event(type, refund));
    for (const event of [...events, ...events]) expect(await send(event)).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded', refunded: 20 });
    expect(await balance()).toBe(30);
    await send(stripe.event('refund.failed', { ...refund, status: 'failed' }));
    expect(await balance()).toBe(50);
    expect(await notes()).toEqual([
      [20, 'Remboursement échoué, montant recrédité'],
      [-20, 'Paiement remboursé'],
      [50, 'Paiement en ligne'],
    ]);
  });

  test('a dispute takes the money when the bank does, and returns it when it is won, in any order', async () => {
    const { sessionId } = await start();
    await send(stripe.complete(sessionId, 'card'));
    const dispute = stripe.reversal('dispute', sessionId, 5_000, 'needs_response');
    await send(stripe.event('charge.dispute.created', dispute));
    expect(await balance()).toBe(50);
    await send(stripe.event('charge.dispute.funds_reinstated', { ...dispute, status: 'won' }));
    expect(await balance()).toBe(50);
    await send(stripe.event('charge.dispute.funds_withdrawn', dispute)); // late
    expect(await balance()).toBe(50);
    const lost = stripe.reversal('dispute', sessionId, 5_000, 'lost');
    await send(stripe.event('charge.dispute.funds_withdrawn', lost));
    expect(await balance()).toBe(0);
  });

  test('a refund whose payment was not announced yet asks Stripe, and credits the payment first', async () => {
    const { id, sessionId } = await start();
    const completed = stripe.complete(sessionId, 'card');
    await send(stripe.event('refund.created', stripe.reversal('refund', sessionId, 5_000, 'succeeded')));
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded', refunded: 50 });
    await send(completed);
    expect(await balance()).toBe(0);
  });

  test('while Stripe does not answer, such an event is refused, so that Stripe sends it again', async () => {
    const { sessionId } = await start();
    stripe.complete(sessionId, 'card');
    const event = stripe.event('refund.created', stripe.reversal('refund', sessionId, 1_000, 'succeeded'));
    stripe.setDown(true);
    expect(await send(event)).toBe(503);
    stripe.setDown(false);
    expect(await send(event)).toBe(200);
    expect(await balance()).toBe(40);
  });
});

describe('events that are not to be believed', () => {
  test.each([
    ['another secret', { secret: 'whsec_of_somebody_else_entirely' }],
    ['a time six minutes ago', { time: Math.floor(Date.now() / 1_000) - 360 }],
    ['a time in six minutes', { time: Math.floor(Date.now() / 1_000) + 360 }],
    ['no time', { signature: 'v1=00' }],
    ['no signature', { signature: `t=${Math.floor(Date.now() / 1_000)}` }],
    ['a signature of another length', { signature: `t=${Math.floor(Date.now() / 1_000)},v1=abc` }],
  ])('an event with %s is refused and changes nothing', async (_case, options) => {
    const { id, sessionId } = await start();
    expect(await send(stripe.complete(sessionId, 'card'), options)).toBe(400);
    expect(await stateOf(id)).toMatchObject({ status: 'open' });
  });

  test('each of two secrets is valid while one is replaced', async () => {
    const { id, sessionId } = await start();
    expect(await send(stripe.complete(sessionId, 'card'), { secret: OTHER_SECRET })).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded' });
  });

  test('a changed body, one that is too large, and one that is no event are refused', async () => {
    const { sessionId } = await start();
    const time = Math.floor(Date.now() / 1_000);
    const event = stripe.complete(sessionId, 'card');
    const body = JSON.stringify(event);
    const signature = `t=${time},v1=${signatureOf(Buffer.from(body), String(time), STRIPE_SECRET)}`;
    expect(await send(body.replace('5000', '9000'), { signature })).toBe(400);
    expect(await send(JSON.stringify({ ...event, padding: 'x'.repeat(300_000) }))).toBe(413);
    for (const wrong of ['', '{', 'null', '[]', '{"id":1}', JSON.stringify({ ...event, data: null })])
      expect(await send(wrong)).toBe(400);
    expect(await balance()).toBe(0);
  });

  test('a session that this service did not create for the payment credits nobody', async () => {
    const { id, sessionId } = await start();
    const own = stripe.complete(sessionId, 'card');
    const object = { ...own.data.object, id: 'cs_test_of_another_shop' };
    expect(await send(stripe.event('checkout.session.completed', object))).toBe(200);
    for (const client_reference_id of [null, 'order 12', randomUUID()])
      expect(await send(stripe.event('checkout.session.completed', { ...object, client_reference_id }))).toBe(200);
    const stranger = stripe.reversal('refund', sessionId, 100, 'succeeded');
    expect(await send(stripe.event('refund.created', { ...stranger, payment_intent: null }))).toBe(200);
    expect(await send(stripe.event('refund.created', { ...stranger, payment_intent: 'pi_of_others' }))).toBe(200);
    expect(await send(stripe.event('refund.created', { ...stranger, status: null }))).toBe(200);
    const storesCard = { ...object, client_reference_id: 'order 12', amount_total: null, currency: null };
    expect(await send(stripe.event('checkout.session.completed', storesCard))).toBe(200);
    expect(await send(stripe.event('invoice.paid', { object: 'invoice' }))).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'open' });
  });

  test('another amount than asked for is not credited: a person must look at it', async () => {
    const { id, sessionId } = await start(50);
    expect(await send(stripe.complete(sessionId, 'card', 4_900))).toBe(200);
    expect(await stateOf(id)).toMatchObject({ status: 'review' });
    await send(stripe.event('refund.created', stripe.reversal('refund', sessionId, 4_900, 'succeeded')));
    expect(await balance()).toBe(0);
    expect(await server.metrics()).toMatch(/navette_payments_in_review [1-9]/);
  });
});

describe('payments whose event never came', () => {
  test('are settled by asking Stripe', async () => {
    const paid = await start();
    stripe.complete(paid.sessionId, 'card');
    await reconcile(inMinutes(3));
    expect(await stateOf(paid.id)).toMatchObject({ status: 'succeeded' });
    const debited = await start();
    stripe.complete(debited.sessionId, 'debit');
    await reconcile(inMinutes(3));
    expect(await stateOf(debited.id)).toMatchObject({ status: 'processing' });
    stripe.endDebit(debited.sessionId, false);
    await reconcile(inMinutes(30));
    expect(await stateOf(debited.id)).toMatchObject({ status: 'processing' }); // asked every six hours only
    await reconcile(inMinutes(400));
    expect(await stateOf(debited.id)).toMatchObject({ status: 'failed' });
    const left = await start();
    stripe.expire(left.sessionId);
    await reconcile(inMinutes(3));
    expect(await stateOf(left.id)).toMatchObject({ status: 'expired' });
  });

  test('a payment without a page is over after two hours', async () => {
    await start();
    const requestId = randomUUID();
    stripe.answerWith({ status: 500, code: 'api_error' });
    const failed = await owner.call('startTopUp', { body: { amount: 30, requestId } });
    expect([failed.status, failed.body.error]).toEqual([503, 'PAYMENT_PROVIDER_DOWN']);
    await reconcile(inMinutes(30));
    expect(await stateOf(requestId)).toMatchObject({ status: 'open' });
    await reconcile(inMinutes(130));
    expect(await stateOf(requestId)).toMatchObject({ status: 'expired' });
  });

  test('an unreachable Stripe ends the round after one request, and the next round goes on', async () => {
    const payments = [await start(), await start(), await start()];
    for (const { sessionId } of payments) stripe.complete(sessionId, 'card');
    stripe.setDown(true);
    const before = stripe.calls;
    await reconcile(inMinutes(3));
    expect(stripe.calls - before).toBe(1);
    stripe.setDown(false);
    await reconcile(inMinutes(15));
    const { rows } = await server.pools.main.query<{ status: string }>(
      'select status from payments where id = any($1)',
      [payments.map(({ id }) => id)],
    );
    expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });
});

describe('who may pay, and how much', () => {
  test('owners and operations may start a payment; others may read it; another account finds nothing', async () => {
    const { id } = await start();
    const body = () => ({ amount: 20, requestId: randomUUID() });
    for (const [role, status] of [
      ['operations', 201],
      ['developer', 403],
      ['read-only', 403],
    ] as const) {
      const member = await createTestMember(server, shop.id, role);
      expect([role, (await member.call('startTopUp', { body: body() })).status]).toEqual([role, status]);
      expect((await member.call('readPayment', { params: { id } })).status).toBe(200);
    }
    const stranger = await createTestMember(server, (await server.createAccount()).id);
    expect((await stranger.call('readPayment', { params: { id } })).status).toBe(404);
    expect((await stranger.call('startTopUp', { body: { amount: 50, requestId: id } })).status).toBe(404);
    expect((await stranger.call('readPayments')).body.payments).toEqual([]);
  });

  test.each([9.99, 5_000.01, 20.005])('%d € is refused with the limits', async (amount) => {
    await start();
    const { status, body } = await owner.call('startTopUp', { body: { amount, requestId: randomUUID() } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'TOP_UP_AMOUNT_REFUSED', minimum: 10, maximum: 5_000 });
  });

  test('an account starts twenty payments an hour at most, also at once', async () => {
    await start();
    const bodies = Array.from({ length: 24 }, () => ({ amount: 20, requestId: randomUUID() }));
    const answers = await Promise.all(bodies.map((body) => owner.call('startTopUp', { body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(answers.filter(({ body }) => body.error === 'TOO_MANY_TOP_UPS')).toHaveLength(5);
  });

  test('shows the ways to pay, with a reference that stays', async () => {
    await start();
    const { body } = await owner.call('readPayments');
    expect(body).toMatchObject({
      online: { minimum: 10, maximum: 5_000 },
      transfer: { iban: 'FR7630006000011234567890189', bic: null, beneficiary: 'Navette' },
      contact: 'compta@navette.example',
      payments: [{ status: 'open', amount: 50 }],
    });
    expect(body.transfer.reference).toMatch(/^NV[2-9A-Z]{6}$/);
    expect((await owner.call('readPayments')).body.transfer).toEqual(body.transfer);
  });

  test('no key, secret or page of Stripe is in the log', async () => {
    await start();
    for (const text of ['sk_test_', 'whsec_', '/pay/cs_']) expect(server.logged()).not.toContain(text);
  });
});

test('after all of these every invariant of the audit holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
