import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { eventually } from '../../../test/eventually.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { openWebhookShop } from '../../../test/webhook-shop.ts';
import { deliverWebhooksJob } from '../../jobs/definitions.ts';
import { createAttemptLog, type Outcome } from './attempt-log.ts';
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

test.each(['first', 'last'])(
  'the success of a worker that was only frozen replaces what another logged as interrupted, in one statement %s',
  async (order) => {
    const stage = await startWebhookServer();
    const { request, queue, attempts } = await openQueue(stage);
    const [taken] = await queue.take(request);
    if (!taken) throw new Error('nothing to take');
    const { accountId, webhookId, eventId, attemptedAt: startedAt } = taken;
    const outcome = {
      ...{ accountId, webhookId, eventId, resend: 0, attempt: 1, startedAt, durationMs: null, status: null },
      ...{ answer: null, secretVersion: null, fault: null, failedMsAgo: 0 },
    };
    const interrupted: Outcome = { ...outcome, error: 'INTERRUPTED', becomes: 'pending' };
    const success: Outcome = { ...outcome, durationMs: 20, status: 200, error: null, becomes: 'delivered' };
    const logged = () =>
      stage.server.db.selectFrom('webhook_attempts').select(['status', 'error', 'duration_ms']).execute();
    await attempts.record(interrupted);
    expect(await logged()).toEqual([{ status: null, error: 'INTERRUPTED', duration_ms: null }]);
    const both = order === 'first' ? [success, interrupted] : [interrupted, success];
    await Promise.all(both.map((one) => attempts.record(one)));
    const { rows } = await sql`select status, attempts, recorded from webhook_deliveries`.execute(stage.server.db);
    expect(rows).toEqual([{ status: 'delivered', attempts: 1, recorded: 1 }]);
    expect(await logged()).toEqual([{ status: 200, error: null, duration_ms: 20 }]);
    await attempts.record({ ...success, status: 500, becomes: 'pending' }); // nothing changes any more
    expect(await logged()).toEqual([{ status: 200, error: null, duration_ms: 20 }]);
    expect(await brokenInvariants(stage.server)).toEqual([]);
    await stage.stop();
  },
);

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
