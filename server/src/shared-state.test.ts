import { expect, test } from 'vitest';
import { ship, standAt } from '../test/dispatched.ts';
import { connectApp, createTestDriver } from '../test/driver-app.ts';
import { eventually } from '../test/eventually.ts';
import { startTestServer } from '../test/test-server.ts';
import { startTestWorker } from '../test/test-worker.ts';
import { createMemoryState } from './shared-state.ts';

const NO_REDIS = { REDIS_URL: 'redis://127.0.0.1:1' };

test('both roles in one process need no Redis: a driver’s position is found, and the offer is pushed to the app', async () => {
  const state = createMemoryState();
  const server = await startTestServer(NO_REDIS, { state });
  const worker = await startTestWorker(server, undefined, state);
  try {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const driver = await createTestDriver(server.db);
    const app = await connectApp(server.url, driver);
    await standAt(server, driver, 1);
    const { _id } = await ship(server, shop);
    await eventually(() => expect(app.received.map(({ push }) => push)).toContain('offer'));
    expect(await app.send('acceptOffer', { id: _id })).toMatchObject({ status: 200 });
    expect((await server.call(shop, 'GET', `/shipping/${_id}`)).body.shipping.status).toBe('assigned');
    expect(await server.metrics()).toContain('navette_rate_limiter_degraded 0');
    app.close();
  } finally {
    await worker.stop();
    await server.stop();
  }
});
