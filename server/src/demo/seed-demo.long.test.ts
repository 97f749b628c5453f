import { SHIPMENT_STATUSES } from '@navette/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brokenInvariants } from '../../test/broken-invariants.ts';
import { signInAs } from '../../test/dashboard.ts';
import { overHttp } from '../../test/driver-app.ts';
import { runNavette } from '../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
});
afterEach(() => server.stop());

const seed = (...options: string[]) => runNavette(['demo', 'seed', ...options, '--json'], server.environment);

test('an empty database gets a month in every state, with sign-ins that work and no broken invariant', async () => {
  const { code, stdout, stderr } = await seed('--webhooks-to', 'http://127.0.0.1:65530');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const world = JSON.parse(stdout);
  expect(world.accounts).toHaveLength(2);

  const shipments = await server.db.selectFrom('shipments').select(['status', 'created_at']).execute();
  expect(new Set(shipments.map(({ status }) => status))).toEqual(new Set(SHIPMENT_STATUSES));
  const days = new Set(shipments.map(({ created_at }) => created_at.toISOString().slice(0, 10)));
  expect(days.size).toBeGreaterThan(20);
  expect(await brokenInvariants(server)).toEqual([]);

  for (const { members, clientId, key } of world.accounts) {
    for (const email of members) expect(await signInAs(server.url, email, world.password)).toMatchObject({ email });
    expect(await server.call({ clientId, key }, 'GET', '/shipping/auth/test')).toMatchObject({ status: 200 });
  }
  const { status } = await overHttp(server.url, world.drivers[0])('listShipments');
  expect(status).toBe(200);
  expect((await server.call(world.accounts[0], 'GET', '/webhooks')).body.webhooks).toHaveLength(2);
});

test('a second run adds no shipment and gives new keys; the previous ones are revoked', async () => {
  const [first, second] = [JSON.parse((await seed()).stdout), JSON.parse((await seed()).stdout)];
  expect(first).toMatchObject({ isNew: true });
  expect(second).toMatchObject({ isNew: false, shipments: first.shipments });
  const [before, after] = [first.accounts[0], second.accounts[0]];
  expect(await server.call(after, 'GET', '/shipping/auth/test')).toMatchObject({ status: 200 });
  expect(await server.call(before, 'GET', '/shipping/auth/test')).toMatchObject({ status: 401 });
});

test('a database with other accounts is refused and stays as it is', async () => {
  await server.createAccount({ email: 'someone@example.org' });
  expect(await seed()).toMatchObject({ code: 1, stderr: expect.stringContaining('not the demo’s') });
  expect(await server.db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
});

test('a PUBLIC_URL with https is refused', async () => {
  const environment = { ...server.environment, PUBLIC_URL: 'https://navette.example' };
  const { code, stderr } = await runNavette(['demo', 'seed'], environment);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('https') });
});
