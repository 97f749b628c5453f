import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { crowd } from '../../../test/crowd.ts';
import { freePort } from '../../../test/free-port.ts';
import { withMachineLag } from '../../../test/machine-lag.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { subscribe } from '../../../test/subscribe.ts';
import type { TestAccount } from '../../../test/test-server.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { followChangeJob } from '../../jobs/definitions.ts';

const EVENTS = 600; // `npm run bench -- webhook-chaos` sends 5,000
const BATCH = 100;
const WAIT = { timeout: 240_000, interval: 100 };

const { server, receiver, stop } = await startWebhookServer({ WEBHOOK_HOST_PER_SECOND: '10000' });
afterAll(stop);

const newShop = () => server.createAccount({ paymentMode: 'deferred' });
const create = async (shop: TestAccount) =>
  (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() })).body.shipping;
async function createMany(shop: TestAccount, count: number): Promise<string[]> {
  const shippings = Array(count).fill(shipmentRequest());
  const { body } = await server.call(shop, 'POST', '/shipping/batch', { body: { shippings } });
  return body.shippings.map(({ shipping }: { shipping: { _id: string } }) => shipping._id);
}
const deliveriesOf = (shop: TestAccount) =>
  server.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('account_id', '=', shop.id)
    .orderBy('event_id')
    .execute();
const attemptsOf = (shop: TestAccount) =>
  server.db.selectFrom('webhook_attempts').selectAll().where('account_id', '=', shop.id).orderBy('attempt').execute();
/** Waits until the account has `count` deliveries and none of them is pending. */
const settled = (shop: TestAccount, count: number) =>
  vi.waitFor(async () => {
    const statuses = (await deliveriesOf(shop)).map(({ status }) => status);
    expect({ count: statuses.length, pending: statuses.filter((status) => status === 'pending').length }).toEqual({
      count,
      pending: 0,
    });
  }, WAIT);
/** Attempts without a response: on a busy machine one may come after the sender's limit of 5 s. */
const timedOutOf = async (shops: TestAccount[]) => {
  const { rows } = await sql<{ shipmentId: string; attempt: number }>`
    select shipment_id as "shipmentId", attempt from webhook_attempts a join events e on e.id = a.event_id
    where a.account_id = any(${shops.map(({ id }) => id)}) and status is null`.execute(server.db);
  return rows;
};
const subjectOf = ({ body }: { body: Buffer }) => {
  const { event, data } = JSON.parse(body.toString());
  return `${event} ${data.id}`;
};

