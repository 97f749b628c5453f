import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { signInAs, TEST_PASSWORD } from '../dashboard.ts';
import { everyRow } from '../every-row.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies, pathWith } from './generate.ts';
import { readOperations } from './operations.ts';
import { createTenant, credentialsOf, idsOf, startAttackedServer, type Tenant } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

let server: TestServer;
let tenant: Tenant;
let watched: Tenant;
beforeAll(async () => {
  server = await startAttackedServer({ LOG_LEVEL: 'trace' });
  tenant = await createTenant(server, 'canarytenant');
  watched = await createTenant(server, 'canarywatched');
});
afterAll(() => server.stop());

test('no key, token, password or person is in the log, whatever operation is called, and no credential in a row', async () => {
  const ids = await idsOf(server, tenant);
  for (const operation of await readOperations(server.url)) {
    const headers = { ...credentialsOf(tenant, operation.api), ...freshAddress() };
    const [body] = fittingBodies(operation, 1);
    const text = operation.changes
      ? JSON.stringify({ ...body, email: 'canaryperson@example.org', password: 'canarypassword', token: 'canarytoken' })
      : undefined;
    const path = `${pathWith(operation, ids[0] ?? '')}?search=canarysearch`;
    await sendRaw(server.url, { method: operation.method, path, headers, body: text });
  }
  const logged = server.logged();
  expect(logged.split('\n').length).toBeGreaterThan(80);
  expect(logged.match(/canary\w*/g)).toBeNull();
  const { account, driver, owners } = tenant;
  const secrets = [account.key, driver.token, TEST_PASSWORD, ...owners.map(({ cookie }) => cookie.split('=')[1] ?? '')];
  const rows = await everyRow(server.db);
  for (const secret of secrets) {
    expect(logged).not.toContain(secret);
    expect(rows).not.toContain(secret);
  }
});

test.each([
  { PUBLIC_URL: 'https://navette.example' },
  { PUBLIC_URL: 'HTTPS://navette.example' },
  { PUBLIC_URL: 'http://navette.example' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { PUBLIC_URL: 'https://navette.example', LINK_SECRETS: `${'s'.repeat(40)},for-development-only-not-a-secret` },
])('a service that others reach does not start with secrets that everybody knows: %j', (environment) => {
  expect(() => readConfig(environment)).toThrow(/LINK_SECRETS/);
});

test('the security log names members by an id that they cannot choose, and cannot be rewritten', async () => {
  const [owner, mallory] = watched.owners;
  await mallory?.call('updateProfile', { body: { name: 'Le propriétaire', language: 'fr' } });
  await mallory?.call('createKey', { body: { name: 'a key of mallory', scopes: ['read'] } });
  const { body } = (await owner?.call('listActs')) ?? { body: {} };
  const made = body.acts.find(({ act }: { act: string }) => act === 'key-created');
  expect(JSON.stringify(made)).toContain(mallory?.email);
  expect(body.acts.some(({ act }: { act: string }) => /rename|profile|name/.test(act))).toBe(true);
  await expect(sql`update member_acts set actor = 'nobody'`.execute(server.db)).rejects.toThrow(/append-only/);
  await expect(sql`delete from member_acts`.execute(server.db)).rejects.toThrow(/append-only/);
});

test('failed sign-ins to a member’s account are logged', async () => {
  const [owner, target] = watched.owners;
  for (let i = 0; i < 6; i++) await signInAs(server.url, target?.email ?? '', `mauvaise phrase ${i}`).catch(() => {});
  const { body } = (await owner?.call('listActs')) ?? { body: {} };
  const traces = body.acts.filter((act: object) => JSON.stringify(act).includes(target?.email ?? '-'));
  expect(traces.length).toBeGreaterThan(0);
});
