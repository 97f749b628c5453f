import { readFileSync } from 'node:fs';
import {
  buildDashboardOpenApi,
  CSRF_HEADER,
  DASHBOARD_BASE_PATH,
  DASHBOARD_ENDPOINTS,
  DASHBOARD_ROUTES,
  type DashboardEndpoint,
  type DashboardEndpointName,
  dashboardAnswersOf,
  dashboardRoute,
  ROLE_ALLOWS,
  ROLES,
  type Role,
} from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from './call-api.ts';
import { createTestMember, dashboardCaller, type TestMember } from './dashboard.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const names = Object.keys(DASHBOARD_ROUTES) as DashboardEndpointName[];
const endpointOf = (name: DashboardEndpointName): DashboardEndpoint => DASHBOARD_ENDPOINTS[name];
const isChange = (name: DashboardEndpointName) => dashboardRoute(name).method !== 'GET';
const guarded = names.filter((name) => endpointOf(name).needs !== null);
const params = new Proxy({}, { get: () => '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60' }) as never;

let server: TestServer;
let accountId: string;
let members: Record<Role, TestMember>;
beforeAll(async () => {
  server = await startTestServer();
  accountId = (await server.createAccount()).id;
  const pairs = ROLES.map(async (role) => [role, await createTestMember(server, accountId, role)] as const);
  members = Object.fromEntries(await Promise.all(pairs)) as Record<Role, TestMember>;
});
afterAll(() => server.stop());

describe('the table of the dashboard’s endpoints', () => {
  test('has a schema for every route and a route for every schema', () => {
    expect(Object.keys(DASHBOARD_ENDPOINTS).toSorted()).toEqual(names.toSorted());
  });

  test('names no two alike', () => {
    const shapes = names.map((name) => DASHBOARD_ROUTES[name].replaceAll(/:\w+/g, ':'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test.each(names)('%s is routed, with the fields of its path', (name) => {
    const { method, path } = dashboardRoute(name);
    expect(server.app.hasRoute({ method, url: `${DASHBOARD_BASE_PATH}${path}` })).toBe(true);
    const fields = Object.keys((endpointOf(name).params as { properties?: object } | undefined)?.properties ?? {});
    expect(fields).toEqual([...path.matchAll(/:(\w+)/g)].map(([, field]) => field));
  });

  test('lets nobody who may only read change anything of the account', () => {
    const loose = names.filter((name) => isChange(name) && endpointOf(name).needs === 'read');
    expect(loose).toEqual(['printLabels']); // draws a file; a POST, since it names up to a thousand shipments
  });

  test('/dashboard/openapi.json has every endpoint, and every reference in it can be resolved', async () => {
    const { status, body } = await callApi(`${server.url}/dashboard/openapi.json`, {}, 'GET');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(buildDashboardOpenApi(server.config.publicUrl))));
    for (const [, name = ''] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(body.components.schemas).toHaveProperty([name]);
    const committed = JSON.parse(
      readFileSync(new URL('../../contract/dashboard-openapi.json', import.meta.url), 'utf8'),
    );
    for (const name of names) {
      const { method, path } = dashboardRoute(name);
      const operation = committed.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      const statuses = [...dashboardAnswersOf(name).keys()].toSorted((a, b) => a - b).map(String);
      expect({ name, statuses: Object.keys(operation.responses) }).toEqual({ name, statuses });
    }
  });
});

/** Refusals are tested in attacks/02-crossed-credentials and attacks/07-cross-site-requests. */
describe('the access control', () => {
  test('lets the dashboard’s own page in, at the address it was opened at and at the public one', async () => {
    const { cookie, csrfToken, email, password } = members['read-only'];
    for (const origin of [server.url, new URL(server.config.publicUrl).origin]) {
      const headers = { origin, 'sec-fetch-site': 'same-origin', cookie, [CSRF_HEADER]: csrfToken };
      const body = { name: 'Zoé Martin', language: 'fr' };
      expect(await dashboardCaller(server.url)('updateProfile', { body, headers })).toMatchObject({ status: 200 });
    }
    const headers = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    const signedIn = await dashboardCaller(server.url)('signIn', { body: { email, password }, headers });
    expect(signedIn).toMatchObject({ status: 201 });
  });

  test.each(ROLES)('lets %s do what the role allows', async (role) => {
    const { call } = members[role];
    const may = (name: DashboardEndpointName) => {
      const { needs } = endpointOf(name);
      return needs === null || needs === 'self' || ROLE_ALLOWS[role].includes(needs);
    };
    for (const name of guarded.filter((name) => may(name) && !isChange(name)))
      expect([name, (await call(name, { params })).status]).not.toEqual([name, 403]);
  });

  test('forbids browsers to cache any response', async () => {
    const { headers } = await members.owner.call('listTeam');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
