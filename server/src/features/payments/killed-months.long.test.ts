import { randomUUID } from 'node:crypto';
import { BASE_PATH } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../../../test/call-api.ts';
import { consoleCaller, createTestStaff, type TestStaff } from '../../../test/console.ts';
import { crowd } from '../../../test/crowd.ts';
import { createTestMember, dashboardCaller, type TestMember } from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeEvent, type FakeStripe, startFakeStripe } from '../../../test/fake-stripe.ts';
import { INVOICING } from '../../../test/invoicing.ts';
import { type NavetteProcess, runNavette, startNavette } from '../../../test/navette-process.ts';
import { expectDocumentsToBeTheLedger, seededRandom } from '../../../test/random-months.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { localDay, monthBefore } from '../../calendar/local-calendar.ts';
import { issueInvoicesJob, topUpAccountsJob } from '../../jobs/definitions.ts';
import { addCredit } from '../ledger/index.ts';

const MONTHS = 3;
const ACCOUNTS = 4;
const ACTS = 120; // of all accounts in a month
const WRITERS = 6;
const KILLS = 3; // of the api in a month, and as many of the worker

interface Shop {
  account: TestAccount;
  owner: TestMember;
  /** Shipments that were created and not cancelled. */
  shipments: string[];
  creations: number;
}

let stripe: FakeStripe;
let server: TestServer;
let settings: Record<string, string>;
let accountant: TestStaff;
let api: NavetteProcess;
let worker: NavetteProcess;
let random: () => number;
/** Money that Stripe and the bank moved, in cents, by account. */
const expected = new Map<string, number>();
const count = (shop: Shop, cents: number) =>
  expected.set(shop.account.id, (expected.get(shop.account.id) ?? 0) + cents);

beforeAll(async () => {
  stripe = await startFakeStripe();
  server = await startTestServer({
    ...INVOICING,
    ...stripe.settings,
    INVOICE_FIRST_MONTH: '2020-01',
    CONSOLE_TRANSFER_LIMIT: '1000000',
  });
  settings = { ...server.environment, PORT: '0' };
  accountant = await createTestStaff(server, 'accountant');
  [api, worker] = await Promise.all([startNavette(['api'], settings), startNavette(['worker'], settings)]);
});
afterAll(async () => {
  await Promise.all([api.stop(), worker.stop()]);
  await server.stop();
  await stripe.stop();
});

/** Repeats a request until a process answers it, as clients of the service do. */
async function persist<T>(send: (url: string) => Promise<T>, isAnswered: (answer: T) => boolean): Promise<T> {
  return eventually(async () => {
    const answer = await send(api.url);
    expect(answer).toSatisfy(isAnswered);
    return answer;
  });
}
const isFinal = ({ status }: { status: number }) => status < 500 && status !== 429;

async function create(shop: Shop): Promise<void> {
  const options = { body: shipmentRequest(), headers: { 'x-idempotency-key': randomUUID() } };
  const { status, body } = await persist(
    (url) => callApi(`${url}${BASE_PATH}/shipping`, shop.account, 'POST', options),
    (answer) => isFinal(answer) && !(answer.status === 400 && answer.body.error === undefined),
  );
  if (status === 403) return; // the balance is used up
  expect([200, 201]).toContain(status);
  shop.creations++;
  shop.shipments.push(body.shipping._id);
}

async function cancel(shop: Shop): Promise<void> {
  const id = shop.shipments.splice(Math.floor(random() * shop.shipments.length), 1)[0];
  if (id === undefined) return create(shop);
  const path = `${BASE_PATH}/shipping/${id}/cancel`;
  const { status } = await persist((url) => callApi(`${url}${path}`, shop.account, 'PUT'), isFinal);
  expect([200, 400, 409]).toContain(status); // refused: a process that died had cancelled it already
}

const deliver = (event: FakeEvent) =>
  persist(
    (url) => stripe.send(url, event),
    ({ status }) => status === 200,
  );

/** A payment online, in which everything may happen. */
async function payOnline(shop: Shop): Promise<void> {
  const [requestId, amount] = [randomUUID(), 10 + Math.floor(random() * 90)];
  const started = await persist(
    (url) => dashboardCaller(url, shop.owner)('startTopUp', { body: { amount, requestId } }),
    isFinal,
  );
  if (started.body.error === 'TOO_MANY_TOP_UPS') return;
  const sessionId = stripe.sessionsOf(requestId)[0]?.id ?? '';
  const fate = random();
  if (fate < 0.1) return void (await deliver(stripe.expire(sessionId)));
  await deliver(stripe.complete(sessionId, fate < 0.5 ? 'card' : 'debit'));
  if (fate >= 0.5) await deliver(stripe.endDebit(sessionId, fate < 0.9));
  if (fate >= 0.9) return;
  count(shop, amount * 100);
  if (random() < 0.3) await refund(shop, sessionId);
}

async function refund(shop: Shop, sessionId: string): Promise<void> {
  const made = stripe.reversal('refund', sessionId, 300, 'pending');
  await deliver(stripe.event('refund.created', made));
  count(shop, -300);
  if (random() < 0.5) return;
  made.status = 'failed';
  await deliver(stripe.event('refund.failed', made));
  count(shop, 300);
}

async function transfer(shop: Shop): Promise<void> {
  const amount = 5 + Math.floor(random() * 50);
  const body = { payer: shop.account.id, amount, bankId: randomUUID(), receivedOn: '2026-01-15' };
  const { status, body: answer } = await persist(
    (url) => consoleCaller(url, accountant)('recordTransfer', { body }),
    isFinal,
  );
  // A process that died after its commit: the repeated request is answered with it.
  expect(status === 201 || answer.error === 'TRANSFER_KNOWN').toBe(true);
  count(shop, amount * 100);
}

