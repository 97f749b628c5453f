import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff } from '../../../test/console.ts';
import { createTestMember } from '../../../test/dashboard.ts';
import { eraseShipment } from '../../../test/erase-shipment.ts';
import { eventually } from '../../../test/eventually.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { lastHour, openWebhookShop } from '../../../test/webhook-shop.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { firstIdAt, instantOf } from '../../database/uuid.ts';
import { deliverWebhooksJob } from '../../jobs/definitions.ts';
import { auditWebhooks } from './audit-webhooks.ts';
import { resendToAllWebhooks } from './request-resend.ts';
import { resendEvents } from './resend-events.handler.ts';

let stage: WebhookServer;
beforeAll(async () => {
  stage = await startWebhookServer();
});
afterAll(() => stage.stop());

describe('one event', () => {
  test('is sent again with the same body and three new attempts, and the log shows both deliveries', async () => {
    const shop = await openWebhookShop(stage);
    stage.receiver.behave(shop.path, (_request, response) => response.writeHead(503).end());
    await shop.ship();
    await withWorker(stage.server, () => shop.allAre(1, 'dropped'));
    const [lost] = await shop.deliveries();
    const params = { id: shop.webhookId, eventId: lost?.event_id ?? '' };
    stage.receiver.behave(shop.path, (_request, response, nth) => response.writeHead(nth < 6 ? 500 : 200).end());
    expect(await shop.developer.call('resendWebhookEvent', { params })).toMatchObject({
      status: 202,
      body: { resend: { eventId: params.eventId, state: 'running' } },
    });
    await withWorker(stage.server, () => shop.allAre(1, 'delivered'));
    const requests = stage.receiver.to(shop.path);
    expect(requests.map(({ faults }) => faults)).toEqual(requests.map(() => []));
    expect(new Set(requests.map(({ body }) => String(body))).size).toBe(1);
    const { delivery, attempts } = (await shop.developer.call('readWebhookDelivery', { params })).body;
    expect(delivery).toMatchObject({ resends: 1, attempts: 3, status: 'delivered' });
    expect(attempts.map(({ resend, attempt, status }: Record<string, number>) => [resend, attempt, status])).toEqual([
      [0, 1, 503],
      [0, 2, 503],
      [0, 3, 503],
      [1, 1, 500],
      [1, 2, 500],
      [1, 3, 200],
    ]);
    expect(await shop.latestResend()).toMatchObject({ state: 'done', sent: 1, unavailable: 0 });
    for (const { invariant, broken } of await auditWebhooks(stage.server.db))
      expect([invariant, broken]).toEqual([invariant, 0]);
  });

  test('is refused while it is being sent, after its erasure, to a paused webhook, and for another account', async () => {
    const shop = await openWebhookShop(stage);
    const shipmentId = await shop.ship();
    const { id: eventId } = await stage.server.db
      .selectFrom('events')
      .select('id')
      .where('account_id', '=', shop.account.id)
      .executeTakeFirstOrThrow();
    const params = { id: shop.webhookId, eventId };
    const key = { account_id: shop.account.id, webhook_id: shop.webhookId, event_id: eventId };
    await stage.server.db.insertInto('webhook_deliveries').values(key).execute();
    const refusal = async (member = shop.developer, wanted = params) => {
      const { status, body } = await member.call('resendWebhookEvent', { params: wanted });
      return `${status} ${body.error}`;
    };
    expect(await refusal()).toBe('409 DELIVERY_PENDING');
    await eraseShipment(stage.server, shop.account.id, shipmentId);
    expect(await refusal()).toBe('409 EVENT_NOT_RESENDABLE');
    const other = await openWebhookShop(stage);
    expect(await refusal(other.developer)).toMatch(/^404/);
    expect(await refusal(other.developer, { ...params, id: other.webhookId })).toMatch(/^404/);
    const operations = await createTestMember(stage.server, shop.account.id, 'operations');
    expect(await refusal(operations)).toBe('403 ROLE_NOT_ALLOWED');
    await shop.developer.call('updateWebhook', { params, body: { isActive: false } });
    expect(await refusal()).toBe('409 WEBHOOK_IS_PAUSED');
  });
});

