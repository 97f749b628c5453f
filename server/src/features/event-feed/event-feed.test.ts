import { randomUUIDv7 } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_FEED, type FeedEvent } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseShipment } from '../../../test/erase-shipment.ts';
import { eventually } from '../../../test/eventually.ts';
import { waitForLockWaits } from '../../../test/lock-waits.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { subscribe } from '../../../test/subscribe.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createTwin } from '../../../test/twin.ts';
import { startWebhookReceiver } from '../../../test/webhook-receiver.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { listKeys, revokeAnyKey } from '../api-keys/index.ts';
import { changeStatus } from '../shipments/change-status.ts';
import { createFeedWatcher } from './feed-watcher.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
});
afterAll(() => server.stop());

const rateLimits = { minute: 100_000, hour: 100_000, day: 100_000 };
const newAccount = () => server.createAccount({ paymentMode: 'deferred', rateLimits });

async function ship(account: TestAccount, externalReference = {}): Promise<string> {
  const { body } = await server.call(account, 'POST', '/shipping', { body: shipmentRequest({ externalReference }) });
  return body.shipping._id;
}

type Pull = { after?: string; since?: string; limit?: string; wait?: string };
const pull = (account: Partial<TestAccount>, query: Pull = { after: '0' }) =>
  server.call(account, 'GET', '/feed/events', { query: query as Record<string, string> });
const typesIn = (events: FeedEvent[]) => events.map(({ event, body }) => `${event} ${JSON.parse(body).data.id}`);

describe('GET /feed/events', () => {
  test('returns the events of the account in order, page by page, and nothing of another account', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const ids = [await ship(account), await ship(account), await ship(account)];
    await ship(other);
    await moveShipment(server, account, ids[0] ?? '', 'cancel');
    const { status, body } = await pull(account, { after: '0', limit: '3' });
    expect(status).toBe(200);
    expect(typesIn(body.events)).toEqual(ids.map((id) => `shipping.created ${id}`));
    expect(body).toMatchObject({ hasMore: true, cursor: body.events[2].cursor });
    const next = await pull(account, { after: body.events[1].cursor });
    expect(typesIn(next.body.events)).toEqual([`shipping.created ${ids[2]}`, `shipping.cancelled ${ids[0]}`]);
    expect(next.body.hasMore).toBe(false);
    expect((await pull(account, { after: next.body.cursor })).body).toMatchObject({ events: [] });
  });

  test('starts now without a cursor, and at a moment with `since`', async () => {
    const account = await newAccount();
    await ship(account);
    const start = await pull(account, {});
    expect(start.body).toEqual({ success: true, events: [], cursor: '1', hasMore: false });
    const since = new Date().toISOString();
    const id = await ship(account);
    expect(typesIn((await pull(account, { since })).body.events)).toEqual([`shipping.created ${id}`]);
    expect((await pull(account, { since: new Date(0).toISOString() })).body.events).toHaveLength(2);
    expect((await pull(account, { since: new Date(Date.now() + 60_000).toISOString() })).body.cursor).toBe('2');
  });

  test('has the bytes that a webhook carries, for live and test keys', async () => {
    const receiver = await startWebhookReceiver();
    const live = await newAccount();
    try {
      for (const [i, account] of [live, await createTwin(server, live)].entries()) {
        await subscribe(server, receiver, account, `/${i}`);
        await ship(account, { orderId: `"é\\ \u2028 ${i} 😀</script>` });
        await withWorker(server, () => eventually(() => expect(receiver.to(`/${i}`)).toHaveLength(1)));
        const [event] = (await pull(account)).body.events;
        expect(Buffer.from(event.body).equals(receiver.to(`/${i}`)[0]?.body ?? Buffer.alloc(0))).toBe(true);
        expect(event.event).toBe(receiver.to(`/${i}`)[0]?.headers['x-service-event']);
      }
    } finally {
      await receiver.stop();
    }
  });

  test('needs the scope read only, and refuses a cursor that is not of this account', async () => {
    const account = await server.createAccount({}, ['read']);
    expect((await pull(account)).status).toBe(200);
    expect((await pull(await server.createAccount({}, ['write']))).body.error).toBe('INSUFFICIENT_PERMISSIONS');
    expect(await pull(account, { after: '7' })).toMatchObject({ status: 400, body: { message: /Curseur/ } });
    for (const query of [{ after: '-1' }, { after: 'x' }, { limit: '101' }, { wait: '21' }, { since: 'now' }] as Pull[])
      expect((await pull(account, query)).body.errors).toHaveLength(1);
  });

  test('leaves out events whose personal data was erased, and goes on after them', async () => {
    const account = await newAccount();
    const [erased, kept] = [await ship(account), await ship(account)];
    await eraseShipment(server, account.id, erased);
    const { body } = await pull(account);
    expect(typesIn(body.events)).toEqual([`shipping.created ${kept}`]);
    const onlyErased = await pull(account, { after: '0', limit: '1' });
    expect(onlyErased.body).toMatchObject({ events: [], cursor: '1', hasMore: true });
  });

  test('keeps its positions when the test account is emptied', async () => {
    const twin = await createTwin(server, await newAccount());
    await ship(twin);
    const { cursor } = (await pull(twin)).body;
    await server.call(twin, 'DELETE', '/test/data');
    const id = await ship(twin);
    expect(typesIn((await pull(twin, { after: cursor })).body.events)).toEqual([`shipping.created ${id}`]);
  });
});