async function credit(shop: Shop): Promise<void> {
  await addCredit(server.db, shop.account.id, 100, 'goodwill');
}

async function actOf(shop: Shop): Promise<void> {
  const kind = random();
  if (kind < 0.5) return create(shop);
  if (kind < 0.65) return cancel(shop);
  if (kind < 0.8) return payOnline(shop);
  if (kind < 0.87) return transfer(shop);
  if (kind < 0.93) return credit(shop);
  // The worker's jobs come every minute and every night; here whenever chance wants.
  const job = kind < 0.97 ? topUpAccountsJob : issueInvoicesJob;
  await server.db.transaction().execute((tx) => server.jobs.send(tx, job, {}));
}

/** Entries of this round become a month of its own, before those of the next rounds. */
const moveBack = (months: number) =>
  server.db.transaction().execute(async (tx) => {
    await sql`alter table ledger_entries disable trigger user`.execute(tx);
    for (const table of ['ledger_entries', 'payments']) {
      await sql`update ${sql.table(table)} set created_at = created_at - make_interval(months => ${months})
                where created_at > now() - interval '1 day'`.execute(tx);
    }
    await sql`alter table ledger_entries enable trigger user`.execute(tx);
  });

async function openShop(): Promise<Shop> {
  const account = await server.createAccount();
  const owner = await createTestMember(server, account.id);
  expected.set(account.id, 0);
  const shop = { account, owner, shipments: [], creations: 0 };
  const requestId = randomUUID();
  await owner.call('startTopUp', { body: { amount: 40, requestId, threshold: 30 } });
  await deliver(stripe.complete(stripe.sessionsOf(requestId)[0]?.id ?? '', 'card'));
  count(shop, 4_000);
  return shop;
}

test('months of creations, credits, payments, refunds, automatic payments and transfers, with kill -9 of api and worker: every sum is the ledger', async () => {
  random = seededRandom(17);
  const shops = await Promise.all(Array.from({ length: ACCOUNTS }, openShop));
  let kills = 0;
  for (let month = 0; month < MONTHS; month++) {
    let done = 0;
    const restarts: Promise<unknown>[] = [];
    await crowd(WRITERS, Array.from({ length: ACTS }), async () => {
      await actOf(shops[Math.floor(random() * shops.length)] as Shop);
      // By progress: after every so many acts one of the processes dies, in the middle of what the others do.
      if (++done % Math.floor(ACTS / (2 * KILLS)) !== 0 || kills >= (month + 1) * 2 * KILLS) return;
      const killed = kills++ % 2 === 0 ? 'api' : 'worker';
      await (killed === 'api' ? api : worker).kill();
      const restarted = startNavette([killed], settings).then((process) => {
        if (killed === 'api') api = process;
        else worker = process;
      });
      restarts.push(restarted);
    });
    await Promise.all(restarts);
    await moveBack(MONTHS - month);
  }
  expect(kills).toBe(MONTHS * 2 * KILLS);

  // The last month: by the command, also killed in the middle, and by the worker.
  const ended = monthBefore(localDay(new Date(), 'Europe/Paris').slice(0, 7));
  await server.db.transaction().execute((tx) => server.jobs.send(tx, issueInvoicesJob, {}));
  await eventually(async () => {
    expect((await runNavette(['invoice', 'issue', '--month', ended], settings)).code).toBe(0);
  });
  // Automatic payments that were recorded before a kill are taken by a later run.
  await eventually(async () => {
    await server.db.transaction().execute((tx) => server.jobs.send(tx, topUpAccountsJob, {}));
    const open = await server.db.selectFrom('payments').select('id').where('status', '=', 'open').execute();
    expect(open).toEqual([]);
  });
  await worker.stop();
  worker = await startNavette(['worker'], settings);

  await expectDocumentsToBeTheLedger(server.db);
  // Payments are ledger entries, and both are what Stripe and the bank moved.
  const automatic = new Map<string, number>();
  for (const { metadata, amount_received: cents } of stripe.offSessionPayments) {
    const { account_id: id } = await server.db
      .selectFrom('payments')
      .select('account_id')
      .where('id', '=', metadata.navette_payment ?? '')
      .executeTakeFirstOrThrow();
    automatic.set(id, (automatic.get(id) ?? 0) + cents);
  }
  expect(automatic.size).toBeGreaterThan(0);
  const { rows } = await sql<{ id: string; moved: number; ledger: number; charges: number }>`
    select a.id, (select coalesce(sum(m.amount_cents), 0)::bigint from payment_movements m where m.account_id = a.id) as moved,
      (select coalesce(sum(l.amount_cents), 0)::bigint from ledger_entries l
       join payment_movements m on (m.account_id, m.entry) = (l.account_id, l.entry) where l.account_id = a.id) as ledger,
      (select count(*) from ledger_entries l where l.account_id = a.id and l.kind = 'charge') as charges
    from accounts a where a.id = any(${shops.map(({ account }) => account.id)}::uuid[])`.execute(server.db);
  expect(rows).toHaveLength(ACCOUNTS);
  for (const { id, moved, ledger, charges } of rows) {
    expect([id, moved]).toEqual([id, (expected.get(id) ?? 0) + (automatic.get(id) ?? 0)]);
    expect([id, ledger]).toEqual([id, moved]);
    expect([id, charges]).toEqual([id, shops.find(({ account }) => account.id === id)?.creations]);
  }
  const audit = await runNavette(['audit', '--json'], settings);
  expect([audit.code, audit.stderr]).toEqual([0, '']);
});
