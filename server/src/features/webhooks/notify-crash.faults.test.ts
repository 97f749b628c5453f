import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMember } from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { holdUpdates } from '../../../test/lock-waits.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { subscribe } from '../../../test/subscribe.ts';
import { workDone } from '../../../test/test-worker.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { createBoss } from '../../jobs/boss.ts';
import { notifyFailingWebhooksJob } from '../../jobs/definitions.ts';
import { notifyFailingWebhooks } from './notify-failing-webhooks.handler.ts';

const TEN_MINUTES_MS = 600_000;

let stage: WebhookServer;
let mailbox: FakeMailbox;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  stage = await startWebhookServer({ MAIL_URL: mailbox.url });
});
afterAll(async () => {
  await stage.stop();
  await mailbox.stop();
});

test('the mail that a webhook fails is sent once, although the worker was killed between its mark and its commit', async () => {
  const { server, receiver } = stage;
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const { email } = await createTestMember(server, shop.id);
  const { _id: id } = await subscribe(server, receiver, shop, '/down');
  const since = new Date(Date.now() - TEN_MINUTES_MS);
  await server.db.updateTable('webhooks').set({ failing_since: since }).where('id', '=', id).execute();

  const held = await holdUpdates(server.db, 'webhooks', 0);
  const victim = await startNavette(['worker'], server.environment);
  const boss = await createBoss(server.config, server.app.log).start();
  await boss.send(notifyFailingWebhooksJob.name, {});
  await held.reached();
  await victim.kill();
  await boss.stop({ graceful: false });
  await held.release();
  const marked = () =>
    server.db.selectFrom('webhooks').select('failure_mailed_at').where('id', '=', id).executeTakeFirstOrThrow();
  expect((await marked()).failure_mailed_at).toBe(null);
  expect(mailbox.sentTo(email)).toEqual([]);

  await withWorker(server, async () => {
    // Another worker may have taken over the job of the dead one by now: both together mail once.
    await notifyFailingWebhooks(server.db, server.jobs, new Date());
    await eventually(() => expect(mailbox.sentTo(email)).toHaveLength(1));
    expect(await notifyFailingWebhooks(server.db, server.jobs, new Date())).toBe(0);
    await workDone(server);
  });
  expect(mailbox.sentTo(email)).toHaveLength(1);
  expect((await marked()).failure_mailed_at).not.toBe(null);
});
