import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestMember, dashboardCaller, type TestMember } from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeEvent, type FakeStripe, startFakeStripe } from '../../../test/fake-stripe.ts';
import { holdUpdates } from '../../../test/lock-waits.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

let stripe: FakeStripe;
let server: TestServer;
let owner: TestMember;
let accountId: string;
beforeAll(async () => {
  stripe = await startFakeStripe();
  server = await startTestServer(stripe.settings);
  accountId = (await server.createAccount()).id;
  owner = await createTestMember(server, accountId);
});
afterAll(async () => {
  await server.stop();
  await stripe.stop();
});

/** An api process does `work` until `reached`, is killed, and the connections of its statements end. */
async function killAt(work: (url: string) => Promise<unknown>, reached: () => Promise<void>): Promise<void> {
  const api = await startNavette(['api'], { ...server.environment, PORT: '0' });
  const answered = work(api.url).then(
    () => true,
    () => false,
  );
  await reached();
  await api.kill();
  expect(await answered).toBe(false);
}
const topUp = (url: string, requestId: string) =>
  dashboardCaller(url, owner)('startTopUp', { body: { amount: 40, requestId } });
const paymentsOf = async (id: string) =>
  (await server.db.selectFrom('payments').select('status').where('id', '=', id).execute()).map(({ status }) => status);
const creditsOf = async (id: string) =>
  (await server.db.selectFrom('payment_movements').select('reference').where('payment_id', '=', id).execute()).length;

test.each(['hold', 'create-and-hold'] as const)(
  'kill -9 while Stripe’s page is created (%s): the same request finds one payment and one page',
  async (answer) => {
    const requestId = randomUUID();
    stripe.answerWith(answer);
    await killAt((url) => topUp(url, requestId), stripe.holding);
    expect(await paymentsOf(requestId)).toEqual(['open']);
    const again = await topUp(server.url, requestId);
    expect(again.status).toBe(201);
    expect(stripe.sessionsOf(requestId).map(({ url }) => url)).toEqual([again.body.url]);
  },
);

test('kill -9 before Stripe’s page is saved: the same request finds it, and its event is accepted without it', async () => {
  const requestId = randomUUID();
  const held = await holdUpdates(server.db, 'payments', 0);
  await killAt(
    (url) => topUp(url, requestId),
    () => held.reached(),
  );
  await held.release();
  const session = stripe.sessionsOf(requestId)[0];
  expect(await stripe.send(server.url, stripe.complete(session?.id ?? '', 'card'))).toMatchObject({ status: 200 });
  expect(await paymentsOf(requestId)).toEqual(['succeeded']);
  expect((await topUp(server.url, requestId)).body.url).toBe(null);
  expect(stripe.sessionsOf(requestId)).toHaveLength(1);
});

test.each(['payment_events', 'payments', 'ledger_entries', 'payment_movements'])(
  'kill -9 in the middle of an event, at its write of %s: nothing is credited, and the event sent again credits once',
  async (table) => {
    const requestId = randomUUID();
    await topUp(server.url, requestId);
    const event: FakeEvent = stripe.complete(stripe.sessionsOf(requestId)[0]?.id ?? '', 'card');
    const held = await holdUpdates(server.db, table, 0, table === 'payments' ? 'update' : 'insert');
    await killAt(
      (url) => stripe.send(url, event),
      () => held.reached(),
    );
    await held.release();
    expect([await paymentsOf(requestId), await creditsOf(requestId)]).toEqual([['open'], 0]);
    // The dead process's transaction holds its locks until PostgreSQL notices.
    await eventually(async () => expect((await stripe.send(server.url, event)).status).toBe(200));
    await stripe.send(server.url, event);
    expect([await paymentsOf(requestId), await creditsOf(requestId)]).toEqual([['succeeded'], 1]);
    expect(await brokenInvariants(server)).toEqual([]);
  },
);

test('kill -9 of the worker while an automatic payment is taken: it is taken once', async () => {
  const requestId = randomUUID();
  await dashboardCaller(server.url, owner)('startTopUp', { body: { amount: 40, requestId, threshold: 1_000 } });
  await stripe.send(server.url, stripe.complete(stripe.sessionsOf(requestId)[0]?.id ?? '', 'card'));
  stripe.bankAnswers('accept-and-hold');
  const held = stripe.holding();
  const first = await startNavette(['worker'], server.environment);
  await held; // at the next full minute
  await first.kill();
  const second = await startNavette(['worker'], server.environment);
  const automatic = () =>
    server.db.selectFrom('payments').select('status').where('method', '=', 'automatic').orderBy('created_at').execute();
  await eventually(async () => expect((await automatic())[0]).toEqual({ status: 'succeeded' }));
  await dashboardCaller(server.url, owner)('stopAutomaticTopUp');
  await second.stop();
  // The limit is never reached, so the second worker may have gone on: what Stripe has taken is what was credited.
  const credited = (await automatic()).filter(({ status }) => status === 'succeeded');
  expect(stripe.offSessionPayments).toHaveLength(credited.length);
  expect(await brokenInvariants(server)).toEqual([]);
});
