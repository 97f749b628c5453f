import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { subscribe } from '../../../test/subscribe.ts';
import type { TestAccount } from '../../../test/test-server.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import { withWorker } from '../../../test/with-worker.ts';

let stage: WebhookServer;
let account: TestAccount;
let developer: TestMember;
beforeAll(async () => {
  stage = await startWebhookServer();
  account = await stage.server.createAccount({ paymentMode: 'deferred' });
  developer = await createTestMember(stage.server, account.id, 'developer');
});
afterAll(() => stage.stop());

const EVENTS = ['shipping.created', 'shipping.cancelled'];
const create = (path: string, member = developer) =>
  member.call('createWebhook', { body: { url: `${stage.receiver.url}${path}`, events: EVENTS } });

describe('webhooks in the dashboard', () => {
  test('are the same as in the public API, and the secret is returned only on request', async () => {
    const { status, body } = await create('/own');
    expect(status).toBe(201);
    expect(body.webhook).toMatchObject({ events: EVENTS, isActive: true, failingSince: null, latest: [] });
    const { secret } = (await developer.call('readWebhookSecret', { params: { id: body.webhook.id } })).body;
    const list = await developer.call('listWebhooks');
    expect(JSON.stringify([body, list.body])).not.toContain(secret);
    const { webhooks } = (await stage.server.call(account, 'GET', '/webhooks')).body;
    expect(webhooks).toContainEqual(expect.objectContaining({ _id: body.webhook.id, secret }));
  });

  test('are paused, changed and deleted', async () => {
    const { id } = (await create('/change')).body.webhook;
    const paused = await developer.call('updateWebhook', { params: { id }, body: { isActive: false } });
    expect(paused.body.webhook).toMatchObject({ isActive: false, events: EVENTS });
    const changed = await developer.call('updateWebhook', { params: { id }, body: { events: ['shipping.delivered'] } });
    expect(changed.body.webhook).toMatchObject({ isActive: false, events: ['shipping.delivered'] });
    expect((await developer.call('deleteWebhook', { params: { id } })).status).toBe(200);
    expect((await developer.call('readWebhook', { params: { id } })).status).toBe(404);
  });

  test('are refused by slug: a private, unreadable, taken or foreign-protocol address', async () => {
    await create('/taken');
    const refusal = async (url: string) => {
      const { status, body } = await developer.call('createWebhook', { body: { url, events: EVENTS } });
      return `${status} ${body.error}`;
    };
    expect(await refusal('http://10.0.0.1/x')).toBe('400 WEBHOOK_URL_NOT_PUBLIC');
    expect(await refusal('ftp://example.org/x')).toBe('400 WEBHOOK_URL_NOT_HTTP');
    expect(await refusal('https://user:pass@example.org/x')).toBe('400 WEBHOOK_URL_WITH_PASSWORD');
    expect(await refusal(`${stage.receiver.url}/taken`)).toBe('400 WEBHOOK_URL_TAKEN');
    const { body } = await developer.call('createWebhook', { body: { url: 'no', events: [] } });
    expect(body.errors.map(({ path, rule }: Record<string, string>) => `${path} ${rule}`)).toEqual([
      'url format',
      'events minItems',
    ]);
  });

  test('are refused by slug: one more than twenty, and a port of another protocol', async () => {
    const member = await createTestMember(stage.server, (await stage.server.createAccount()).id);
    for (let i = 0; i < 20; i++) expect((await create(`/many/${i}`, member)).status).toBe(201);
    expect(await create('/many/20', member)).toMatchObject({ status: 400, body: { error: 'TOO_MANY_WEBHOOKS' } });
    const body = { url: 'https://shop.example.org:5432/', events: EVENTS };
    const refused = { status: 400, body: { error: 'WEBHOOK_URL_FORBIDDEN_PORT' } };
    expect(await developer.call('createWebhook', { body })).toMatchObject(refused);
  });

  test('404: every operation on another account’s webhook responds as for an unknown one, and changes nothing', async () => {
    const { id } = (await create('/mine')).body.webhook;
    const stranger = await createTestMember(stage.server, (await stage.server.createAccount()).id);
    const answers = await Promise.all([
      stranger.call('readWebhook', { params: { id } }),
      stranger.call('readWebhookSecret', { params: { id } }),
      stranger.call('updateWebhook', { params: { id }, body: { isActive: false } }),
      stranger.call('deleteWebhook', { params: { id } }),
      stranger.call('testWebhook', { params: { id }, body: {} }),
      stranger.call('listWebhookDeliveries', { params: { id } }),
      stranger.call('readWebhookDelivery', { params: { id, eventId: id } }),
      stranger.call('readWebhook', { params: { id: 'x' } }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await developer.call('readWebhook', { params: { id } })).body.webhook.isActive).toBe(true);
    expect(stage.receiver.to('/mine')).toEqual([]);
  });
});

describe('a test', () => {
  test('is one signed request about a fictitious shipment: its response is shown, and it is not logged as a delivery', async () => {
    const { _id: id } = await subscribe(stage.server, stage.receiver, account, '/test', EVENTS);
    stage.receiver.behave('/test', (_request, response) => response.writeHead(503).end('asleep'));
    const { body } = await developer.call('testWebhook', { params: { id }, body: { event: 'shipping.cancelled' } });
    expect(body).toMatchObject({ event: 'shipping.cancelled', status: 503, error: null, answer: 'asleep' });
    const [received, ...more] = stage.receiver.to('/test');
    expect(more).toEqual([]);
    expect(received?.faults).toEqual([]);
    expect(received?.body.toString()).toBe(body.request.body);
    expect(JSON.parse(body.request.body).data).toMatchObject({
      id: '00000000-0000-0000-0000-000000000000',
      referenceNumber: 'TEST',
    });
    for (const { name, value } of body.request.headers) expect(received?.headers[name.toLowerCase()]).toBe(value);
    expect((await developer.call('readWebhook', { params: { id } })).body.webhook).toMatchObject({
      failingSince: null,
      latest: [],
    });
  });

  test('429: an account sends ten a minute, over all its webhooks', async () => {
    const { id: accountId } = await stage.server.createAccount();
    const member = await createTestMember(stage.server, accountId);
    const { id } = (await create('/often', member)).body.webhook;
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => member.call('testWebhook', { params: { id }, body: {} })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(4); // a new minute may begin in between and allow ten more
    expect(stage.receiver.to('/often')).toHaveLength(24 - refused.length);
  });
});

test('a delivery shows each of its three attempts with the signature that the endpoint received', async () => {
  const { server, receiver } = stage;
  const webhook = await subscribe(server, receiver, account, '/fails', ['shipping.created']);
  receiver.behave('/fails', (_request, response, nth) => response.writeHead(500).end(`no ${nth}`));
  const params = { id: webhook._id };
  const { deliveries } = await withWorker(server, async () => {
    await server.call(account, 'POST', '/shipping', { body: shipmentRequest() });
    return vi.waitFor(
      async () => {
        const { body } = await developer.call('listWebhookDeliveries', { params, query: { status: 'dropped' } });
        expect(body.deliveries).toHaveLength(1);
        return body;
      },
      { timeout: 240_000, interval: 100 },
    );
  });
  expect(deliveries[0]).toMatchObject({ event: 'shipping.created', attempts: 3 });
  const { eventId } = deliveries[0];
  const { body } = await developer.call('readWebhookDelivery', { params: { ...params, eventId } });
  const received = receiver.to('/fails');
  expect(body.attempts.map(({ answer }: { answer: string }) => answer)).toEqual(['no 1', 'no 2', 'no 3']);
  for (const [i, attempt] of body.attempts.entries()) {
    const shown = new Map<string, string>(
      attempt.headers.map(({ name, value }: Record<string, string>) => [name?.toLowerCase(), value]),
    );
    for (const name of ['x-service-timestamp', 'x-service-signature', 'x-service-event']) {
      expect(shown.get(name)).toBe(received[i]?.headers[name]);
    }
    const signed = `${shown.get('x-service-timestamp')}.${body.body}`;
    const mac = createHmac('sha256', webhook.secret).update(signed).digest('hex');
    expect(shown.get('x-service-signature')).toBe(`sha256=${mac}`);
  }
  expect(body.body).toBe(received[0]?.body.toString());
  const { webhook: fresh } = (await developer.call('readWebhook', { params })).body;
  expect(fresh.failingSince).not.toBeNull();
  expect(fresh.latest.map(({ status }: { status: string }) => status)).toEqual(['dropped']);
  expect(
    (await developer.call('listWebhookDeliveries', { params, query: { status: 'delivered' } })).body,
  ).toMatchObject({
    deliveries: [],
    nextCursor: null,
  });
});
