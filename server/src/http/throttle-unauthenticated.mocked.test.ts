import {
  DASHBOARD_BASE_PATH,
  DASHBOARD_ENDPOINTS,
  type DashboardEndpoint,
  type DashboardEndpointName,
  DRIVER_BASE_PATH,
  dashboardRoute,
  SIGN_IN_BODY_LIMIT_BYTES,
} from '@navette/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, callApi } from '../../test/call-api.ts';
import { createTestMember, type TestMember } from '../../test/dashboard.ts';
import { createTestDriver } from '../../test/driver-app.ts';
import { messageOnly, tooMany } from '../../test/envelopes.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

const { hashing } = vi.hoisted(() => ({ hashing: { now: 0, most: 0, total: 0 } }));

/** The real functions, counted. */
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof import('@node-rs/argon2')>();
  const counted =
    <A extends unknown[], R>(compute: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      hashing.total++;
      hashing.most = Math.max(hashing.most, ++hashing.now);
      return compute(...args).finally(() => hashing.now--);
    };
  return { ...original, hash: counted(original.hash), verify: counted(original.verify) };
});

const BUDGET = 60;
const PASSWORD = 'cheval correct agrafe';

let server: TestServer;
let member: TestMember;
let driverEmail: string;
beforeAll(async () => {
  server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.1' }); // lets a test choose its client address
  server.setNow(new Date()); // stops the clock, so that the minute does not end
  const account = await server.createAccount();
  member = await createTestMember(server, account.id);
  driverEmail = (await createTestDriver(server.db, { password: PASSWORD })).email;
});
afterAll(() => server.stop());
beforeEach(() => Object.assign(hashing, { most: 0, total: 0 }));

let clients = 0;
const newAddress = () => `203.0.113.${++clients}`;

const post = (path: string, address: string, options: { body?: unknown; rawBody?: string }, method = 'POST') =>
  callApi(`${server.url}${path}`, {}, method, { ...options, headers: { 'x-forwarded-for': address } });

const SIGN_INS = [
  ['dashboard', `${DASHBOARD_BASE_PATH}/session`, () => ({ email: member.email, password: member.password })],
  ['driver app', `${DRIVER_BASE_PATH}/session`, () => ({ email: driverEmail, password: PASSWORD })],
] as const;

const statusesOf = (answers: Answer[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [status, all?.length]),
  );

describe.each(SIGN_INS)('signing in to the %s', (_name, path, credentials) => {
  test('of 600 concurrent wrong passwords from one address at most 60 are verified, two at a time', async () => {
    const address = newAddress();
    const guesses = Array.from({ length: 600 }, (_, i) =>
      post(path, address, { body: { email: `nobody-${i}@example.org`, password: 'wrong' } }),
    );
    const otherUser = post(path, newAddress(), { body: credentials() });
    const statuses = statusesOf(await Promise.all(guesses));
    expect(Object.keys(statuses)).toEqual(['401', '429']);
    expect(statuses[401]).toBeLessThanOrEqual(BUDGET);
    expect(hashing.total).toBeLessThanOrEqual(BUDGET + 2); // the other user's, and once the decoy
    expect(hashing.most).toBe(2); // of the four threads, which files and compression also need
    expect(await otherUser).toMatchObject({ status: 201 });
  });

  const refuseFrom = (address: string, i: number) => post(path, address, { rawBody: i % 2 ? '{' : '{}' });

  test('malformed bodies count too, and successes do not', async () => {
    const address = newAddress();
    for (let i = 0; i < 3; i++) {
      expect(await post(path, address, { body: credentials() })).toMatchObject({ status: 201 });
    }
    for (let i = 0; i < BUDGET; i++) expect(await refuseFrom(address, i)).toMatchObject({ status: 400 });
    expect(await refuseFrom(address, 0)).toEqual(tooMany('minute'));
    expect(await post(path, address, { body: credentials() })).toEqual(tooMany('minute'));
    expect(hashing.total).toBe(3);
  });

  test('a client with many IPv6 addresses has one budget', async () => {
    const address = (i: number) => `2001:db8:0:7::${i.toString(16)}`;
    for (let i = 0; i < BUDGET; i++) expect(await refuseFrom(address(i), i)).toMatchObject({ status: 400 });
    expect(await refuseFrom(address(BUDGET), 0)).toEqual(tooMany('minute'));
    expect(await refuseFrom('2001:db8:0:8::1', 0)).toMatchObject({ status: 400 });
  });

  test('a body over 8 KiB is refused, one of 8 KiB is read', async () => {
    const sized = (bytes: number) => JSON.stringify(credentials()).padEnd(bytes);
    const address = newAddress();
    expect(await post(path, address, { rawBody: sized(SIGN_IN_BODY_LIMIT_BYTES) })).toMatchObject({ status: 201 });
    const refused = await post(path, address, { rawBody: sized(SIGN_IN_BODY_LIMIT_BYTES + 1) });
    expect(refused).toEqual(messageOnly(413));
    expect(refused.body.message).toContain('8192');
  });
});

const invented = { token: 'navette_reset_invented', password: 'une phrase toute nouvelle' };

test.each([
  ['password reset', 'PUT', '/password-reset', invented],
  ['invitation', 'POST', '/invitation', { ...invented, name: 'Zoé', language: 'fr' }],
])('of 800 concurrent invalid tokens of a %s none costs a hash', async (_name, method, path, body) => {
  const address = newAddress();
  const guesses = Array.from({ length: 800 }, () => post(`${DASHBOARD_BASE_PATH}${path}`, address, { body }, method));
  expect(statusesOf(await Promise.all(guesses))).toEqual({ 410: BUDGET, 429: 800 - BUDGET });
  expect(hashing.total).toBe(0);
});

const open = (Object.keys(DASHBOARD_ENDPOINTS) as DashboardEndpointName[]).filter(
  (name) => (DASHBOARD_ENDPOINTS[name] as DashboardEndpoint).needs === null,
);
test.each(open)('%s refuses a body over 8 KiB', async (name) => {
  const { method, path } = dashboardRoute(name);
  const rawBody = '{}'.padEnd(SIGN_IN_BODY_LIMIT_BYTES + 1);
  expect(await post(`${DASHBOARD_BASE_PATH}${path}`, newAddress(), { rawBody }, method)).toEqual(messageOnly(413));
});
