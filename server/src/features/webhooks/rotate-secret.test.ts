import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../../sdk/src/index.ts';
import { createTestMember } from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { openWebhookShop, type WebhookShop } from '../../../test/webhook-shop.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { resealAnyWebhookSecrets } from './reseal-webhook-secrets.ts';
import { switchWebhookSecrets } from './switch-webhook-secrets.handler.ts';
import { createSecretKeeper } from './webhook-secret.ts';

const DAY_MS = 86_400_000;

let stage: WebhookServer;
beforeAll(async () => {
  stage = await startWebhookServer();
});
afterAll(() => stage.stop());

const idOf = ({ webhookId }: WebhookShop) => ({ params: { id: webhookId } });
const rotate = (shop: WebhookShop) => shop.developer.call('rotateWebhookSecret', idOf(shop));
const secretsOf = async (shop: WebhookShop) => (await shop.developer.call('readWebhookSecret', idOf(shop))).body;
const signsWith = async (shop: WebhookShop, ...secrets: string[]) => {
  const { headers, body } = stage.receiver.to(shop.path).at(-1) ?? {};
  const request = { headers: headers as Record<string, string>, rawBody: body?.toString() ?? '' };
  return verifyWebhook(request, { secrets }).then(
    () => true,
    () => false,
  );
};

describe('a new secret', () => {
  test('is shown at once, signs after 24 hours, and the log still shows how earlier requests were signed', async () => {
    const shop = await openWebhookShop(stage);
    const old = (await secretsOf(shop)).secret;
    const { status, body } = await rotate(shop);
    expect(status).toBe(201);
    const next = body.nextSecret;
    expect(Date.parse(body.nextSecretAt) - Date.now()).toBeGreaterThan(DAY_MS - 60_000);
    expect((await rotate(shop)).body.error).toBe('ROTATION_RUNNING');
    expect(await secretsOf(shop)).toMatchObject({ secret: old, nextSecret: next });

    await switchWebhookSecrets(stage.server.db, new Date(Date.now() + DAY_MS - 60_000));
    await withWorker(stage.server, async () => {
      await shop.ship();
      await shop.allAre(1, 'delivered');
      expect([await signsWith(shop, old), await signsWith(shop, next)]).toEqual([true, false]);
      await switchWebhookSecrets(stage.server.db, new Date(Date.now() + DAY_MS + 1_000));
      await shop.ship();
      await shop.allAre(2, 'delivered');
    });
    expect([await signsWith(shop, old), await signsWith(shop, next)]).toEqual([false, true]);
    expect(await signsWith(shop, old, next)).toBe(true);
    expect(await secretsOf(shop)).toMatchObject({ secret: next, nextSecret: null, nextSecretAt: null });

    const requests = stage.receiver.to(shop.path);
    for (const [i, { event_id: eventId }] of (await shop.deliveries()).entries()) {
      const params = { id: shop.webhookId, eventId };
      const { attempts } = (await shop.developer.call('readWebhookDelivery', { params })).body;
      const signature = attempts[0].headers.find(({ name }: { name: string }) => name === 'X-Service-Signature').value;
      expect(signature).toBe(requests[i]?.headers['x-service-signature']);
    }
  });

  test('takes effect earlier on request, or never when it is cancelled', async () => {
    const shop = await openWebhookShop(stage);
    const old = (await secretsOf(shop)).secret;
    await rotate(shop);
    expect((await shop.developer.call('cancelWebhookRotation', idOf(shop))).body.webhook.nextSecretAt).toBeNull();
    expect((await shop.developer.call('switchWebhookSecret', idOf(shop))).body.error).toBe('NO_ROTATION');
    expect((await secretsOf(shop)).secret).toBe(old);
    const { nextSecret } = (await rotate(shop)).body;
    await shop.developer.call('switchWebhookSecret', idOf(shop));
    expect((await secretsOf(shop)).secret).toBe(nextSecret);
    const { webhooks } = (await stage.server.call(shop.account, 'GET', '/webhooks')).body;
    expect(webhooks[0].secret).toBe(nextSecret);
  });

  test('needs the role developer, and a webhook of the own account', async () => {
    const shop = await openWebhookShop(stage);
    const operations = await createTestMember(stage.server, shop.account.id, 'operations');
    const stranger = (await openWebhookShop(stage)).developer;
    for (const act of ['rotateWebhookSecret', 'switchWebhookSecret', 'cancelWebhookRotation'] as const) {
      expect((await operations.call(act, idOf(shop))).body.error).toBe('ROLE_NOT_ALLOWED');
      expect((await stranger.call(act, idOf(shop))).status).toBe(404);
    }
  });

  test('is encrypted again with the others when the operator changes the key', async () => {
    const shop = await openWebhookShop(stage);
    await rotate(shop);
    await shop.developer.call('switchWebhookSecret', idOf(shop));
    const { nextSecret } = (await rotate(shop)).body;
    const keys = ['a new key of thirty-two characters', ...stage.server.config.webhookSecretKeys];
    const { unreadable } = await resealAnyWebhookSecrets(stage.server.db, createSecretKeeper(keys));
    expect(unreadable).toBe(0);
    const row = await stage.server.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', shop.webhookId)
      .executeTakeFirstOrThrow();
    const onlyNew = createSecretKeeper(keys.slice(0, 1));
    const ref = { accountId: shop.account.id, webhookId: shop.webhookId };
    const open = (key: string | null, sealed: Buffer | null) =>
      onlyNew.open(ref, { key: key ?? '', sealed: sealed ?? Buffer.alloc(0) });
    expect(open(row.next_secret_key, row.next_sealed_secret)).toBe(nextSecret);
    expect(open(row.previous_secret_key, row.previous_sealed_secret)).toMatch(/^navette_whsec_/);
  });
});

test('health counts a day of outcomes, response times and what is pending', async () => {
  const shop = await openWebhookShop(stage);
  const healthOf = async () => (await shop.developer.call('readWebhook', idOf(shop))).body.webhook.health;
  expect(await healthOf()).toEqual({
    ...{ lastDeliveredAt: null, deliveredShare: null, p95Ms: null, pending: 0, oldestPendingAt: null },
  });
  stage.receiver.behave(shop.path, (_request, response, nth) => response.writeHead(nth <= 3 ? 500 : 200).end());
  await withWorker(stage.server, async () => {
    await shop.ship();
    await shop.allAre(1, 'dropped');
    await shop.ship();
    await shop.ship();
    await shop.ship();
    await eventually(async () => {
      const settled = (await shop.deliveries()).filter(({ settled_at: at }) => at !== null);
      expect(settled).toHaveLength(4);
    });
  });
  expect(await healthOf()).toMatchObject({ deliveredShare: 0.75, pending: 0, p95Ms: expect.any(Number) });
  expect(Date.now() - Date.parse((await healthOf()).lastDeliveredAt)).toBeLessThan(timeLimitMs(60_000));
  await stage.server.db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', settled_at: null })
    .where('account_id', '=', shop.account.id)
    .execute();
  expect(await healthOf()).toMatchObject({ pending: 4, oldestPendingAt: expect.any(String) });
});
