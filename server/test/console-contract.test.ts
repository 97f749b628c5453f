import {
  buildConsoleOpenApi,
  CONSOLE_BASE_PATH,
  CONSOLE_ENDPOINTS,
  CONSOLE_ROUTES,
  type ConsoleEndpoint,
  type ConsoleEndpointName,
  CSRF_HEADER,
  consoleAnswersOf,
  consoleRoute,
  STAFF_ROLE_ALLOWS,
  STAFF_ROLES,
  type StaffRole,
} from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from './call-api.ts';
import { consoleCaller, createTestStaff, type TestStaff } from './console.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const names = Object.keys(CONSOLE_ROUTES) as ConsoleEndpointName[];
const endpointOf = (name: ConsoleEndpointName): ConsoleEndpoint => CONSOLE_ENDPOINTS[name];
const isChange = (name: ConsoleEndpointName) => consoleRoute(name).method !== 'GET';
const guarded = names.filter((name) => endpointOf(name).needs !== null);
const params = new Proxy({}, { get: () => '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60' }) as never;

let server: TestServer;
let staff: Record<StaffRole, TestStaff>;
beforeAll(async () => {
  server = await startTestServer();
  const pairs = STAFF_ROLES.map(async (role) => [role, await createTestStaff(server, role)] as const);
  staff = Object.fromEntries(await Promise.all(pairs)) as Record<StaffRole, TestStaff>;
});
afterAll(() => server.stop());

const errorOf = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];

describe('the table of the console’s endpoints', () => {
  test('has a schema for every route and a route for every schema, and names no two alike', () => {
    expect(Object.keys(CONSOLE_ENDPOINTS).toSorted()).toEqual(names.toSorted());
    const shapes = names.map((name) => CONSOLE_ROUTES[name].replaceAll(/:\w+/g, ':'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test.each(names)('%s is routed, with the fields of its path', (name) => {
    const { method, path } = consoleRoute(name);
    expect(server.app.hasRoute({ method, url: `${CONSOLE_BASE_PATH}${path}` })).toBe(true);
    const fields = Object.keys((endpointOf(name).params as { properties?: object } | undefined)?.properties ?? {});
    expect(fields).toEqual([...path.matchAll(/:(\w+)/g)].map(([, field]) => field));
  });

  test('is published as OpenAPI, in which every reference can be resolved', async () => {
    const { status, body } = await callApi(`${server.url}/console/openapi.json`, {}, 'GET');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(buildConsoleOpenApi(server.config.publicUrl))));
    for (const [, name = ''] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(body.components.schemas).toHaveProperty([name]);
  });
});

describe.each(STAFF_ROLES)('the role %s', (role) => {
  const may = (name: ConsoleEndpointName) => {
    const { needs } = endpointOf(name);
    return needs === null || needs === 'self' || STAFF_ROLE_ALLOWS[role].includes(needs);
  };
  const forbidden = guarded.filter((name) => !may(name));
  // Signing out comes last: it ends the session.
  const allowed = [...guarded.filter((name) => may(name) && name !== 'signOut'), 'signOut' as const];

  test.each(allowed)('may call %s', async (name) => {
    const answer = await staff[role].call(name, { params });
    expect(errorOf(answer)).not.toEqual([403, 'ROLE_NOT_ALLOWED']);
    expect([401, 500]).not.toContain(answer.status);
    expect([...consoleAnswersOf(name).keys()]).toContain(answer.status);
  });

  test('may not call what needs another permission', async () => {
    const { call } = await createTestStaff(server, role);
    for (const name of forbidden) {
      const answer = await call(name, { params });
      expect([name, ...errorOf(answer), answer.body.needs]).toEqual([
        name,
        403,
        'ROLE_NOT_ALLOWED',
        endpointOf(name).needs,
      ]);
    }
  });
});

describe('a request', () => {
  test.each(guarded)('to %s without a session is refused', async (name) => {
    const answer = await consoleCaller(server.url)(name, { params });
    expect(errorOf(answer)).toEqual([401, 'NOT_SIGNED_IN']);
  });

  test.each(guarded.filter(isChange))('to %s with a wrong CSRF token is refused', async (name) => {
    const { cookie } = await createTestStaff(server);
    const answer = await consoleCaller(server.url, { cookie })(name, { params, headers: { [CSRF_HEADER]: 'wrong' } });
    expect(errorOf(answer)).toEqual([403, 'BAD_CSRF_TOKEN']);
  });

  test.each(names.filter(isChange))('to %s of a page of another origin is refused', async (name) => {
    const { call } = await createTestStaff(server);
    const answer = await call(name, { params, headers: { origin: 'https://evil.example' } });
    expect(errorOf(answer)).toEqual([403, 'FOREIGN_ORIGIN']);
  });
});
