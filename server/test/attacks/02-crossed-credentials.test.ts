import {
  CONSOLE_ENDPOINTS,
  type ConsoleEndpoint,
  CSRF_HEADER,
  DASHBOARD_ENDPOINTS,
  type DashboardEndpoint,
  ROLE_ALLOWS,
  ROLES,
  type Role,
  SCOPES,
  STAFF_ROLE_ALLOWS,
  STAFF_ROLES,
} from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeAnyKey } from '../../src/features/api-keys/index.ts';
import { createTestStaff, type TestStaff } from '../console.ts';
import { crowd } from '../crowd.ts';
import { createTestMember, type TestMember } from '../dashboard.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies, pathWith } from './generate.ts';
import { type Api, describeOperation, hasPathParameter, type Operation, readOperations } from './operations.ts';
import {
  changedTables,
  createTenant,
  credentialsOf,
  idsOf,
  snapshot,
  startAttackedServer,
  type Tenant,
} from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

let server: TestServer;
let tenant: Tenant;
let other: Tenant;
let guarded: Operation[];
let ids: string[];
beforeAll(async () => {
  server = await startAttackedServer();
  tenant = await createTenant(server, 'tenant');
  other = await createTenant(server, 'other');
  guarded = (await readOperations(server.url)).filter(({ isOpen }) => !isOpen);
  ids = await idsOf(server, tenant);
});
afterAll(() => server.stop());

type Headers = Record<string, string>;

/** Each from an address of its own, so that no throttle answers in place of the access control. */
async function statusOf(operation: Operation, credentials: Headers, id = ids[0] ?? ''): Promise<number> {
  const headers = { 'content-type': 'application/json', ...freshAddress(), ...credentials };
  const body = operation.changes ? JSON.stringify(fittingBodies(operation, 1)[0]) : undefined;
  const { method } = operation;
  return (await sendRaw(server.url, { method, path: pathWith(operation, id), headers, body })).status;
}

/** The attacks that were not refused as they must be, and the tables that they changed. */
async function faultsOf(
  attacks: { operation: Operation; credentials: Headers }[],
  allowed: number[],
): Promise<string[]> {
  const before = await snapshot(server);
  const faults: string[] = attacks.length > 0 ? [] : ['nothing was attacked'];
  await crowd(8, attacks, async ({ operation, credentials }) => {
    for (const id of hasPathParameter(operation) ? ids : ['']) {
      const status = await statusOf(operation, credentials, id);
      if (!allowed.includes(status))
        faults.push(`${describeOperation(operation)} with ${JSON.stringify(credentials)}: ${status}`);
    }
  });
  return [...faults, ...changedTables(before, await snapshot(server))];
}

test('no operation serves a caller without credentials, with invented ones, or with those of another API', async () => {
  const { account, driver, owners, staff } = tenant;
  const [owner] = owners as [TestMember];
  const [admin] = staff as [TestStaff];
  const tokenOf = ({ cookie: pair }: { cookie: string }) => pair.slice(pair.indexOf('=') + 1);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'x-client-id': account.clientId });
  const cookie = (token: string) => ({ cookie: `__Host-navette-session=${token}`, [CSRF_HEADER]: owner.csrfToken });
  const atConsole = (token: string) => ({ cookie: `__Host-navette-console=${token}`, [CSRF_HEADER]: admin.csrfToken });
  const strangers: Record<Api, Headers[]> = {
    merchant: [{}, bearer('invented'), bearer(driver.token), credentialsOf(tenant, 'dashboard')],
    dashboard: [
      {},
      cookie('invented'),
      cookie(account.key),
      cookie(driver.token),
      cookie(tokenOf(admin)),
      credentialsOf(tenant, 'console'),
      bearer(account.key),
      bearer(driver.token),
    ],
    driver: [{}, bearer('invented'), bearer(account.key), credentialsOf(tenant, 'dashboard')],
    console: [
      {},
      ...['invented', account.key, driver.token, tokenOf(owner)].map(atConsole),
      bearer(account.key),
      bearer(driver.token),
      credentialsOf(tenant, 'dashboard'),
    ],
  };
  const attacks = guarded.flatMap((operation) =>
    strangers[operation.api].map((credentials) => ({ operation, credentials })),
  );
  expect(await faultsOf(attacks, [401])).toEqual([]);
});

