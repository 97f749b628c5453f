import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import { withMachineLag } from '../../../test/machine-lag.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { subscribe } from '../../../test/subscribe.ts';
import type { TestAccount } from '../../../test/test-server.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import { withWorker } from '../../../test/with-worker.ts';

const SHOPS = 20;
const EVENTS = 600;
const APART_MS = 10; // a hundred a second; `npm run bench -- webhook-isolation` does two hundred

const { server, receiver, stop } = await startWebhookServer();
afterAll(stop);

test('a fifth of the endpoints never responds and a fifth takes 4.9 s: the others receive every event within a second', async () => {
  const shops = await crowd(4, Array(SHOPS).fill(0), () => server.createAccount({ paymentMode: 'deferred' }));
  const run = shops[0]?.id;
  for (const [i, shop] of shops.entries()) {
    const kind = ['hole', 'slow', 'ok', 'ok', 'ok'][i % 5];
    const path = `/${run}/${kind}/${i}`;
    await subscribe(server, receiver, shop, path);
    if (kind === 'hole') receiver.behave(path, () => {});
    if (kind === 'slow')
      receiver.behave(path, (_request, response) => void setTimeout(4_900).then(() => response.end()));
  }
  const healthy = () => receiver.received.filter(({ path }) => path.startsWith(`/${run}/ok/`));
  const failing = () => receiver.received.filter(({ path }) => path.startsWith(`/${run}/hole/`));
  const sendAll = async () => {
    const began = performance.now();
    await crowd(8, Array(EVENTS).fill(0), async (_nothing, i) => {
      await setTimeout(Math.max(0, began + i * APART_MS - performance.now()));
      await server.call(shops[i % SHOPS] as TestAccount, 'POST', '/shipping', { body: shipmentRequest() });
    });
    await vi.waitFor(() => expect(healthy()).toHaveLength((EVENTS * 3) / 5), { timeout: 240_000, interval: 50 });
    expect(failing().length).toBeGreaterThan(10);
  };
  const { lagMs } = await withMachineLag(server.db, () => withWorker(server, sendAll));
  const late = healthy()
    .map(({ at, body }) => performance.timeOrigin + at - Date.parse(JSON.parse(body.toString()).timestamp))
    .sort((a, b) => a - b);
  // An event that had to wait for one of the others would be 4.9 s late.
  expect(late[Math.floor(late.length * 0.99)]).toBeLessThan(timeLimitMs(1_000) + Math.min(10 * lagMs, 3_500));
});

test('a backlog of one dead endpoint does not slow down fetching the others’ jobs', async () => {
  const dead = await server.createAccount({ paymentMode: 'deferred' });
  await subscribe(server, receiver, dead, '/dead');
  receiver.behave('/dead', () => {});
  for (let i = 0; i < 10; i++) {
    const shippings = Array(500).fill(shipmentRequest());
    await server.call(dead, 'POST', '/shipping/batch', { body: { shippings } });
  }
  const waiting = async () => {
    const { rows } = await server.pools.main.query(`select count(*) as jobs from pgboss.job
      where name = 'deliver-webhooks' and state < 'completed'`);
    return rows[0].jobs;
  };
  await withWorker(server, async () => {
    const pending = () =>
      server.db.selectFrom('webhook_deliveries').select('event_id').where('account_id', '=', dead.id).execute();
    await vi.waitFor(async () => expect(await pending()).toHaveLength(5_000), { timeout: 240_000, interval: 100 });
    expect(await waiting()).toBeLessThanOrEqual(SHOPS + 1); // one job per webhook, however many deliveries are pending
  });
});
