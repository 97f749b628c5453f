import { BASE_PATH, buildDashboardOpenApi, buildDriverOpenApi, buildOpenApi } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../../test/call-api.ts';
import { maxFloodedMs, measureOtherTenant } from '../../test/flood.ts';
import { type NavetteProcess, startNavette } from '../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';

const PLENTY = 1_000_000;

let server: TestServer;
let api: NavetteProcess;
let otherTenant: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  api = await startNavette(['api'], server.environment);
  otherTenant = await server.createAccount({ rateLimits: { minute: PLENTY, hour: PLENTY, day: PLENTY } });
});
afterAll(async () => {
  await api.stop();
  await server.stop();
});

test('thirty connections that request health and metrics in a loop do not slow down another caller', async () => {
  await callEveryOperation();
  const requests = ['/healthz', '/readyz', '/metrics'].map((path) => ({ path }));
  const { quietMs, floodedMs, statuses } = await measureOtherTenant(
    { url: api.url, clients: 30, requests },
    async () => {
      const { status } = await callApi(`${api.url}${BASE_PATH}/account`, otherTenant, 'GET');
      expect(status).toBe(200);
    },
  );
  expect(floodedMs).toBeLessThan(maxFloodedMs(quietMs));
  expect(Object.keys(statuses).toSorted()).toEqual(['200', '404']);
});

/** Each refused request adds a dozen lines to the metrics, as after a day of traffic. */
async function callEveryOperation(): Promise<void> {
  for (const build of [buildOpenApi, buildDriverOpenApi, buildDashboardOpenApi]) {
    const { paths, servers } = build(api.url) as { paths: Record<string, object>; servers: { url: string }[] };
    for (const [path, operations] of Object.entries(paths)) {
      for (const method of Object.keys(operations))
        await callApi(`${servers[0]?.url}${path}`, {}, method.toUpperCase());
    }
  }
}
