import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { subscribe } from '../../../test/subscribe.ts';
import type { TestAccount } from '../../../test/test-server.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { firstIdAt } from '../../database/uuid.ts';
import type { PendingWebhook } from './add-deliveries.ts';
import { auditWebhooks } from './audit-webhooks.ts';
import { purgeWebhookDeliveries } from './purge-webhook-deliveries.handler.ts';
import { resumeWebhooks } from './resume-webhooks.handler.ts';

const WAIT = { timeout: 240_000, interval: 100 };
const DAY_MS = 86_400_000;

const { server, receiver, stop } = await startWebhookServer();
afterAll(stop);

const newShop = () => server.createAccount({ paymentMode: 'deferred' });
const create = async (shop: TestAccount) =>
  (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() })).body.shipping;
const deliveriesOf = (shop: TestAccount) =>
  server.db.selectFrom('webhook_deliveries').selectAll().where('account_id', '=', shop.id).execute();
const isSettled = (shop: TestAccount, status: string) =>
  vi.waitFor(async () => expect(await deliveriesOf(shop)).toMatchObject([{ status }]), WAIT);

describe('a worker that is killed in the middle of a request', () => {
  test('costs one attempt: another worker continues within 30 s, and the log marks the attempt as interrupted', async () => {
    const shop = await newShop();
    await subscribe(server, receiver, shop, '/killed');
    receiver.behave('/killed', (_request, response, nth) => (nth === 1 ? undefined : void response.end()));
    await create(shop);
    const victim = await startNavette(['worker'], server.environment);
    await vi.waitFor(() => expect(receiver.to('/killed')).toHaveLength(1), WAIT);
    await victim.kill();
    const killedAt = performance.now();
    await withWorker(server, () => isSettled(shop, 'delivered'));
    expect(Number(receiver.to('/killed')[1]?.at) - killedAt).toBeLessThan(timeLimitMs(30_000));
    const log = await server.db
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('account_id', '=', shop.id)
      .orderBy('attempt')
      .execute();
    expect(log).toMatchObject([
      { attempt: 1, status: null, duration_ms: null, error: 'INTERRUPTED' },
      { attempt: 2, status: 200, error: null },
    ]);
  });
});

describe('a worker that stops', () => {
  test('finishes the request under way, and another worker makes the next attempt on time', async () => {
    const shop = await newShop();
    await subscribe(server, receiver, shop, '/handed-over');
    receiver.behave('/handed-over', (_request, response, nth) => response.writeHead(nth < 3 ? 500 : 200).end());
    await create(shop);
    await withWorker(server, () => vi.waitFor(() => expect(receiver.to('/handed-over')).toHaveLength(2), WAIT));
    await withWorker(server, () => isSettled(shop, 'delivered'));
    const [, second, third] = receiver.to('/handed-over');
    expect(Number(third?.at) - Number(second?.answeredAt)).toBeGreaterThanOrEqual(2_000);
    expect(receiver.to('/handed-over')).toHaveLength(3);
  });
});

describe('a lost delivery job', () => {
  test('is reported by the audit and created again, and a second wake-up changes nothing', async () => {
    const shop = await newShop();
    const { _id } = await subscribe(server, receiver, shop, '/lost');
    await create(shop);
    const [event] = await server.db.selectFrom('events').selectAll().where('account_id', '=', shop.id).execute();
    const old = new Date(Date.now() - 180_000);
    await server.db
      .insertInto('webhook_deliveries')
      .values({ account_id: shop.id, event_id: event?.id as string, webhook_id: _id, created_at: old })
      .execute();
    const broken = async () => (await auditWebhooks(server.db)).filter((finding) => finding.broken > 0);
    expect(await broken()).toMatchObject([
      { invariant: expect.stringContaining('a pending delivery has a `deliver-webhooks` job') },
    ]);

    const woken: string[] = [];
    await resumeWebhooks(
      server.db,
      async (webhooks) => void woken.push(...webhooks.map(({ webhookId }) => webhookId)),
      new Date(),
    );
    expect(woken).toEqual([_id]);
    await resumeWebhooks(server.db, async () => expect.unreachable(), new Date(old.getTime() + 1_000));
    await withWorker(server, async () => {
      await isSettled(shop, 'delivered'); // by the follow-change job, which runs only now
    });
    expect(receiver.to('/lost')).toHaveLength(1);
    expect(await broken()).toEqual([]);
  });
});