test('an event whose id is days ahead, made by a clock that was wrong, is sent', async () => {
  const { db, jobs } = stage.server;
  const shop = await openWebhookShop(stage);
  await shop.ship();
  await withWorker(stage.server, () => shop.allAre(1, 'delivered'));
  const ahead = { event_id: firstIdAt(new Date(Date.now() + 4 * 86_400_000)) };
  await db.updateTable('events').set({ id: ahead.event_id }).where('account_id', '=', shop.account.id).execute();
  const pending = { ...ahead, status: 'pending', attempts: 0, recorded: 0, attempted_at: null, settled_at: null };
  await db.updateTable('webhook_deliveries').set(pending).where('account_id', '=', shop.account.id).execute();
  const webhook = { accountId: shop.account.id, webhookId: shop.webhookId };
  await db.transaction().execute((tx) => jobs.send(tx, deliverWebhooksJob, webhook, { singletonKey: shop.webhookId }));
  await withWorker(stage.server, () => shop.allAre(1, 'delivered'));
  expect(stage.receiver.to(shop.path)).toHaveLength(2);
});

test('an event is sent to all webhooks of an account again for 28 days', async () => {
  const shop = await openWebhookShop(stage);
  await shop.ship();
  const { id } = await stage.server.db
    .selectFrom('events')
    .select('id')
    .where('account_id', '=', shop.account.id)
    .executeTakeFirstOrThrow();
  const resendIn = (days: number) =>
    resendToAllWebhooks(stage.server, shop.account.id, id, new Date(instantOf(id).getTime() + days * 86_400_000));
  expect(await resendIn(28.1)).toBeUndefined();
  expect(await resendIn(27.9)).toBe(1);
});

describe('a period', () => {
  test('sends lost events once, leaves out delivered ones, and counts those that cannot be sent any more', async () => {
    const shop = await openWebhookShop(stage);
    const [erased] = await shop.lose(3);
    await shop.ship();
    await withWorker(stage.server, () =>
      eventually(async () => expect((await shop.deliveries()).at(-1)?.status).toBe('delivered')),
    );
    await eraseShipment(stage.server, shop.account.id, erased ?? '');
    const before = stage.receiver.to(shop.path).length;
    expect((await shop.resendPeriod()).status).toBe(202);
    expect((await shop.resendPeriod()).body.error).toBe('RESEND_RUNNING');
    await withWorker(stage.server, () =>
      eventually(async () =>
        expect(await shop.latestResend()).toMatchObject({ state: 'done', sent: 2, unavailable: 1 }),
      ),
    );
    await withWorker(stage.server, () => shop.allAre(3, 'delivered'));
    expect(stage.receiver.to(shop.path)).toHaveLength(before + 2);
    expect((await shop.deliveries()).map(({ resends }) => resends)).toEqual([1, 1, 0]);
  });

  test('sends events that were not sent because the webhook was paused', async () => {
    const shop = await openWebhookShop(stage);
    const pause = (isActive: boolean) =>
      shop.developer.call('updateWebhook', { params: { id: shop.webhookId }, body: { isActive } });
    await pause(false);
    await shop.ship();
    await withWorker(stage.server, () =>
      eventually(async () => {
        const jobs = await stage.server.db
          .selectFrom('pgboss.job' as never)
          .select('state' as never)
          .where('name' as never, '=', 'follow-change' as never)
          .where('state' as never, '<', 'completed' as never)
          .execute();
        expect(jobs).toEqual([]);
      }),
    );
    await pause(true);
    const aMinuteAgo = new Date(Date.now() - 120_000);
    const { account } = shop;
    await stage.server.db
      .updateTable('webhooks')
      .set({ created_at: aMinuteAgo })
      .where('account_id', '=', account.id)
      .execute();
    await stage.server.db
      .updateTable('events')
      .set({ created_at: new Date(aMinuteAgo.getTime() + 1) })
      .where('account_id', '=', account.id)
      .execute();
    await shop.resendPeriod();
    await withWorker(stage.server, () => shop.allAre(1, 'delivered'));
    expect(stage.receiver.to(shop.path)).toHaveLength(1);
  });

  test('is within the last 28 days, and ends after it starts', async () => {
    const shop = await openWebhookShop(stage);
    const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const [since, until] of [
      [at(29), at(1)],
      [at(1), at(2)],
    ]) {
      const { status, body } = await shop.resendPeriod({ ...lastHour(), since: since ?? '', until: until ?? '' });
      expect([status, body.error]).toEqual([400, 'RESEND_PERIOD_INVALID']);
    }
  });

  test('waits while many deliveries are pending, and stops when it is cancelled', async () => {
    const shop = await openWebhookShop(stage);
    await shop.lose(2);
    const { account, webhookId } = shop;
    const { resend } = (await shop.resendPeriod()).body;
    const busy = Array.from({ length: 100 }, () => ({
      account_id: account.id,
      webhook_id: webhookId,
      event_id: randomUUIDv7(),
    }));
    await stage.server.db.insertInto('webhook_deliveries').values(busy).execute();
    const context = { db: stage.server.db, jobs: stage.server.jobs, wakeSenders: async () => {} };
    const step = (n: number) =>
      resendEvents(context, { accountId: account.id, resendId: resend.id, step: n }, new Date());
    await step(0);
    expect(await shop.latestResend()).toMatchObject({ state: 'running', sent: 0 });
    const params = { id: webhookId, resendId: resend.id };
    expect((await shop.developer.call('cancelWebhookResend', { params })).body.resend.state).toBe('cancelled');
    await step(1);
    expect((await shop.deliveries()).filter(({ resends }) => resends > 0)).toEqual([]);
    await stage.server.db.deleteFrom('webhook_deliveries').where('account_id', '=', account.id).execute();
  });

  test('a step that is repeated, as after a kill, sends nothing twice', async () => {
    const shop = await openWebhookShop(stage);
    await shop.lose(2);
    const { resend } = (await shop.resendPeriod()).body;
    const woken: string[] = [];
    const context = {
      ...{ db: stage.server.db, jobs: stage.server.jobs },
      wakeSenders: async (webhooks: { webhookId: string }[]) => void woken.push(...webhooks.map((w) => w.webhookId)),
    };
    const payload = { accountId: shop.account.id, resendId: resend.id, step: 0 };
    await Promise.all([resendEvents(context, payload, new Date()), resendEvents(context, payload, new Date())]);
    expect(woken).toEqual([shop.webhookId, shop.webhookId]);
    expect((await shop.deliveries()).map(({ resends, status }) => [resends, status])).toEqual([
      [1, 'pending'],
      [1, 'pending'],
    ]);
    // Also when the position of the request is lost: the constraint names each event once per request.
    await stage.server.db
      .updateTable('webhook_deliveries')
      .set({ status: 'dropped', settled_at: new Date() })
      .where('account_id', '=', shop.account.id)
      .execute();
    await stage.server.db
      .updateTable('webhook_resends')
      .set({ state: 'running', finished_at: null, step: 0, position: '00000000-0000-7000-8000-000000000000' })
      .where('id', '=', resend.id)
      .execute();
    await resendEvents(context, payload, new Date());
    expect((await shop.deliveries()).map(({ resends }) => resends)).toEqual([1, 1]);
  });
});

