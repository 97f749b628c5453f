import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NavetteProcess, startNavette } from '../../server/test/navette-process.ts';
import { startTestServer, type TestServer } from '../../server/test/test-server.ts';

const run = promisify(execFile);
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const RULES = read('navette.rules.yml');
const DASHBOARD = read('navette.dashboard.json');
const ALERTS = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

let server: TestServer;
let service: NavetteProcess;
let metrics: Set<string>;
beforeAll(async () => {
  server = await startTestServer();
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_of_nobody_at_all', STRIPE_WEBHOOK_SECRETS: 'whsec_of_nobody_at_all' };
  // Both roles, and payments online, so that all metrics exist. Nothing listens at the address of Stripe.
  service = await startNavette([], { ...server.environment, ...stripe, STRIPE_API_URL: 'http://127.0.0.1:1' });
  const text = await (await fetch(`${service.operatorUrl}/metrics`)).text();
  metrics = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const namesIn = (text: string) => new Set([...text.matchAll(/\b(?:navette|process)_\w+/g)].map(([name]) => name));
const baseOf = (name: string) => name.replace(/_(bucket|count|sum)$/, '');

describe.each([
  ['the rules', RULES],
  ['the dashboard', DASHBOARD],
])('%s', (_name, text) => {
  test('use metrics that exist', () => {
    const names = [...namesIn(text)];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !metrics.has(name) && !metrics.has(baseOf(name)))).toEqual([]);
  });

  test('use recorded series that exist', () => {
    const recorded = new Set([...RULES.matchAll(/- record: (\S+)/g)].map(([, name]) => name));
    const used = [...text.matchAll(/\bnavette:[\w:]+/g)].map(([name]) => name);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !recorded.has(name))).toEqual([]);
  });
});

test('docs/operators/monitoring.md lists exactly the metrics of the service', () => {
  const page = read('../../docs/operators/monitoring.md');
  const listed = new Set([...page.matchAll(/^\| `(navette_\w+)`/gm)].map(([, name = '']) => name));
  expect([...metrics].filter((name) => name.startsWith('navette_')).toSorted()).toEqual([...listed].toSorted());
});

test('every alert has a section of docs/operators/incidents.md', () => {
  const page = read('../../docs/operators/incidents.md');
  const anchors = new Set(
    [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  const runbooks = [...RULES.matchAll(/runbook: docs\/operators\/incidents\.md#(\S+)/g)].map(
    ([, anchor = '']) => anchor,
  );
  expect(runbooks).toHaveLength(ALERTS.length);
  expect(runbooks.filter((anchor) => !anchors.has(anchor))).toEqual([]);
});

test('every alert is silent in health and fires in its fault, by promtool', async () => {
  const tests = read('navette.rules.test.yml');
  for (const alert of ALERTS) {
    expect([alert, tests.includes(`alertname: ${alert}, exp_alerts: []`)]).toEqual([alert, true]);
    expect([alert, tests.includes(`alertname: ${alert}\n        exp_alerts:\n          - exp_labels`)]).toEqual([
      alert,
      true,
    ]);
  }
  const cwd = new URL('.', import.meta.url);
  await run('promtool', ['check', 'rules', 'navette.rules.yml'], { cwd });
  const { stdout } = await run('promtool', ['test', 'rules', 'navette.rules.test.yml'], { cwd });
  expect(stdout).toContain('SUCCESS');
});
