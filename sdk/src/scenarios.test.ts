import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDriver } from '../../server/src/features/drivers/index.ts';
import { signedHeaders } from '../../server/src/features/webhooks/signature.ts';
import { freePort } from '../../server/test/free-port.ts';
import { moveShipment } from '../../server/test/move-shipment.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/test-server.ts';
import {
  type ClientSettings,
  type Failure,
  phpClient,
  type ScenarioClient,
  typescriptClient,
} from '../test/clients.ts';
import { type Fault, type FaultProxy, seededFaults, startFaultProxy } from '../test/fault-proxy.ts';

let server: TestServer;
let proxy: FaultProxy;
let folder: string;
/** Faults of the next requests, in order. */
let faults: (Fault | null)[] = [];
let chooseFault = () => faults.shift() ?? null;

beforeAll(async () => {
  const port = String(await freePort());
  server = await startTestServer({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'error' });
  proxy = await startFaultProxy(server.url, () => chooseFault());
  folder = await mkdtemp(join(tmpdir(), 'navette-sdk-'));
});
afterAll(async () => {
  await proxy.stop();
  await server.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  faults = [];
  chooseFault = () => faults.shift() ?? null;
});

const failureOf = (call: Promise<unknown>): Promise<Failure> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error) => error,
  );
const shipmentsOf = async (account: TestAccount) => {
  const { rows } = await server.pools.main.query<{ shipments: number; charges: number }>(
    `select (select count(*)::int from shipments where account_id = $1) as shipments,
            (select count(*)::int from ledger_entries where account_id = $1 and shipment_id is not null) as charges`,
    [account.id],
  );
  return rows[0];
};
const driverId = async () => {
  const driver = {
    firstName: 'Ana',
    lastName: 'Leroy',
    phoneNumber: '+33611111111',
    email: `${randomUUID()}@example.org`,
  };
  return (await createDriver(server.db, driver)).id;
};
const requests = (count: number) =>
  Array.from({ length: count }, (_, i) => shipmentRequest({ externalReference: { orderId: `order-${i}` } }));

test('both clients derive the same key from an order', async () => {
  const account = { clientId: 'nvc_abc', key: 'k', id: '' };
  const typescript = open(typescriptClient, account);
  const php = open(phpClient, account);
  for (const order of [{ orderId: 2041 }, { orderId: 'é/#1', shopDomain: 'shop.example.org', parcel: 2 }]) {
    const key = await typescript.keyFor(order);
    expect(key).toMatch(/^nvc_abc\.[0-9a-f]{40}$/);
    expect(await php.keyFor(order)).toBe(key);
  }
  php.stop();
});

const open = (client: (settings: ClientSettings) => ScenarioClient, account: TestAccount, changes = {}) =>
  client({
    url: proxy.url,
    apiKey: account.key,
    clientId: account.clientId,
    ...{ timeoutMs: 60_000, retries: 5, backoffMs: 1, ...changes },
  });

