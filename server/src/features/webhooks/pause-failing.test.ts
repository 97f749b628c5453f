import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ageWebhooks } from '../../../test/age-webhooks.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { subscribe } from '../../../test/subscribe.ts';
import type { TestAccount } from '../../../test/test-server.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { pauseFailingWebhooksJob } from '../../jobs/definitions.ts';
import { auditWebhooks } from './audit-webhooks.ts';
import { notifyFailingWebhooks } from './notify-failing-webhooks.handler.ts';
import { pauseFailingWebhooks } from './pause-failing-webhooks.handler.ts';

const WAIT = { timeout: 240_000, interval: 50 };
const HOUR_MS = 3_600_000;

let stage: WebhookServer;
let mailbox: FakeMailbox;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  stage = await startWebhookServer({ MAIL_URL: mailbox.url });
  worker = await startOwnWorker();
});
afterAll(async () => {
  await worker.stop();
  await stage.stop();
  await mailbox.stop();
});

/** The tests decide when the job that pauses webhooks runs. */
async function startOwnWorker() {
  const started = await startTestWorker(stage.server);
  await sql`delete from pgboss.schedule where name = ${pauseFailingWebhooksJob.name}`.execute(stage.server.db);
  return started;
}

const openShop = () => stage.server.createAccount({ paymentMode: 'deferred' });
const rowOf = (id: string) =>
  stage.server.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const pause = (now = new Date()) => pauseFailingWebhooks(stage.server.db, stage.server.jobs, now);
const makeFail = (path: string) =>
  stage.receiver.behave(path, (_request, response) => response.writeHead(500).end('down'));

/** Sends `events` events, and waits until each was delivered or dropped. */
async function send(shop: TestAccount, events: number): Promise<void> {
  const count = async () => {
    const { rows } = await sql<{ settled: number }>`
      select count(*) as settled from webhook_deliveries
      where account_id = ${shop.id} and settled_at is not null`.execute(stage.server.db);
    return rows[0]?.settled ?? 0;
  };
  const before = await count();
  const shippings = Array(events).fill(shipmentRequest());
  await stage.server.call(shop, 'POST', '/shipping/batch', { body: { shippings } });
  await vi.waitFor(async () => expect(await count()).toBe(before + events), WAIT);
}

const moveIntoPast = (shop: TestAccount, hours: number) => ageWebhooks(stage.server, shop, hours);
const jobsLeft = async (name: string, condition = sql`true`) => {
  const { rows } = await sql`
    select from pgboss.job where name = ${name} and state < 'completed' and ${condition}`.execute(stage.server.db);
  return rows.length;
};
const memberMailsSent = () => vi.waitFor(async () => expect(await jobsLeft('send-member-mail')).toBe(0), WAIT);
const isFollowed = (shipmentId: string) =>
  vi.waitFor(async () => {
    expect(await jobsLeft('follow-change', sql`data->>'shipmentId' = ${shipmentId}`)).toBe(0);
  }, WAIT);
const isMarked = (id: string) => vi.waitFor(async () => expect((await rowOf(id)).failing_since).not.toBe(null), WAIT);

/** A webhook that has only failed for `hours`, with an event at the beginning and one at the end. */
async function failFor(hours: number, path: string, shop: TestAccount): Promise<string> {
  const { _id } = await subscribe(stage.server, stage.receiver, shop, path);
  makeFail(path);
  await send(shop, 3);
  await isMarked(_id);
  await moveIntoPast(shop, hours);
  await send(shop, 3);
  return _id;
}

