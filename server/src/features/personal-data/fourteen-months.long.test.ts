import { ENDPOINTS, ERASED } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { followLink, LABEL_LINK_ENDPOINTS } from '../../../test/call-label.ts';
import { faultsIn } from '../../../test/contract-faults.ts';
import { createTestMember, signInAs } from '../../../test/dashboard.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { messageOnly } from '../../../test/envelopes.ts';
import { type FakeGeocoder, startFakeGeocoder } from '../../../test/fake-geocoder.ts';
import { type JobClock, takeJobClock } from '../../../test/job-clock.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { type Person, tracesOf } from '../../../test/people.ts';
import { everythingKept } from '../../../test/search-everything.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { endedShipmentsOfEveryKind, type KnownShipment, type World } from '../../../test/shipments-of-every-kind.ts';
import { subscribe } from '../../../test/subscribe.ts';
import { startTestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts';
import { erasePersonalDataJob, JOBS } from '../../jobs/definitions.ts';
import { signReference } from '../shipments/index.ts';

const DAY_MS = 86_400_000;
const FOURTEEN_MONTHS_DAYS = 426;

let world: World;
let shipments: KnownShipment[];
let worker: TestWorker;
let clock: JobClock;
let receiver: WebhookReceiver;
let geocoder: FakeGeocoder;
let before: string[];

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  geocoder = await startFakeGeocoder();
  const server = await startTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', GEOCODER_URL: geocoder.url });
  clock = await takeJobClock(server);
  worker = await startTestWorker(server, () => clock.now());
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const [member, driver] = [await createTestMember(server, shop.id), await createTestDriver(server.db)];
  world = { server, shop, member, driver };
  await subscribe(server, receiver, shop, '/good');
  await subscribe(server, receiver, shop, '/echo');
  receiver.behave('/echo', ({ body }, response) => response.writeHead(500).end(body)); // its answer is kept for 30 days
  shipments = await endedShipmentsOfEveryKind(world);
});
afterAll(async () => {
  await worker?.stop();
  await world?.server.stop();
  await Promise.all([receiver?.stop(), geocoder?.stop()]);
});

const traces = () =>
  shipments.flatMap(({ people, referenceNumber }) => [
    ...people.flatMap(tracesOf),
    `code-${referenceNumber}`.toLowerCase(),
  ]);
const tracesIn = (text: string) => traces().filter((trace) => text.includes(trace));

/** Moves the clock of the whole service forward by this many days. */
async function goAheadDays(days: number): Promise<void> {
  const then = new Date(Date.now() + days * DAY_MS);
  await clock.set(then);
  world.server.setNow(then);
  const { email, password } = world.member;
  Object.assign(world.member, await signInAs(world.server.url, email, password)); // sessions have ended long ago
}

/** Runs the timers and scheduled jobs that are due, until all are done. The erasure passes over shipments that others hold. */
async function runScheduledJobs(): Promise<void> {
  await nothingIsDue();
  await runJobs(JOBS.filter((job) => job.schedule && job !== erasePersonalDataJob));
  await runJobs([erasePersonalDataJob]);
}

async function runJobs(wanted: typeof JOBS): Promise<void> {
  const { db, jobs } = world.server;
  await db.transaction().execute(async (tx) => {
    for (const job of wanted) await jobs.send(tx, job, {});
  });
  await nothingIsDue();
}

const nothingIsDue = () =>
  vi.waitFor(
    async () => {
      const { rows } = await sql<{ due: string }>`
        select name as due from pgboss.job where state < 'completed' and start_after <= pgboss.job_now()
      `.execute(world.server.db);
      expect(rows).toEqual([]);
    },
    { timeout: 240_000, interval: 50 },
  );