test('support sends the lost events of a merchant again, once at a time, with a trace in both logs', async () => {
  const { db } = stage.server;
  const shop = await openWebhookShop(stage);
  await shop.lose(3);
  const staff = await createTestStaff(stage.server, 'support', { name: 'Léa Morel' });
  const call = (body = lastHour(), as = staff, id = shop.webhookId) =>
    as.call('resendWebhookEvents', { params: { id }, body });
  const refused = (why: string) => ({ status: 409, body: { error: 'NOT_POSSIBLE_NOW', why } });
  expect(await call(lastHour(), await createTestStaff(stage.server, 'dispatcher'))).toMatchObject({ status: 403 });
  for (const id of ['x', '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60'])
    expect(await call(lastHour(), staff, id)).toMatchObject({ status: 404 });
  const { since, ...rest } = lastHour();
  expect(await call({ ...rest, since: rest.until })).toMatchObject(refused('resend_period_invalid'));
  expect(await call({ ...rest, since })).toMatchObject({ status: 202, body: { resend: { state: 'running' } } });
  expect(await call()).toMatchObject(refused('resend_running'));
  await withWorker(stage.server, () => shop.allAre(3, 'delivered'));
  await eventually(async () => expect(await shop.latestResend()).toMatchObject({ state: 'done', sent: 3 }));
  await db.updateTable('webhooks').set({ is_active: false }).where('id', '=', shop.webhookId).execute();
  expect(await call()).toMatchObject(refused('webhook_paused'));
  const acts = db.selectFrom('operator_acts').select(['act', 'actor']).where('subject_id', '=', shop.webhookId);
  expect(await acts.execute()).toEqual([{ act: 'webhook.resent', actor: 'Léa Morel' }]); // refused ones left none
  const own = db.selectFrom('member_acts').select('act').where('account_id', '=', shop.account.id);
  expect((await own.execute()).map(({ act }) => act)).toContain('webhook-resent');
});