const cancel = () => ({ trigger: 'cancel', channel: 'http', now: new Date(), timeZone: 'Europe/Paris' }) as const;

describe('an event that commits late', () => {
  test('comes before the events that waited for it: no position is visible before a smaller one', async () => {
    const account = await newAccount();
    const [first, second] = [await ship(account), await ship(account)];
    const start = (await pull(account, {})).body.cursor;
    const slow = await server.db.startTransaction().execute();
    await changeStatus(slow, server.jobs, account.id, first, cancel());
    const quick = moveShipment(server, account, second, 'cancel');
    await waitForLockWaits(server.db, 1);
    expect((await pull(account, { after: start })).body).toMatchObject({ events: [], cursor: start });
    await slow.commit().execute();
    await quick;
    const { events } = (await pull(account, { after: start })).body;
    expect(typesIn(events)).toEqual([`shipping.cancelled ${first}`, `shipping.cancelled ${second}`]);
  });

  test('is not lost when a process of the previous version wrote it, with an id that the cursor has passed', async () => {
    const account = await newAccount();
    const shipmentId = await ship(account);
    const early = { ...(await eventRow(account, shipmentId)), id: randomUUIDv7(), type: 'shipping.assigned' };
    const slow = await server.db.startTransaction().execute();
    await slow
      .insertInto('events')
      .values({ ...early, feed_position: null })
      .execute();
    await ship(account);
    const { events: before, cursor } = (await pull(account)).body;
    expect(before).toHaveLength(2);
    expect(early.id < before[1].id).toBe(true);
    await slow.commit().execute();
    const { events } = (await pull(account, { after: cursor })).body;
    expect(events.map(({ id }: FeedEvent) => id)).toEqual([early.id]);
    await ship(account);
    expect((await pull(account)).body.events).toHaveLength(4);
  });

  const eventRow = (account: TestAccount, shipmentId: string) =>
    server.db
      .selectFrom('events')
      .selectAll()
      .where('account_id', '=', account.id)
      .where('shipment_id', '=', shipmentId)
      .executeTakeFirstOrThrow();

  test('concurrent writers and a reader: the reader misses nothing and sees positions without gaps', async () => {
    const account = await newAccount();
    const total = 60;
    let after = '0';
    const seen: FeedEvent[] = [];
    const writers = Array.from({ length: 4 }, async () => {
      for (let i = 0; i < total / 12; i++) {
        const id = await ship(account);
        await moveShipment(server, account, id, 'assign', { driverId: randomUUIDv7() });
        await moveShipment(server, account, id, 'assign', { driverId: randomUUIDv7() }); // a reassignment
      }
    });
    const written = Promise.all(writers);
    while (seen.length < total) {
      const { status, body } = await pull(account, { after, limit: '7' });
      expect(status).toBe(200);
      seen.push(...body.events);
      after = body.cursor;
    }
    await written;
    expect(seen.map(({ cursor }) => Number(cursor))).toEqual(Array.from({ length: total }, (_, i) => i + 1));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(total);
  });
});

