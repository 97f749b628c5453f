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
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from './call-api.ts';
import { createTestMember, dashboardCaller, type TestMember } from './dashboard.ts';
import { dashboardRefusal } from './envelopes.ts';
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

/** Every row of every table, as one text that changes with any of them. */
async function fingerprint(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'
      and table_name not in ('version', 'queue', 'queue_stats', 'subscription') order by 1`.execute(server.db);
  const prints = tables.map(async ({ name }) => {
    const { rows } = await sql<{ print: string }>`
      select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${sql.table(name)} t`.execute(
      server.db,
    );
    return `${name} ${rows[0]?.print}`;
  });
  return (await Promise.all(prints)).join('\n');
}

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

  test('/dashboard/openapi.json says all of it, and every reference in it leads somewhere', async () => {
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

describe('the door', () => {
  test('asks for a session: without one, or with an invented one, every endpoint answers 401', async () => {
    const before = await fingerprint();
    const invented = { cookie: '__Host-navette-session=navette_session_invented', csrfToken: 'x' };
    const [nobody, guesser] = [dashboardCaller(server.url), dashboardCaller(server.url, invented)];
    for (const name of guarded)
      expect({ name, ...(await nobody(name, { params })) }).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    // Guessers are held up after sixty in a minute; as many endpoints as that are asked here.
    for (const name of guarded.slice(0, 40))
      expect({ name, ...(await guesser(name, { params })) }).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await fingerprint()).toBe(before);
  });

  test('asks for the session’s own token with every change: none, a wrong one and a colleague’s answer 403', async () => {
    const before = await fingerprint();
    const { cookie } = members.owner;
    const tokens = [undefined, 'wrong', members.developer.csrfToken, `${members.owner.csrfToken}x`];
    for (const csrfToken of tokens) {
      const call = dashboardCaller(server.url, { cookie, ...(csrfToken ? { csrfToken } : {}) });
      for (const name of guarded.filter(isChange))
        expect({ name, ...(await call(name, { params })) }).toEqual(dashboardRefusal('BAD_CSRF_TOKEN'));
    }
    expect(await fingerprint()).toBe(before);
  });

  test('lets no other site’s page in, whatever it carries, not even to sign in', async () => {
    const before = await fingerprint();
    const { cookie, csrfToken } = members.owner;
    const call = dashboardCaller(server.url, { cookie, csrfToken });
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: server.url.replace(/:\d+$/, ':1') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign)
      for (const name of names.filter(isChange))
        expect({ name, ...(await call(name, { params, headers: headers as never })) }).toEqual(
          dashboardRefusal('FOREIGN_ORIGIN'),
        );
    expect(await fingerprint()).toBe(before);
  });

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

  test.each(ROLES)('lets %s do what the role allows and nothing else; a refusal changes nothing', async (role) => {
    const { call } = members[role];
    const before = await fingerprint();
    const may = (name: DashboardEndpointName) => {
      const { needs } = endpointOf(name);
      return needs === null || needs === 'self' || ROLE_ALLOWS[role].includes(needs);
    };
    const refused = names.filter((name) => !may(name));
    for (const name of refused)
      expect({ name, ...(await call(name, { params })) }).toEqual(
        dashboardRefusal('ROLE_NOT_ALLOWED', { needs: endpointOf(name).needs }),
      );
    expect(await fingerprint()).toBe(before);
    // And what it allows passes the door: the refusals above are the role's, not the request's.
    for (const name of guarded.filter((name) => may(name) && !isChange(name)))
      expect([name, (await call(name, { params })).status]).not.toEqual([name, 403]);
    expect(refused.length > 0).toBe(role !== 'owner');
  });

  test('says that nothing of it may be kept by the browser', async () => {
    const { headers } = await members.owner.call('listTeam');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
