import { Gauge, Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runNavette, startNavette } from '../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { createLog } from './create-log.ts';
import { listenForOperator } from './operator-listener.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const API = 'navette_http_request_seconds';
const WORKER = 'navette_webhook_rounds';

describe('OPERATOR_PORT', () => {
  test.each([
    { roles: ['api'], has: [API], hasNot: [WORKER] },
    { roles: ['worker'], has: [WORKER], hasNot: [API] },
    { roles: [], has: [API, WORKER], hasNot: [] },
  ])('navette serve $roles: one listener serves all roles of the process', async ({ roles, has, hasNot }) => {
    const build = { NAVETTE_COMMIT: '5f1c2ab', NAVETTE_BUILT_AT: '2026-11-16T08:00:00.000Z' };
    const running = await startNavette(roles, { ...server.environment, ...build });
    try {
      const answer = await fetch(`${running.operatorUrl}/metrics`);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      const metrics = await answer.text();
      for (const name of ['process_cpu_seconds_total', ...has]) expect(metrics).toContain(`# TYPE ${name} `);
      for (const name of hasNot) expect(metrics).not.toContain(name);
      expect(await (await fetch(`${running.operatorUrl}/healthz`)).json()).toEqual({
        status: 'ok',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        commit: '5f1c2ab',
        builtAt: '2026-11-16T08:00:00.000Z',
      });
      await vi.waitFor(
        async () => expect(await running.readHealth()).toEqual({ status: 'ready', database: 'ok', redis: 'ok' }),
        { timeout: 600_000 },
      );
    } finally {
      expect(await running.stop()).toBe(0);
    }
  });

  test('empty: the process has no operator listener, and doctor reports it', async () => {
    const running = await startNavette([], { ...server.environment, OPERATOR_PORT: '' });
    expect(running.logged()).not.toContain('serving health and metrics');
    expect(await running.stop()).toBe(0);
    expect(await metricsFinding({ OPERATOR_PORT: '' })).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('set OPERATOR_PORT'),
    });
    const detail = 'http://127.0.0.1:9464/metrics, of each process';
    expect(await metricsFinding({ OPERATOR_PORT: '9464' })).toMatchObject({ status: 'ok', detail });
  });

  async function metricsFinding(settings: Record<string, string>) {
    const { stdout } = await runNavette(['doctor', '--json'], { ...server.environment, ...settings });
    return (JSON.parse(stdout) as { check: string }[]).find(({ check }) => check === 'metrics');
  }
});

test('concurrent scrapes and those of the next second share one computation', async () => {
  const registry = new Registry();
  const collect = vi.fn<() => void>();
  new Gauge({ name: 'counted', help: 'how often it was computed', registers: [registry], collect });
  const listener = await listenForOperator({
    host: '127.0.0.1',
    port: 0,
    registry,
    readHealth: server.readHealth,
    log: createLog('silent'),
  });
  try {
    const started = performance.now();
    const scrape = async () => (await fetch(`${listener.address}/metrics`)).status;
    const statuses = [...(await Promise.all(Array.from({ length: 30 }, scrape))), await scrape()];
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(collect.mock.calls.length).toBeLessThanOrEqual(1 + (performance.now() - started) / 1_000);
  } finally {
    await listener.close();
  }
});