describe('a webhook that has failed for three days', () => {
  test('with nothing but failures is paused, and listed as inactive', async () => {
    const shop = await openShop();
    const id = await failFor(73, '/dead', shop);
    const now = new Date();
    expect(await pause(now)).toBe(1);
    expect(await rowOf(id)).toMatchObject({ is_active: false, pause_reason: 'failing', paused_at: now });
    const { webhooks } = (await stage.server.call(shop, 'GET', '/webhooks')).body;
    expect(webhooks).toMatchObject([{ _id: id, isActive: false }]);
    expect(Object.keys(webhooks[0])).toEqual(['_id', 'url', 'events', 'secret', 'isActive', 'createdAt', 'updatedAt']);
    expect(await pause()).toBe(0);
    const { body } = await stage.server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    await isFollowed(body.shipping._id);
    expect(stage.receiver.to('/dead')).toHaveLength(18);
    expect((await auditWebhooks(stage.server.db)).filter(({ broken }) => broken > 0)).toEqual([]);
  });

  test('is not paused an hour before, nor after any successful delivery', async () => {
    const [early, once] = [await openShop(), await openShop()];
    const first = await failFor(71, '/early', early);
    const second = await failFor(73, '/once', once);
    const [delivery] = await stage.server.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', second)
      .orderBy('event_id', 'desc')
      .execute();
    await stage.server.db
      .updateTable('webhook_deliveries')
      .set({ status: 'delivered' })
      .where('webhook_id', '=', second)
      .where('event_id', '=', delivery?.event_id ?? '')
      .execute();
    expect(await pause()).toBe(0);
    expect(await pause(new Date(Date.now() + 2 * HOUR_MS))).toBe(0);
    for (const id of [first, second]) expect(await rowOf(id)).toMatchObject({ is_active: true, paused_at: null });
    await moveIntoPast(early, 2);
    await send(early, 1);
    expect(await pause()).toBe(1);
    expect(await rowOf(first)).toMatchObject({ is_active: false });
  });

  test('is not paused when all its failures were within one hour and nothing was sent since', async () => {
    const shop = await openShop();
    const { _id } = await subscribe(stage.server, stage.receiver, shop, '/bad-hour');
    makeFail('/bad-hour');
    await send(shop, 10);
    await isMarked(_id);
    await moveIntoPast(shop, 100);
    expect(await pause()).toBe(0);
  });

  test('and responds again is marked as healthy by the first event', async () => {
    const shop = await openShop();
    const id = await failFor(73, '/recovers', shop);
    stage.receiver.behave('/recovers', (_request, response) => response.writeHead(200).end());
    await send(shop, 1);
    await vi.waitFor(async () => expect((await rowOf(id)).failing_since).toBe(null), WAIT);
    expect(await pause()).toBe(0);
  });
});

describe('a webhook that starts to fail', () => {
  test('is announced once per episode to owners and developers, also by two workers at the same time', async () => {
    const shop = await openShop();
    const owner = await createTestMember(stage.server, shop.id, 'owner', { language: 'fr' });
    const operations = await createTestMember(stage.server, shop.id, 'operations');
    const { _id: id } = await subscribe(stage.server, stage.receiver, shop, '/starts?token=of-the-merchant');
    const fail = async (since: Date) => {
      await stage.server.db.updateTable('webhooks').set({ failing_since: since }).where('id', '=', id).execute();
    };
    const notify = (now: Date) => notifyFailingWebhooks(stage.server.db, stage.server.jobs, now);
    const now = new Date();
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    await fail(now);
    expect(await notify(later(4))).toBe(0);
    expect(await Promise.all([notify(later(6)), notify(later(6))])).toEqual(expect.arrayContaining([0, 1]));
    expect(await notify(later(600))).toBe(0);
    await memberMailsSent();
    const mails = mailbox.sentTo(owner.email);
    expect(mails).toMatchObject([{ subject: 'Un webhook échoue : des événements ne sont pas remis' }]);
    expect(mails[0]?.text).toContain(new URL(stage.receiver.url).host);
    expect(`${mails[0]?.text}${mails[0]?.html}`).not.toContain('of-the-merchant');
    expect(mailbox.sentTo(operations.email)).toEqual([]);
    await fail(later(60)); // it worked in between: another episode, within a day of the last mail
    expect(await notify(later(70))).toBe(0);
    expect(await notify(later(24 * 60 + 7))).toBe(1);
    expect(await notify(later(24 * 60 + 8))).toBe(0);
  });
});

