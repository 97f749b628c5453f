import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { openWebhookShop } from '../../../test/webhook-shop.ts';
import { withWorker } from '../../../test/with-worker.ts';

const ANSWERED = 5; // requests before the kill

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
  const { promise: isKilled, resolve: killed } = Promise.withResolvers<void>();
  stage.receiver.behave(shop.path, (_request, response, nth) => {
    const mayAnswer = nth > ANSWERED ? isKilled : Promise.resolve(); // else a slow machine would send all before the kill
    void mayAnswer.then(() => response.end());
  });
  await shop.resendPeriod();
  const victim = await startNavette(['worker'], stage.server.environment);
  await eventually(() => expect(stage.receiver.to(shop.path).length).toBeGreaterThan(ANSWERED));
  await victim.kill();
  killed();
  expect(await shop.latestResend()).toMatchObject({ state: 'running' });
  await withWorker(stage.server, () => shop.allAre(count, 'delivered'));
  expect((await shop.deliveries()).map(({ resends }) => resends)).toEqual(Array.from({ length: count }, () => 1));
  expect(await shop.latestResend()).toMatchObject({ state: 'done', sent: count });
});