test('a delivery of an event of last week is sent, once a sender has looked at all days', async () => {
  const shop = await newShop();
  const { _id } = await subscribe(server, receiver, shop, '/of-last-week');
  await create(shop);
  const eventId = firstIdAt(new Date(Date.now() - 7 * DAY_MS));
  await sql`insert into events (account_id, id, shipment_id, type, body, created_at)
    select account_id, ${eventId}, shipment_id, 'shipping.cancelled', body, created_at from events
    where account_id = ${shop.id}`.execute(server.db);
  await server.db
    .insertInto('webhook_deliveries')
    .values({ account_id: shop.id, event_id: eventId, webhook_id: _id })
    .execute();
  await withWorker(server, () =>
    vi.waitFor(async () => {
      const statuses = (await deliveriesOf(shop)).map(({ status }) => status);
      expect(statuses).toEqual(['delivered', 'delivered']);
    }, WAIT),
  );
  expect(receiver.to('/of-last-week')).toHaveLength(2);
});

test('a failing webhook is resumed with a lower priority than healthy ones', async () => {
  const shop = await newShop();
  const old = new Date(Date.now() - 180_000);
  const failing = new Map<string, boolean>();
  for (const isFailing of [true, false]) {
    const { _id } = await subscribe(server, receiver, shop, `/resumed-${isFailing}`, ['shipping.cancelled']);
    failing.set(_id, isFailing);
    const mark = server.db.updateTable('webhooks').set({ failing_since: old }).where('id', '=', _id);
    if (isFailing) await mark.execute();
    await server.db
      .insertInto('webhook_deliveries')
      .values({ account_id: shop.id, event_id: randomUUIDv7(), webhook_id: _id, created_at: old })
      .execute();
  }
  const woken: PendingWebhook[] = [];
  await resumeWebhooks(server.db, async (webhooks) => void woken.push(...webhooks), new Date());
  const own = woken.filter(({ accountId }) => accountId === shop.id);
  expect(new Map(own.map(({ webhookId, isFailing }) => [webhookId, isFailing]))).toEqual(failing);
  await server.db.deleteFrom('webhook_deliveries').where('account_id', '=', shop.id).execute();
});

test('the database refuses a fourth attempt', async () => {
  const shop = await newShop();
  await subscribe(server, receiver, shop, '/four');
  await create(shop);
  await withWorker(server, () => isSettled(shop, 'delivered'));
  await expect(sql`update webhook_deliveries set attempts = 4`.execute(server.db)).rejects.toThrow(/check constraint/);
});

test('the worker exports metrics of its deliveries', async () => {
  const shop = await newShop();
  await subscribe(server, receiver, shop, '/measured');
  const worker = await startNavette(['worker'], server.environment);
  await create(shop);
  await isSettled(shop, 'delivered');
  const metrics = await (await fetch(`${worker.operatorUrl}/metrics`)).text();
  expect(metrics).toContain('navette_webhook_deliveries_total{outcome="delivered"} 1');
  expect(metrics).toContain('navette_webhook_attempt_seconds_count{outcome="success"} 1');
  expect(metrics).toMatch(/^navette_webhook_oldest_pending_seconds 0$/m);
  expect(await worker.stop()).toBe(0);
});

/** The last one: it drops the days that others need. */
test('the days of deliveries and attempts are dropped after 30 days, and younger ones are kept', async () => {
  const shop = await newShop();
  const { _id } = await subscribe(server, receiver, shop, '/old');
  await create(shop);
  await withWorker(server, () => isSettled(shop, 'delivered'));
  expect(await purgeWebhookDeliveries(server.db, new Date(Date.now() + 29 * DAY_MS))).toMatchObject({ rows: 0 });
  expect(await deliveriesOf(shop)).toHaveLength(1);
  const { days } = await purgeWebhookDeliveries(server.db, new Date(Date.now() + 31 * DAY_MS));
  expect(days).toBeGreaterThanOrEqual(2);
  expect(await deliveriesOf(shop)).toEqual([]);
  const left = await server.db.selectFrom('webhook_attempts').select('attempt').where('webhook_id', '=', _id).execute();
  expect(left).toEqual([]);
});