/** Money and statistics, as returned to merchants and members and as stored, without order numbers. */
async function figures() {
  const { server, shop, member } = world;
  const account = await server.call(shop, 'GET', '/account');
  const stats = await server.call(shop, 'GET', '/shipping/stats');
  const overview = await member.call('readOverview');
  const ledger = await member.call('listLedger', { query: {} });
  expect([account, stats, overview, ledger].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { days, byStatus, balance, amountDue } = overview.body.overview;
  const tables = ['ledger_entries', 'daily_totals', 'daily_deliveries', 'account_counters'].map((name) => sql.id(name));
  const rows = tables.map(async (table) => (await sql`select * from ${table} t order by t`.execute(server.db)).rows);
  return [
    account.body,
    stats.body,
    { days, byStatus, balance, amountDue },
    ledger.body.entries.map((entry: LedgerLine) => ({ ...entry, shipment: { ...entry.shipment, orderId: null } })),
    ...(await Promise.all(rows)),
  ].map((part) => JSON.stringify(part));
}

type LedgerLine = { shipment: object };

describe('fourteen months after they ended', () => {
  test('all personal data was stored at first, so that the search below is meaningful', async () => {
    const kept = await everythingKept(world.server);
    const details = shipments.flatMap(({ people: [person], referenceNumber }) => [
      ...Object.values(person as Person),
      `code-${referenceNumber}`,
    ]);
    expect(details.filter((detail) => !kept.includes(detail.toLowerCase()))).toEqual([]);
    expect(shipments.length).toBeGreaterThanOrEqual(20);
  });

  test('no personal data is found in any column, label file or Redis key', async () => {
    await goAheadDays(FOURTEEN_MONTHS_DAYS);
    before = await figures();
    await runScheduledJobs();
    await goAheadDays(FOURTEEN_MONTHS_DAYS + 1); // label files follow an hour later
    await runScheduledJobs();
    expect(tracesIn(await everythingKept(world.server))).toEqual([]);
  });

  test('money and statistics are unchanged, byte for byte', async () => {
    await goAheadDays(FOURTEEN_MONTHS_DAYS);
    expect(await figures()).toEqual(before);
  });

  test('the audit finds nothing', async () => {
    expect(await brokenInvariants(world.server, clock.now())).toEqual([]);
    const { code, stdout } = await runNavette(['audit'], world.server.environment);
    expect([code, stdout]).toEqual([0, expect.stringContaining('nothing of a shipment names a person')]);
  });

  test('responses match the contract, with town, postal code and amounts', async () => {
    const { server, shop } = world;
    for (const { id, referenceNumber, kind } of shipments) {
      const { status, body } = await server.call(shop, 'GET', `/shipping/${id}`);
      expect(faultsIn(ENDPOINTS.getShipment, status, body)).toEqual([]);
      const { shipping } = body;
      expect(shipping).toMatchObject({
        referenceNumber,
        status: kind.startsWith('cancelled') ? 'cancelled' : 'delivered',
        parcelDetails: { nature: ERASED },
        notes: null,
        groupReference: null,
        deliveryAddress: { recipientName: ERASED, street: ERASED, city: 'Paris', postalCode: '75001', email: ERASED },
        metadata: {},
        collectionContact: null,
        deliverer: kind.startsWith('cancelled') ? null : world.driver.id,
      });
      expect(shipping.price).toBeGreaterThan(0);
      const byReference = await server.call(shop, 'GET', `/shipping/reference/${referenceNumber}`);
      expect(byReference.body).toEqual(body);
      const tracked = await server.call(shop, 'GET', `/shipping/tracking/${referenceNumber}`);
      expect(faultsIn(ENDPOINTS.trackShipment, tracked.status, tracked.body)).toEqual([]);
      expect(tracked.body.tracking).toMatchObject({ from: 'Paris', to: 'Paris', deliverer: null });
    }
    const list = await server.call(shop, 'GET', '/shipping');
    expect(faultsIn(ENDPOINTS.listShipments, list.status, list.body)).toEqual([]);
    const all = await server.call(shop, 'GET', '/shipping/labels');
    expect(faultsIn(ENDPOINTS.exportShipments, all.status, all.body)).toEqual([]);
  });

  test('members see the date of erasure, and search by reference and town only', async () => {
    const { member } = world;
    const [{ id, referenceNumber, people }] = shipments as [KnownShipment];
    const detail = await member.call('readShipment', { params: { id } });
    expect(detail.status).toBe(200);
    expect(Date.parse(detail.body.personalDataErasedAt)).toBeCloseTo(clock.now().getTime(), -6);
    const found = async (search: string) =>
      (await member.call('listShipments', { query: { search, limit: 100 } })).body.shipments;
    expect(await found(referenceNumber)).toMatchObject([{ id, recipientName: ERASED }]);
    expect(await found('paris')).toHaveLength(shipments.length);
    for (const nothing of [people[0]?.name ?? '', 'efface', 'import-0']) expect(await found(nothing)).toEqual([]);
  });

  test('labels are deleted: the API returns 404, old links return 410, exports omit them', async () => {
    const { server, shop, member } = world;
    for (const { id, pdfUrl } of shipments) {
      for (const title of Object.keys(LABEL_LINK_ENDPOINTS)) {
        const [method = '', path = ''] = title.split(' ');
        expect(await server.call(shop, method, path.replace(':id', id))).toEqual(messageOnly(404));
      }
      expect((await followLink(server, pdfUrl)).status).toBe(410);
      expect(await member.call('readLabel', { params: { id } })).toMatchObject({
        status: 404,
        body: { error: 'LABEL_ERASED' },
      });
    }
    const fresh = (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() })).body.shipping._id;
    const exported = (body: unknown) => server.call(shop, 'POST', '/shipping/pdf/export', { body });
    const shippingIds = [fresh, shipments[0]?.id];
    expect(await exported({ scope: 'selected', shippingIds })).toEqual(messageOnly(404));
    expect((await exported({ scope: 'filtered', filters: {} })).status).toBe(200);
    expect(await exported({ scope: 'filtered', filters: { status: 'cancelled' } })).toEqual(messageOnly(404));
    expect((await member.call('printLabels', { body: { filters: {} } })).status).toBe(200);
    await server.call(shop, 'PUT', `/shipping/${fresh}/cancel`);
  });

  test('recipients’ pages are no longer available', async () => {
    const { url, config } = world.server;
    for (const { referenceNumber } of shipments) {
      const answer = await fetch(`${url}/t/${signReference(config.linkSecrets, 'track', referenceNumber)}`);
      expect(answer.status).toBe(410);
    }
  });

  test('an idempotency key still returns its shipment, and a conflict for other accounts', async () => {
    const { server, shop } = world;
    const other = await server.createAccount({ paymentMode: 'deferred' });
    const natural = shipments.filter(({ idempotencyKey }) => idempotencyKey);
    expect(natural.length).toBeGreaterThanOrEqual(5);
    for (const { id, idempotencyKey } of natural) {
      const headers = { 'x-idempotency-key': String(idempotencyKey) };
      const replay = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(), headers });
      expect(replay).toMatchObject({ status: 200, body: { idempotent: true, shipping: { _id: id } } });
      expect(faultsIn(ENDPOINTS.createShipment, 200, replay.body)).toEqual([]);
      const foreign = await server.call(other, 'POST', '/shipping', { body: shipmentRequest(), headers });
      expect(foreign).toMatchObject({ status: 409, body: { error: 'IDEMPOTENCY_KEY_CONFLICT' } });
    }
  });

  test('the operator’s explanation of a shipment omits free-text reasons', async () => {
    const story = async (kind: string) => {
      const { referenceNumber } = shipments.find((one) => one.kind === kind) as KnownShipment;
      return (await runNavette(['shipment', 'explain', referenceNumber], world.server.environment)).stdout;
    };
    expect(await story('given back')).toContain(`gave it back: “${ERASED}”`);
    expect(await story('delivered by the operator')).toContain(`without the code: “${ERASED}”`);
  });

  test('the worker logs how much it erased, and no log line contains personal data', async () => {
    const lines = worker
      .logged()
      .split('\n')
      .filter((line) => line.includes('personal data erased'));
    expect(JSON.parse(lines[0] ?? '{}').erased).toMatchObject({ shipments: shipments.length });
    expect(lines.some((line) => JSON.parse(line).erased.labelFiles === shipments.length)).toBe(true);
    expect(tracesIn(worker.logged().toLowerCase())).toEqual([]);
    expect(tracesIn(world.server.logged().toLowerCase())).toEqual([]);
  });
});