describe('a pause by the service', () => {
  test('is sent by e-mail to owners and developers, in their language, with the host and without the secret path', async () => {
    const shop = await openShop();
    const members: Record<string, TestMember> = {
      owner: await createTestMember(stage.server, shop.id, 'owner', { language: 'fr' }),
      developer: await createTestMember(stage.server, shop.id, 'developer', { language: 'en' }),
      operations: await createTestMember(stage.server, shop.id, 'operations'),
    };
    await failFor(73, '/notified?token=of-the-merchant', shop);
    await pause();
    await memberMailsSent();
    const emailsTo = (role: string) => mailbox.sentTo(members[role]?.email ?? '');
    const [french, english] = [emailsTo('owner'), emailsTo('developer')];
    expect(french).toMatchObject([{ subject: 'Un webhook est en pause : il échoue depuis trois jours' }]);
    expect(english).toMatchObject([{ subject: 'A webhook has been paused after failing for three days' }]);
    const host = new URL(stage.receiver.url).host;
    for (const [mail] of [french, english]) {
      expect(mail?.text).toContain(host);
      expect(mail?.text).toContain('/dashboard/developers/webhooks');
      expect(`${mail?.text}${mail?.html}`).not.toContain('of-the-merchant');
    }
    expect(emailsTo('operations')).toEqual([]);
  });

  test('sends no e-mail when the webhook was made active again before the e-mail left', async () => {
    const shop = await openShop();
    const owner = await createTestMember(stage.server, shop.id, 'owner');
    const id = await failFor(73, '/quick', shop);
    await worker.stop();
    await pause();
    await stage.server.call(shop, 'PUT', `/webhooks/${id}`, { body: { isActive: true } });
    worker = await startOwnWorker();
    await memberMailsSent();
    expect(mailbox.sentTo(owner.email)).toEqual([]);
  });

  test('ends with `isActive: true`, which restarts the three days; other changes do not end it', async () => {
    const shop = await openShop();
    const id = await failFor(73, '/resumed', shop);
    await pause();
    const put = (body: object) => stage.server.call(shop, 'PUT', `/webhooks/${id}`, { body });
    await put({ events: ['shipping.created'] });
    await put({ isActive: false });
    expect(await rowOf(id)).toMatchObject({ is_active: false, pause_reason: 'failing' });
    expect((await put({ isActive: true })).body.webhook).toMatchObject({ isActive: true });
    expect(await rowOf(id)).toMatchObject({ paused_at: null, pause_reason: null, failing_since: null });
    await send(shop, 3);
    await isMarked(id);
    expect(await pause()).toBe(0);
  });

  test('does not happen to a new address because of failures of the old one', async () => {
    const shop = await openShop();
    const id = await failFor(73, '/old-address', shop);
    const url = `${stage.receiver.url}/new-address`;
    await stage.server.call(shop, 'PUT', `/webhooks/${id}`, { body: { url } });
    expect(await pause()).toBe(0);
    expect(await rowOf(id)).toMatchObject({ is_active: true, failing_since: null });
  });

  test('is shown by the dashboard and the command line, with its reason and its time', async () => {
    const shop = await openShop();
    const developer = await createTestMember(stage.server, shop.id, 'developer');
    const id = await failFor(73, '/shown', shop);
    const now = new Date();
    await pause(now);
    const paused = { isActive: false, pauseReason: 'failing', pausedAt: now.toISOString() };
    expect((await developer.call('readWebhook', { params: { id } })).body.webhook).toMatchObject(paused);
    const { overview } = (await developer.call('readOverview')).body;
    expect(overview.webhooks).toMatchObject({ active: 0, failing: [], paused: [{ id, since: now.toISOString() }] });
    const { stdout } = await runNavette(['webhook', 'list', shop.id], stage.server.environment);
    expect(stdout).toMatch(/pausedAt\s+pauseReason/i);
    expect(stdout).toMatch(/false .* failing/);
    const resumed = await developer.call('updateWebhook', { params: { id }, body: { isActive: true } });
    expect(resumed.body.webhook).toMatchObject({ isActive: true, pauseReason: null, pausedAt: null });
    expect((await developer.call('readOverview')).body.overview.webhooks).toMatchObject({ active: 1, paused: [] });
  });
});