describe('an event', () => {
  test('reaches each subscribed webhook once, signed, with the stored bytes', async () => {
    const shop = await newShop();
    await subscribe(server, receiver, shop, '/all');
    await subscribe(server, receiver, shop, '/ends', ['shipping.delivered', 'shipping.cancelled']);
    const paused = await subscribe(server, receiver, shop, '/paused');
    await server.call(shop, 'PUT', `/webhooks/${paused._id}`, { body: { isActive: false } });
    const [kept, cancelled] = [await create(shop), await create(shop)];
    // Assigned without dispatch, so before a worker can start a search.
    await moveShipment(server, shop, kept._id, 'assign', { driverId: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f61' });
    await withWorker(server, async () => {
      for (const trigger of ['pick_up', 'depart', 'deliver'] as const)
        await moveShipment(server, shop, kept._id, trigger);
      await server.call(shop, 'PUT', `/shipping/${cancelled._id}/cancel`);
      await settled(shop, 8);
    });

    expect(receiver.to('/all').map(subjectOf).sort()).toEqual(
      [
        ...['created', 'assigned', 'picked_up', 'delivered'].map((event) => `shipping.${event} ${kept._id}`),
        ...['created', 'cancelled'].map((event) => `shipping.${event} ${cancelled._id}`),
      ].sort(),
    );
    expect(receiver.to('/ends').map(subjectOf).sort()).toEqual(
      [`shipping.delivered ${kept._id}`, `shipping.cancelled ${cancelled._id}`].sort(),
    );
    expect(receiver.to('/paused')).toEqual([]);
    expect(receiver.received.flatMap(({ faults }) => faults)).toEqual([]);
    const stored = await server.db.selectFrom('events').select('body').where('account_id', '=', shop.id).execute();
    const bodies = new Set(stored.map(({ body }) => body));
    for (const { body } of receiver.received) expect(bodies).toContain(body.toString());
  });

  test('whose follow-change job runs twice is sent once', async () => {
    const shop = await newShop();
    await subscribe(server, receiver, shop, '/twice');
    await create(shop);
    const event = await server.db
      .selectFrom('events')
      .selectAll()
      .where('account_id', '=', shop.id)
      .executeTakeFirstOrThrow();
    await withWorker(server, async () => {
      const change = {
        accountId: shop.id,
        shipmentId: event.shipment_id,
        status: 'created',
        eventId: event.id,
      } as const;
      await settled(shop, 1);
      await server.db.transaction().execute((tx) => server.jobs.send(tx, followChangeJob, change));
      const marker = await create(shop); // its job runs after the repeated one
      await vi.waitFor(
        () => expect(receiver.to('/twice').map(subjectOf)).toContain(`shipping.created ${marker._id}`),
        WAIT,
      );
      await settled(shop, 2);
    });
    expect(receiver.to('/twice')).toHaveLength(2);
  });

  test(`of ${EVENTS}: every one arrives, verified from the raw bytes, once at each webhook`, async () => {
    const shops = await crowd(4, Array(10).fill(0), newShop);
    for (const [i, shop] of shops.entries()) await subscribe(server, receiver, shop, `/many/${i}`);
    await subscribe(server, receiver, shops[0] as TestAccount, '/many/again', ['shipping.created']);
    const batches = Array.from({ length: EVENTS / BATCH }, (_, i) => i % shops.length);
    const seen = new Map<number, string[]>();
    const requests = () => receiver.received.filter(({ path }) => path.startsWith('/many/'));
    await withWorker(server, async () => {
      await crowd(3, batches, async (i) => {
        seen.set(i, [...(seen.get(i) ?? []), ...(await createMany(shops[i] as TestAccount, BATCH))]);
      });
      for (const [i, shop] of shops.entries()) await settled(shop, (seen.get(i)?.length ?? 0) * (i === 0 ? 2 : 1));
    });
    expect(requests().flatMap(({ faults }) => faults)).toEqual([]);
    const subjectsTo = (path: string) => [...new Set(receiver.to(path).map(subjectOf))].sort();
    for (const [i, ids] of seen) {
      expect(subjectsTo(`/many/${i}`)).toEqual(ids.map((id) => `shipping.created ${id}`).sort());
    }
    expect(subjectsTo('/many/again')).toEqual(subjectsTo('/many/0'));
    const again = requests().length - EVENTS - (seen.get(0)?.length ?? 0);
    expect(again).toBeLessThanOrEqual((await timedOutOf(shops)).length); // none, unless the machine is very slow
  });
});

describe('a failing endpoint', () => {
  test('gets attempts 0, 1000 and 2000 ms after the previous failure, never early, then the delivery is dropped', async () => {
    const shops = await crowd(4, Array(6).fill(0), newShop);
    const run = `/failing/${shops[0]?.id}`;
    for (const [i, shop] of shops.entries()) {
      await subscribe(server, receiver, shop, `${run}/${i}`);
      receiver.behave(`${run}/${i}`, (_request, response) => response.writeHead(i % 2 ? 500 : 301).end('no'));
    }
    const { lagMs } = await withMachineLag(server.db, () =>
      withWorker(server, async () => {
        await crowd(4, shops, (shop) => createMany(shop, 10));
        for (const shop of shops) await settled(shop, 10);
      }),
    );

    const timedOut = await timedOutOf(shops); // each had failed before its response came
    const isTimedOut = ({ body }: { body: Buffer }, attempt: number) =>
      timedOut.some((one) => one.shipmentId === JSON.parse(body.toString()).data.id && one.attempt === attempt);
    const late: [number[], number[]] = [[], []];
    const events = Map.groupBy(
      receiver.received.filter(({ path }) => path.startsWith(run)),
      subjectOf,
    );
    expect(events.size).toBe(60);
    for (const attempts of events.values()) {
      expect(attempts).toHaveLength(3);
      const [first, second, third] = attempts as [(typeof attempts)[0], (typeof attempts)[0], (typeof attempts)[0]];
      if (!isTimedOut(first, 1)) late[0].push(second.at - Number(first.answeredAt) - 1_000);
      if (!isTimedOut(second, 2)) late[1].push(third.at - Number(second.answeredAt) - 2_000);
      expect(new Set(attempts.map(({ body }) => body.toString())).size).toBe(1);
      expect(new Set(attempts.map(({ headers }) => headers['x-service-timestamp'])).size).toBe(3);
      expect(new Set(attempts.map(({ headers }) => headers['x-service-signature'])).size).toBe(3);
    }
    const figures = late
      .map((list) => list.sort((a, b) => a - b))
      .map((list) => [list[0], list[Math.floor(list.length * 0.99)]]);
    for (const [least = -1, p99 = Infinity] of figures) {
      // also fails if every attempt timed out
      expect(least).toBeGreaterThanOrEqual(0);
      expect(p99).toBeLessThan(timeLimitMs(150) + 5 * lagMs); // claim, send and record, each with a statement or more
    }
    for (const shop of shops) {
      for (const row of await deliveriesOf(shop))
        expect(row).toMatchObject({ status: 'dropped', attempts: 3, recorded: 3 });
      const [webhook] = await server.db.selectFrom('webhooks').selectAll().where('account_id', '=', shop.id).execute();
      expect(webhook?.failing_since).not.toBe(null);
    }
    const log = await attemptsOf(shops[1] as TestAccount);
    expect(log).toHaveLength(30);
    for (const line of log.filter(({ status }) => status !== null))
      expect(line).toMatchObject({ status: 500, error: null, answer: 'no' });
    expect(receiver.received.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test('that responds with 2xx to the second attempt has received the event', async () => {
    const shop = await newShop();
    await subscribe(server, receiver, shop, '/second');
    receiver.behave('/second', (_request, response, nth) => response.writeHead(nth === 1 ? 503 : 204).end());
    await withWorker(server, async () => {
      await create(shop);
      await settled(shop, 1);
    });
    expect(await deliveriesOf(shop)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
    expect((await attemptsOf(shop)).map(({ status }) => status)).toEqual([503, 204]);
  });

  test('that never responds, closes the connection, sends endlessly or is unreachable fails after 5 s at most, each with its own error', async () => {
    const shop = await newShop();
    await subscribe(server, receiver, shop, '/hangs');
    await subscribe(server, receiver, shop, '/cuts');
    await subscribe(server, receiver, shop, '/floods');
    await subscribe(server, receiver, shop, '/drips');
    const closed = { url: `http://127.0.0.1:${await freePort()}/`, events: ['shipping.created'] };
    await server.call(shop, 'POST', '/webhooks', { body: closed });
    receiver.behave('/hangs', () => {});
    receiver.behave('/cuts', (_request, response) => response.destroy());
    let flooded = 0;
    receiver.behave('/floods', (_request, response) => {
      response.writeHead(400);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) flooded += 16_384;
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    receiver.behave('/drips', (_request, response) => void response.writeHead(200).write('…')); // the status decides, not the end of the body
    const { lagMs } = await withMachineLag(server.db, () =>
      withWorker(server, async () => {
        await create(shop);
        await settled(shop, 5);
      }),
    );
    const webhooks = (await server.call(shop, 'GET', '/webhooks')).body.webhooks as { _id: string; url: string }[];
    const log = Map.groupBy(
      await attemptsOf(shop),
      ({ webhook_id }) => new URL(webhooks.find(({ _id }) => _id === webhook_id)?.url ?? '').pathname,
    );
    const lines = (path: string) => log.get(path)?.map(({ status, error }) => status ?? error);
    expect(lines('/hangs')).toEqual(['TIMEOUT', 'TIMEOUT', 'TIMEOUT']);
    expect(lines('/cuts')).toEqual(Array(3).fill('UND_ERR_SOCKET'));
    expect(lines('/floods')).toEqual([400, 400, 400]);
    expect(lines('/drips')).toEqual([200]);
    expect(lines('/')).toEqual(Array(3).fill('ECONNREFUSED'));
    for (const { duration_ms } of log.get('/hangs') ?? []) {
      expect(duration_ms).toBeGreaterThanOrEqual(4_990);
      expect(duration_ms).toBeLessThan(timeLimitMs(5_500) + lagMs);
    }
    expect(log.get('/floods')?.[0]?.answer).toBe('x'.repeat(1_024));
    expect(flooded).toBeLessThan(3 * 8 * 2 ** 20); // the size of the buffers in between, not of an endless body
  });
});

describe('a webhook', () => {
  test('that is paused or deleted receives nothing more, and its pending deliveries are cancelled', async () => {
    const shop = await newShop();
    const [paused, deleted] = [
      await subscribe(server, receiver, shop, '/to-be-paused'),
      await subscribe(server, receiver, shop, '/to-be-deleted'),
    ];
    const changed = Promise.withResolvers<void>();
    for (const path of ['/to-be-paused', '/to-be-deleted'])
      receiver.behave(path, (_request, response) => void changed.promise.then(() => response.writeHead(500).end()));
    await withWorker(server, async () => {
      await create(shop);
      await vi.waitFor(() => {
        expect(receiver.to('/to-be-paused')).toHaveLength(1);
        expect(receiver.to('/to-be-deleted')).toHaveLength(1);
      }, WAIT);
      await server.call(shop, 'PUT', `/webhooks/${paused._id}`, { body: { isActive: false } });
      await server.call(shop, 'DELETE', `/webhooks/${deleted._id}`);
      changed.resolve();
      await settled(shop, 2);
    });
    expect((await deliveriesOf(shop)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(receiver.to('/to-be-paused')).toHaveLength(1);
    expect(receiver.to('/to-be-deleted')).toHaveLength(1);
  });

  test('whose address changes between two attempts receives the next one at the new address', async () => {
    const shop = await newShop();
    const { _id, secret } = await subscribe(server, receiver, shop, '/mistyped');
    receiver.expectSecret('/corrected', secret);
    const changed = Promise.withResolvers<void>();
    receiver.behave(
      '/mistyped',
      (_request, response) => void changed.promise.then(() => response.writeHead(404).end()),
    );
    await withWorker(server, async () => {
      await create(shop);
      await vi.waitFor(() => expect(receiver.to('/mistyped')).toHaveLength(1), WAIT);
      await server.call(shop, 'PUT', `/webhooks/${_id}`, { body: { url: `${receiver.url}/corrected` } });
      changed.resolve();
      await settled(shop, 1);
    });
    expect(await deliveriesOf(shop)).toMatchObject([{ status: 'delivered' }]);
    expect(receiver.to('/corrected').map(({ faults }) => faults)).toEqual([[]]);
  });

  test('that responds again is no longer marked as failing', async () => {
    const shop = await newShop();
    const { _id } = await subscribe(server, receiver, shop, '/recovers');
    await server.db.updateTable('webhooks').set({ failing_since: new Date() }).where('id', '=', _id).execute();
    await withWorker(server, async () => {
      await create(shop);
      await settled(shop, 1);
    });
    const row = await server.db.selectFrom('webhooks').selectAll().where('id', '=', _id).executeTakeFirstOrThrow();
    expect(row.failing_since).toBe(null);
  });
});

test('afterwards every invariant holds, and no log names a recipient or a secret', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
  expect(server.logged()).not.toMatch(/Camille|camille|navette_whsec_|\+33612345678/);
});