describe('a pull that waits', () => {
  test('returns as soon as an event is there, and with nothing when its time is over', async () => {
    const account = await newAccount();
    const { cursor } = (await pull(account, {})).body;
    const waiting = pull(account, { after: cursor, wait: '20' });
    const id = await ship(account);
    expect(typesIn((await waiting).body.events)).toEqual([`shipping.created ${id}`]);
    const [event] = (await pull(account)).body.events;
    expect((await pull(account, { after: event.cursor, wait: '1' })).body).toMatchObject({ events: [] });
  });

  test('is refused beyond the bound of waiting pulls, and ends when its client is gone', async () => {
    const account = await newAccount();
    const watcher = createFeedWatcher(server.db, server.app.log);
    const clients = Array.from({ length: EVENT_FEED.mostWaiting }, () => new EventEmitter());
    const wait = (client: EventEmitter) => watcher.wait(account.id, 0, 3_600_000, client);
    const waits = clients.map(wait);
    await expect(wait(new EventEmitter())).rejects.toMatchObject({ status: 429 });
    clients[0]?.emit('close');
    await waits[0];
    waits.push(wait(new EventEmitter()));
    await expect(wait(new EventEmitter())).rejects.toMatchObject({ status: 429 });
    watcher.stop();
    await Promise.all(waits);
  });

  test.each([
    [
      'revoked',
      401,
      async ({ id }: TestAccount) => {
        const [key] = await listKeys(server.db, id);
        await revokeAnyKey(server.db, key?.id ?? '');
      },
    ],
    [
      'narrowed to other resources',
      403,
      async ({ id }: TestAccount) => {
        const narrowing = { networks: null, resources: ['shipments'] };
        await server.db.updateTable('api_keys').set(narrowing).where('account_id', '=', id).execute();
      },
    ],
  ])('gives nothing to a key that was %s meanwhile', async (_change, refused, change) => {
    const account = await newAccount();
    const id = await ship(account);
    const { cursor } = (await pull(account, {})).body;
    /** Until it is refused: on a slow machine one wait may end before the change. */
    const readUntilRefused = async (): Promise<FeedEvent[]> => {
      const { status, body } = await pull(account, { after: cursor, wait: '20' });
      return status === refused ? [] : [...body.events, ...(await readUntilRefused())];
    };
    const arrived = once(server.app.server, 'request');
    const reading = readUntilRefused();
    await arrived;
    await delay(500); // on a usual machine it waits by then
    await change(account);
    await moveShipment(server, account, id, 'cancel');
    expect(await reading).toEqual([]);
  });

  test('counts in windows of its own, and is not in the request log', async () => {
    const account = await server.createAccount({ rateLimits: { minute: 3, hour: 1_000, day: 1_000 } });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await pull(account)).status);
    expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(1); // a new minute may begin
    expect((await server.call(account, 'GET', '/account')).headers.get('x-ratelimit-remaining')).toBe('2');
  });
});

test('pulls under way are answered when the process stops', async () => {
  const alone = await startTestServer();
  const account = await alone.createAccount({ rateLimits });
  const { cursor } = (await alone.call(account, 'GET', '/feed/events', { query: {} })).body;
  const arrived = once(alone.app.server, 'request');
  const answer = alone.call(account, 'GET', '/feed/events', { query: { after: cursor, wait: '20' } });
  await arrived;
  await alone.stop();
  expect((await answer).status).toBe(200);
});
