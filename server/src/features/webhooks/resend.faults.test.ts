import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { openWebhookShop } from '../../../test/webhook-shop.ts';
import { withWorker } from '../../../test/with-worker.ts';

let stage: WebhookServer;
beforeAll(async () => {
  stage = await startWebhookServer();
});
afterAll(() => stage.stop());

test('a worker killed while it sends a period: every event is sent again once', async () => {
  const shop = await openWebhookShop(stage);
  const count = 240; // more than a step makes pending
  await shop.lose(count / 2);
  await shop.lose(count / 2);
  stage.receiver.behave(shop.path, (_request, response) => void setTimeout(() => response.end(), 100));
  await shop.resendPeriod();
  const victim = await startNavette(['worker'], stage.server.environment);
  await eventually(() => expect(stage.receiver.to(shop.path).length).toBeGreaterThan(0));
  const exited = once(victim.process, 'exit');
  victim.process.kill('SIGKILL');
  await exited;
  expect(await shop.latestResend()).toMatchObject({ state: 'running' });
  await withWorker(stage.server, () => shop.allAre(count, 'delivered'));
  expect((await shop.deliveries()).map(({ resends }) => resends)).toEqual(Array.from({ length: count }, () => 1));
  expect(await shop.latestResend()).toMatchObject({ state: 'done', sent: count });
});
