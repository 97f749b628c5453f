import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callApi } from '../../test/call-api.ts';
import { type NavetteProcess, startNavette } from '../../test/navette-process.ts';
import { startPostgresProxy } from '../../test/postgres-proxy.ts';
import { shipmentRequest } from '../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';

const SETTINGS = { DATABASE_TIME_LIMIT_SECONDS: '10', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

let server: TestServer;
let proxy: Awaited<ReturnType<typeof startPostgresProxy>>;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let api: NavetteProcess;
let worker: NavetteProcess;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  proxy = await startPostgresProxy(server.config.databaseUrl);
  receiver = await startWebhookReceiver();
  const environment = { ...server.environment, ...SETTINGS, DATABASE_URL: proxy.url };
  api = await startNavette(['api'], environment);
  worker = await startNavette(['worker'], environment);
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(async () => {
  await receiver.stop();
  await proxy.stop();
  await server.stop();
});

/** As a merchant does: the same key until the creation is acknowledged. Returns the shipment and the failures. */
async function create(): Promise<{ id: string; failures: number[] }> {
  const headers = { 'x-idempotency-key': randomUUID() };
  const failures: number[] = [];
  for (;;) {
    const { status, body } = await callApi(`${api.url}${BASE_PATH}/shipping`, shop, 'POST', {
      body: shipmentRequest(),
      headers,
    });
    if (status === 200 || status === 201) return { id: body.shipping._id as string, failures };
    expect([400, 500]).toContain(status);
    failures.push(status);
    await setTimeout(250);
  }
}

const announced = (id: string) =>
  vi.waitFor(() => expect(receiver.received.filter(({ body }) => body.includes(id))).not.toEqual([]), {
    timeout: 600_000,
    interval: 200,
  });

test('api and worker recover from a primary that vanishes without closing its connections', async () => {
  const webhook = { url: receiver.url, events: ['shipping.created'] };
  expect(await callApi(`${api.url}${BASE_PATH}/webhooks`, shop, 'POST', { body: webhook })).toMatchObject({
    status: 201,
  });
  await announced((await create()).id);

  proxy.failOver();
  const { id, failures } = await create();
  await announced(id);
  await announced((await create()).id);

  // The failures are counted, whatever their status, and logged once per second.
  const metrics = await (await fetch(`${api.operatorUrl}/metrics`)).text();
  const counted = [...metrics.matchAll(/^navette_unexpected_failures_total\{.*\} (\d+)$/gm)];
  expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(failures.length);

  // A connection to the vanished primary does not keep a process from stopping.
  expect(await Promise.all([api, worker].map((role) => role.stop()))).toEqual([0, 0]);
});