test('a key works for its own account only, until it is revoked or expires', async () => {
  const keyOf = async (expiresAt: Date | null) => {
    const created = await createKey(server.db, tenant.account.id, { name: null, scopes: [...SCOPES], expiresAt });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return created;
  };
  const [revoked, expired] = [await keyOf(null), await keyOf(new Date(0))];
  await revokeAnyKey(server.db, revoked.id);
  const { key, clientId } = tenant.account;
  const bearer = (token: string, client: string) => ({ authorization: `Bearer ${token}`, 'x-client-id': client });
  const strangers = [bearer(key, other.account.clientId), bearer(revoked.key, clientId), bearer(expired.key, clientId)];
  const merchant = guarded.filter(({ api }) => api === 'merchant');
  const attacks = merchant.flatMap((operation) => strangers.map((credentials) => ({ operation, credentials })));
  expect(await faultsOf(attacks, [401, 403])).toEqual([]);
});

test('a key does nothing for which it lacks the scope', async () => {
  const needed: Record<string, string> = { GET: 'read', POST: 'write', PUT: 'write', DELETE: 'delete' };
  const attacks = [];
  for (const scope of SCOPES) {
    const created = await createKey(server.db, tenant.account.id, { name: scope, scopes: [scope], expiresAt: null });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    const credentials = { authorization: `Bearer ${created.key}`, 'x-client-id': tenant.account.clientId };
    const beyond = guarded.filter(({ api, method }) => api === 'merchant' && needed[method] !== scope);
    attacks.push(...beyond.map((operation) => ({ operation, credentials })));
  }
  expect(await faultsOf(attacks, [403])).toEqual([]);
});

test.each(ROLES.filter((role) => role !== 'owner'))(
  '%s does nothing that the role does not allow',
  async (role: Role) => {
    const member = await createTestMember(server, tenant.account.id, role);
    const credentials = { cookie: member.cookie, [CSRF_HEADER]: member.csrfToken };
    const endpoints: Record<string, DashboardEndpoint> = DASHBOARD_ENDPOINTS;
    const beyond = guarded.filter(({ api, name }) => {
      const needs = endpoints[name]?.needs;
      return api === 'dashboard' && needs && needs !== 'self' && !ROLE_ALLOWS[role].includes(needs);
    });
    const attacks = beyond.map((operation) => ({ operation, credentials }));
    expect(await faultsOf(attacks, [403])).toEqual([]);
  },
);

const consoleEndpointOf = (name: string) => (CONSOLE_ENDPOINTS as Record<string, ConsoleEndpoint>)[name];
const headersOf = ({ cookie, csrfToken }: TestStaff) => ({ cookie, [CSRF_HEADER]: csrfToken });

test.each(STAFF_ROLES.filter((role) => role !== 'admin'))(
  '%s does nothing that the role does not allow',
  async (role) => {
    const credentials = headersOf(await createTestStaff(server, role));
    const beyond = guarded.filter(({ api, name }) => {
      const needs = api === 'console' ? consoleEndpointOf(name)?.needs : null;
      return needs && needs !== 'self' && !STAFF_ROLE_ALLOWS[role].includes(needs);
    });
    const attacks = beyond.map((operation) => ({ operation, credentials }));
    expect(await faultsOf(attacks, [403])).toEqual([]);
  },
);

test('staff without a second factor do nothing but set one up', async () => {
  const credentials = headersOf(await createTestStaff(server, 'admin', { hasSecondFactor: false }));
  const beyond = guarded.filter(({ api, name }) => api === 'console' && !consoleEndpointOf(name)?.beforeSecondFactor);
  const attacks = beyond.map((operation) => ({ operation, credentials }));
  expect(await faultsOf(attacks, [403])).toEqual([]);
});
