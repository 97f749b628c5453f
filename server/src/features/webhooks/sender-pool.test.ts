import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { openWebhookShop } from '../../../test/webhook-shop.ts';
import { deliverWebhooksJob } from '../../jobs/definitions.ts';
import { createAttemptLog } from './attempt-log.ts';
import { createDeliveryQueue } from './delivery-queue.ts';

/** The ways of two senders of one webhook to its deliveries, and one delivery without a worker. */
async function openQueue(stage: WebhookServer) {
  const shop = await openWebhookShop(stage);
  await shop.lose(1);
  const { db, pools } = stage.server;
  await sql`update webhook_deliveries set status = 'pending', attempts = 0, recorded = 0, settled_at = null
    where account_id = ${shop.account.id}`.execute(db);
  const request = { accountId: shop.account.id, webhookId: shop.webhookId, busy: [], limit: 10 };
  return { request, queue: createDeliveryQueue(pools.main), attempts: createAttemptLog(pools.main) };
}

test('two senders of a webhook that ask in one statement share nothing: one takes a delivery, one makes an attempt', async () => {
  const stage = await startWebhookServer();
  const { request, queue, attempts } = await openQueue(stage);
  const taken = (await Promise.all([queue.take(request), queue.take(request)])).flat();
  expect(taken).toMatchObject([{ attempts: 1, isReserved: true }]);
  const next = { ...request, eventId: taken[0]?.eventId ?? '', resend: 0, attempt: 2 };
  const addresses = await Promise.all([attempts.reserve(next), attempts.reserve(next)]);
  expect(addresses.filter((address) => address !== null)).toHaveLength(1);
  const left = (await Promise.all([queue.takeOfAnyAge(request), queue.takeOfAnyAge(request)])).flat();
  expect(left).toMatchObject([{ attempts: 2, isReserved: false }]);
  await stage.stop();
});

test('a worker to which the job of a webhook came twice sends each event once, and can be stopped', async () => {
  const stage = await startWebhookServer();
  const { server, receiver } = stage;
  const { name } = deliverWebhooksJob;
  const shop = await openWebhookShop(stage);
  const statesOf = async () => {
    const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = ${name}`.execute(server.db);
    return rows.map(({ state }) => state);
  };
  const worker = await startTestWorker(server);
  await shop.ship();
  await shop.allAre(1, 'delivered');
  await sql`delete from pgboss.job where name = ${name}`.execute(server.db); // as if another worker had taken it over
  const payload = { accountId: shop.account.id, webhookId: shop.webhookId };
  await server.db.transaction().execute((tx) => server.jobs.send(tx, deliverWebhooksJob, payload));
  await eventually(async () => expect(await statesOf()).not.toContain('created'));
  expect(await Promise.race([worker.stop().then(() => 'stopped'), delay(60_000, 'still running')])).toBe('stopped');
  expect(receiver.to(shop.path)).toHaveLength(1);
  await stage.stop();
});