describe.each([
  ['TypeScript', typescriptClient],
  ['PHP', phpClient],
])('the %s client', (_name, createClient) => {
  let account: TestAccount;
  let client: ScenarioClient;
  beforeAll(async () => {
    account = await server.createAccount({ paymentMode: 'deferred' });
    client = open(createClient, account);
  });
  afterAll(() => client.stop());

  test('creates a shipment, and returns the same one for the same key', async () => {
    const key = await client.keyFor({ orderId: 'first' });
    const first = await client.create(shipmentRequest(), key);
    const second = await client.create(shipmentRequest(), key);
    expect(first).toMatchObject({ replayed: false, idempotencyKey: key, shipment: { status: 'created', price: 8.5 } });
    expect(second).toMatchObject({ replayed: true, shipment: { _id: first.shipment._id } });
  });

  test.each<Fault>(['cut-before', 'cut-after', 'cut-body', 'html', 'html-ok'])(
    'creates one shipment when the first response is %s',
    async (fault) => {
      const before = await shipmentsOf(account);
      faults = [fault];
      const { shipment } = await client.create(shipmentRequest());
      expect((await client.get(shipment._id))._id).toBe(shipment._id);
      const after = await shipmentsOf(account);
      expect(after?.shipments).toBe((before?.shipments ?? 0) + 1);
      expect(after?.charges).toBe(after?.shipments);
    },
  );

  test('gives an attempt up after its time limit and sends the next with the same key', async () => {
    const impatient = open(createClient, account, { timeoutMs: 1_500, retries: 50, deadlineMs: 600_000 });
    const before = await shipmentsOf(account);
    faults = ['hang'];
    await impatient.create(shipmentRequest());
    impatient.stop();
    expect((await shipmentsOf(account))?.shipments).toBe((before?.shipments ?? 0) + 1);
  });

  test('ends with the total time limit, however many retries are left', async () => {
    const short = open(createClient, account, { deadlineMs: 700, retries: 1_000, backoffMs: 100 });
    chooseFault = () => 'cut-before';
    const failure = await failureOf(short.create(shipmentRequest(), 'key-of-a-short-call'));
    short.stop();
    expect(failure).toMatchObject({ isRetryable: true, idempotencyKey: 'key-of-a-short-call' });
    expect(['network', 'timeout']).toContain(failure.slug);
    expect(failure.attempts).toBeLessThan(1_000);
    expect(failure.remedy).toContain('same idempotency key');
  });

  test('retries a 400 with only a message on create and quote, and nowhere else', async () => {
    const internal = { status: 400, body: { success: false, message: 'Erreur interne.' } };
    faults = [internal];
    const { shipment } = await client.create(shipmentRequest());
    faults = [internal, internal];
    expect((await client.quote({ weight: 2 })).price).toBe(8.5);
    faults = [internal];
    expect(await failureOf(client.cancel(shipment._id))).toMatchObject({ slug: 'refused', attempts: 1 });
    const refusal = client.create(shipmentRequest({ scheduledDate: '2020-01-01', timeSlot: '14h-16h' }));
    expect(await failureOf(refusal)).toMatchObject({ slug: 'refused', status: 400, attempts: 3 });
  });

  test('reports invalid fields at once', async () => {
    const invalid = shipmentRequest({ parcelDetails: { weight: -1, nature: 'Livre' } });
    const failure = await failureOf(client.create(invalid));
    expect(failure).toMatchObject({ slug: 'field_errors', status: 400, attempts: 1, isRetryable: false });
    expect(failure.fieldErrors.map(({ path }) => path)).toEqual(['parcelDetails.weight']);
  });

  test('never retries a 409', async () => {
    const key = randomUUID();
    const other = await server.createAccount({ paymentMode: 'deferred' });
    await server.call(other, 'POST', '/shipping', { body: shipmentRequest(), headers: { 'x-idempotency-key': key } });
    const failure = await failureOf(client.create(shipmentRequest(), key));
    expect(failure).toMatchObject({ slug: 'IDEMPOTENCY_KEY_CONFLICT', status: 409, attempts: 1 });
    expect(failure.remedy).toBe('Retry with a new key.');
  });

  test('waits for the end of the minute window on the server’s clock', async () => {
    const date = new Date(Date.now() - 3_600_000); // the clock here is an hour ahead
    const reset = String(Math.floor(date.getTime() / 1000) + 1);
    const body = { success: false, message: 'Trop de requêtes.', window: 'minute' };
    faults = [{ status: 429, headers: { date: date.toUTCString(), 'x-ratelimit-reset': reset }, body }];
    await client.quote({ weight: 2 });
    const [wait = null, ...rest] = client.waits();
    expect(rest).toEqual([null]);
    expect(wait).toBeGreaterThanOrEqual(1_000);
    expect(wait).toBeLessThanOrEqual(2_100);
  });

  test('does not wait for the end of an hour', async () => {
    const limited = await server.createAccount({ rateLimits: { minute: 100, hour: 1, day: 100 } });
    const own = open(createClient, limited);
    await own.quote({ weight: 2 });
    const failure = await failureOf(own.quote({ weight: 2 }));
    own.stop();
    expect(failure).toMatchObject({ slug: 'rate_limited', status: 429, attempts: 1, fields: { window: 'hour' } });
  });

  test('returns the slug of a refusal, its fields, its remedy and the id of the request', async () => {
    const poor = await server.createAccount({ paymentMode: 'prepaid' });
    const own = open(createClient, poor);
    const failure = await failureOf(own.create(shipmentRequest()));
    own.stop();
    expect(failure).toMatchObject({
      slug: 'INSUFFICIENT_BALANCE',
      status: 403,
      attempts: 1,
      fields: { currentBalance: 0, requiredAmount: 8.5 },
      remedy: 'Top up the account, then retry with the same idempotency key.',
    });
    expect(failure.requestId).toMatch(/^[\w-]{36}$/);
  });

  test('does not send the creation of a webhook twice', async () => {
    faults = ['cut-after'];
    const body = { url: `https://shop.example.org/${randomUUID()}`, events: ['shipping.created'] };
    expect(await failureOf(client.createWebhook(body))).toMatchObject({ slug: 'network', attempts: 1 });
    expect(await failureOf(client.createWebhook(body))).toMatchObject({ slug: 'VALIDATION_ERROR', attempts: 1 });
  });

  test('escapes ids, and reports an unknown one', async () => {
    expect(await failureOf(client.get('a/b?c'))).toMatchObject({ slug: 'not_found', status: 404, attempts: 1 });
  });

  test('returns labels as bytes, alone and merged', async () => {
    const { shipment } = await client.create(shipmentRequest());
    const one = await client.labelPdf(shipment._id);
    const two = await client.exportLabels([shipment._id, (await client.create(shipmentRequest())).shipment._id]);
    for (const pdf of [one, two]) expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(two.length).toBeGreaterThan(one.length);
  });

  describe('with seven shipments', () => {
    let own: ScenarioClient;
    let ids: string[];
    beforeAll(async () => {
      const merchant = await server.createAccount({ paymentMode: 'deferred' });
      own = open(createClient, merchant);
      const batch = { shippings: requests(7) };
      const { body } = await server.call(merchant, 'POST', '/shipping/batch', { body: batch });
      ids = body.shippings.map(({ shipping }: { shipping: { _id: string } }) => shipping._id).reverse();
    });
    afterAll(() => own.stop());

    test('lists all of them, page by page, through faults', async () => {
      faults = ['html', null, 'cut-body'];
      expect(await own.collect({ limit: 3 })).toEqual({ ids, cursor: null });
    });

    test('goes on from the cursor of an interrupted list', async () => {
      const first = await own.collect({ limit: 3 }, 5);
      expect(first.ids).toEqual(ids.slice(0, 5));
      const second = await own.collect({ limit: 3, cursor: first.cursor });
      expect(second.ids).toEqual(ids.slice(3));
    });

    test('exports all of them, and does not take a cut for the end', async () => {
      expect(await own.exportIds()).toEqual(ids);
      faults = ['cut-body'];
      expect(await failureOf(own.exportIds())).toMatchObject({ slug: 'network', isRetryable: true });
    });
  });

  describe('createMany', () => {
    test.each<[string, (Fault | null)[]]>([
      ['no fault', []],
      ['a lost response', [null, 'cut-after']],
      ['a lost request', [null, 'cut-before']],
      ['an error page instead of the response', [null, 'html']],
    ])('creates each entry once with %s, and none when it is repeated', async (_fault, sequence) => {
      const merchant = await server.createAccount({ paymentMode: 'deferred' });
      const own = open(createClient, merchant);
      const entries = requests(4);
      entries[2] = shipmentRequest({ parcelDetails: { weight: 0, nature: 'Livre' } });
      faults = sequence;
      const first = await own.createMany(entries, 'batch-1', 0);
      expect(first.created.map(({ index }) => index)).toEqual([0, 1, 3]);
      expect(first.failed).toMatchObject([{ index: 2, slug: null }]);
      const second = await own.createMany(entries, 'batch-1', 0);
      expect(second.created.map(({ shipment }) => shipment._id)).toEqual(
        first.created.map(({ shipment }) => shipment._id),
      );
      expect(second.created.every(({ replayed }) => replayed)).toBe(true);
      expect(second.failed).toHaveLength(1);
      own.stop();
      expect(await shipmentsOf(merchant)).toEqual({ shipments: 3, charges: 3 });
    });

    test('finds entries of groups of their own, and tells two parcels of one order apart', async () => {
      const merchant = await server.createAccount({ paymentMode: 'deferred' });
      const own = open(createClient, merchant);
      const parcel = (groupReference: string) =>
        shipmentRequest({ groupReference, externalReference: { orderId: '2041' } });
      const entries = [parcel('A'), parcel('A'), parcel('B'), ...requests(120)];
      faults = [null, null, null, 'cut-after'];
      const { created } = await own.createMany(entries, 'batch-2', 0);
      own.stop();
      expect(created.map(({ index }) => index)).toEqual([...entries.keys()]);
      expect(new Set(created.map(({ shipment }) => shipment._id)).size).toBe(entries.length);
      expect(await shipmentsOf(merchant)).toEqual({ shipments: 123, charges: 123 });
    });

    test('waits for a batch that is still running when its connection breaks', async () => {
      const merchant = await server.createAccount({ paymentMode: 'deferred' });
      const own = open(createClient, merchant);
      faults = [null, 'cut-early'];
      const { created } = await own.createMany(requests(3), 'batch-4', 60_000);
      own.stop();
      expect(created.map(({ replayed }) => replayed)).toEqual([true, true, true]);
      expect(await shipmentsOf(merchant)).toEqual({ shipments: 3, charges: 3 });
    });

    test('reports a blocked account', async () => {
      const blocked = await server.createAccount({ contractSigned: false });
      const own = open(createClient, blocked);
      const failure = await failureOf(own.createMany(requests(1), 'batch-3', 0));
      own.stop();
      expect(failure).toMatchObject({ slug: 'CONTRACT_SIGNATURE_REQUIRED', status: 403 });
    });
  });

  test('reconcile gives handlers the changes that no webhook announced, once', async () => {
    const merchant = await server.createAccount({ paymentMode: 'deferred' });
    const own = open(createClient, merchant);
    const { shipment } = await own.create(shipmentRequest({ externalReference: { orderId: '7' } }));
    const quiet = { channel: 'realtime', driverId: await driverId() } as const;
    for (const trigger of ['assign', 'abandon', 'assign', 'pick_up', 'depart', 'deliver'] as const) {
      expect(await moveShipment(server, merchant, shipment._id, trigger, quiet)).toMatchObject({ outcome: 'changed' });
    }
    const store = await mkdtemp(join(folder, 'store-'));
    const since = new Date(Date.now() - 3_600_000).toISOString();

    const failing = await own.reconcile(since, store, 'shipping.picked_up');
    expect(failing.result).toMatchObject({ changed: 1, handled: 3, failed: 1, next: since });
    const { result, handled } = await own.reconcile(since, store);
    expect(result).toMatchObject({ changed: 1, handled: 1, failed: 0 });
    expect(Date.parse(result.next)).toBeGreaterThan(Date.parse(since));
    expect(Date.parse(result.next)).toBeLessThan(Date.now());
    expect((await own.reconcile(since, store)).handled).toEqual([]);
    own.stop();

    const all = [...failing.handled, ...handled];
    expect(all.map(({ event }) => event.event)).toEqual([
      ...['shipping.created', 'shipping.assigned', 'shipping.delivered', 'shipping.picked_up'],
    ]);
    const [created] = await server.db
      .selectFrom('events')
      .select('body')
      .where('shipment_id', '=', shipment._id)
      .where('type', '=', 'shipping.created')
      .execute();
    expect(all[0]).toEqual({ event: JSON.parse(created?.body ?? ''), origin: 'reconcile' }); // as the webhook would be
    expect(all[2]?.event.data).toMatchObject({ status: 'delivered', deliverer: { id: quiet.driverId, name: null } });
  });

  test('verifies the signature of the service, and no other', async () => {
    const body = Buffer.from('{"event":"shipping.created","data":{"id":"1","recipientName":"Zoé 👍 \u2028"}}');
    const sign = (secret: string, at = new Date()) =>
      Object.fromEntries(
        Object.entries(signedHeaders(secret, 'shipping.created', at, body)).map(([name, value]) => [
          name.toLowerCase(),
          value,
        ]),
      );
    expect(await client.verify(sign('clé'), body, ['old', 'clé'])).toEqual(JSON.parse(body.toString()));
    const refused = async (headers: Record<string, string>, bytes = body) =>
      (await failureOf(client.verify(headers, bytes, ['clé']))).slug;
    expect(await refused(sign('another'))).toBe('webhook_signature');
    expect(await refused(sign('clé'), Buffer.concat([body, Buffer.from(' ')]))).toBe('webhook_signature');
    expect(await refused({ ...sign('clé'), 'x-service-timestamp': new Date(0).toISOString() })).toBe(
      'webhook_signature',
    );
    expect(await refused({ ...sign('clé'), 'x-service-signature': 'sha256=é' })).toBe('webhook_signature');
    expect(await refused(sign('clé', new Date(Date.now() - 600_000)))).toBe('webhook_expired');
    expect(await refused({})).toBe('webhook_unsigned');
  });

  test('creates 20 shipments through seeded faults, one charge each', async () => {
    const merchant = await server.createAccount({ paymentMode: 'deferred' });
    const own = open(createClient, merchant, { retries: 60, timeoutMs: 3_000, deadlineMs: 600_000 });
    chooseFault = seededFaults(7, 0.4);
    for (let order = 0; order < 20; order++) {
      await own.create(shipmentRequest(), await own.keyFor({ orderId: order }));
    }
    own.stop();
    expect(await shipmentsOf(merchant)).toEqual({ shipments: 20, charges: 20 });
  });
});
