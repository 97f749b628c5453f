import { BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, callApi } from '../../test/call-api.ts';
import { fieldErrors, tooMany } from '../../test/envelopes.ts';
import { eventually } from '../../test/eventually.ts';
import { type NavetteProcess, startNavette } from '../../test/navette-process.ts';
import { type PrivateRedis, startPrivateRedis } from '../../test/private-redis.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { createKey } from '../features/api-keys/index.ts';

const PLENTY = 1_000_000;
const TEST_MS = 10_000; // time that a test needs within one minute

/** Windows are fixed, so a test that counts must not run into the next one. */
async function enoughOfThisMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < TEST_MS) await vi.waitUntil(() => Date.now() % 60_000 < 50_000, { timeout: TEST_MS + 1_000 });
}
beforeEach(enoughOfThisMinute);

const readAccountAt = (url: string, account: TestAccount) => callApi(`${url}${BASE_PATH}/account`, account, 'GET');

function limitHeaders({ headers }: Answer) {
  const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
  return names.map((name) => headers.get(name));
}

/** Until then a process counts its own requests only, as it does without Redis. */
async function redisReached({ readHealth }: Pick<TestServer, 'readHealth'>): Promise<void> {
  await vi.waitFor(async () => expect((await readHealth()).redis).toBe('ok'), { timeout: 240_000 });
}

describe('request limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ REDIS_TIME_LIMIT_MS: '60000' }); // on a busy machine none is counted by one process alone
    await redisReached(server);
  });
  afterAll(() => server.stop());

  const limited = (minute: number, hour: number, day: number) =>
    server.createAccount({ rateLimits: { minute, hour, day } });
  const readAccount = (account: TestAccount) => readAccountAt(server.url, account);

  test.each([
    ['minute', 2, PLENTY, PLENTY],
    ['hour', PLENTY, 2, PLENTY],
    ['day', PLENTY, PLENTY, 2],
  ] as const)('429 names the window %s when its limit is reached', async (window, minute, hour, day) => {
    const account = await limited(minute, hour, day);
    expect((await readAccount(account)).status).toBe(200);
    expect((await readAccount(account)).status).toBe(200);
    expect(await readAccount(account)).toEqual(tooMany(window));
  });

  test('429 names the longest window when several limits are reached', async () => {
    expect(await readAccount(await limited(0, 0, 0))).toEqual(tooMany('day'));
    expect(await readAccount(await limited(0, 0, PLENTY))).toEqual(tooMany('hour'));
  });

  test('every authenticated response and every 429 has headers about the minute, without Retry-After', async () => {
    const account = await limited(4, PLENTY, PLENTY);
    const reset = String((Math.floor(Date.now() / 60_000) + 1) * 60);
    const quote = (body: unknown) => server.call(account, 'POST', '/rates', { body });

    expect(limitHeaders(await readAccount(account))).toEqual(['4', '3', reset, null]);
    const refused = await quote({ weight: 0 });
    expect(refused).toEqual(fieldErrors('body', 'weight'));
    expect(limitHeaders(refused)).toEqual(['4', '2', reset, null]);
    expect(limitHeaders(await quote({}))).toEqual(['4', '1', reset, null]);
    const unreadable = await server.call(account, 'POST', '/rates', { rawBody: '{' });
    expect(limitHeaders(unreadable)).toEqual(['4', '0', reset, null]);
    const beyond = await readAccount(account);
    expect(beyond).toEqual(tooMany('minute'));
    expect(limitHeaders(beyond)).toEqual(['4', '0', reset, null]);
  });

  test('on a 429 for the hour the headers still describe the minute', async () => {
    const account = await limited(10, 1, PLENTY);
    await readAccount(account);
    expect(limitHeaders(await readAccount(account)).slice(0, 2)).toEqual(['10', '9']);
  });

  test('a response to an unauthenticated caller has no limit headers', async () => {
    const { clientId } = await limited(4, PLENTY, PLENTY);
    const stranger = await server.call({ clientId, key: 'navette_key_unknown' }, 'GET', '/account');
    expect(limitHeaders(stranger)).toEqual([null, null, null, null]);
  });

  test('a refused request does not count', async () => {
    const account = await limited(1, 3, PLENTY);
    await readAccount(account);
    for (let i = 0; i < 5; i++) expect(await readAccount(account)).toEqual(tooMany('minute'));
    // The operator raises the limit of the minute. The five refusals did not count against the hour's three.
    await server.db.updateTable('accounts').set({ limit_per_minute: PLENTY }).where('id', '=', account.id).execute();
    await eventually(async () => expect((await readAccount(account)).status).toBe(200));
    expect((await readAccount(account)).status).toBe(200);
    expect(await readAccount(account)).toEqual(tooMany('hour'));
  });

  test('two keys of one account share its budget, two accounts do not', async () => {
    const account = await limited(2, PLENTY, PLENTY);
    const created = await createKey(server.db, account.id, { name: null, scopes: ['read'], expiresAt: null });
    const second = { ...account, key: created.outcome === 'created' ? created.key : '' };
    expect((await readAccount(account)).status).toBe(200);
    expect((await readAccount(second)).status).toBe(200);
    expect(await readAccount(second)).toEqual(tooMany('minute'));
    expect((await readAccount(await limited(2, PLENTY, PLENTY))).status).toBe(200);
  });

  test('of 200 simultaneous requests to two processes exactly 60 are served', async () => {
    const other = await startNavette(['api'], server.environment);
    try {
      await redisReached(other);
      const account = await limited(60, PLENTY, PLENTY);
      await enoughOfThisMinute();
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, i) => readAccountAt(i % 2 === 0 ? server.url : other.url, account)),
      );
      const passed = answers.filter(({ status }) => status === 200);
      expect(passed).toHaveLength(60);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(140);
      const remaining = passed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
      expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i));
    } finally {
      await other.stop();
    }
  });
});

describe('while Redis is unreachable', () => {
  let redis: PrivateRedis;
  let server: TestServer;
  let other: NavetteProcess;
  beforeAll(async () => {
    redis = await startPrivateRedis();
    server = await startTestServer({ REDIS_URL: redis.url, REDIS_TIME_LIMIT_MS: '2000' });
    other = await startNavette(['api'], server.environment);
    await Promise.all([redisReached(server), redisReached(other)]);
  });
  afterAll(async () => {
    await other.stop();
    await server.stop();
    await redis.stop();
  });

  const warnings = (logged: string) => logged.match(/request limits are counted in this process only/g)?.length ?? 0;
  const remainingAt = async (url: string, account: TestAccount) => limitHeaders(await readAccountAt(url, account))[1];

  test('requests are served and limited per process, with one warning; afterwards processes share limits again', async () => {
    const account = await server.createAccount({ rateLimits: { minute: 5, hour: PLENTY, day: PLENTY } });
    expect(await remainingAt(server.url, account)).toBe('4');
    expect(await remainingAt(other.url, account)).toBe('3');

    await redis.stop();
    for (const { url, readHealth } of [server, other]) {
      const alone = [];
      for (let i = 0; i < 5; i++) alone.push(await remainingAt(url, account));
      expect(alone).toEqual(['4', '3', '2', '1', '0']);
      expect(await readAccountAt(url, account)).toEqual(tooMany('minute'));
      await vi.waitFor(async () => expect((await readHealth()).redis).toBe('degraded'), { timeout: 240_000 });
      expect(await callApi(`${url}/readyz`, {}, 'GET')).toMatchObject({ status: 200, body: { status: 'ready' } });
    }
    expect(warnings(server.logged())).toBe(1);
    await eventually(() => expect(warnings(other.logged())).toBe(1));

    await redis.start();
    const probe = await server.createAccount();
    const back = 'request limits are shared between processes';
    for (const running of [server, other]) {
      await vi.waitFor(
        async () => {
          await readAccountAt(running.url, probe);
          expect(running.logged()).toContain(back);
        },
        { timeout: 240_000, interval: 20 },
      );
    }
    const fresh = await server.createAccount({ rateLimits: { minute: 5, hour: PLENTY, day: PLENTY } });
    await enoughOfThisMinute();
    expect(await remainingAt(server.url, fresh)).toBe('4');
    expect(await remainingAt(other.url, fresh)).toBe('3');
    expect(warnings(server.logged()) + warnings(other.logged())).toBe(2);
  });

  test('a Redis that hangs does not delay requests', async () => {
    const account = await server.createAccount({ rateLimits: { minute: 1, hour: PLENTY, day: PLENTY } });
    const thaw = redis.freeze();
    try {
      expect(await remainingAt(server.url, account)).toBe('0');
      expect(await readAccountAt(server.url, account)).toEqual(tooMany('minute'));
    } finally {
      thaw();
    }
    await redisReached(server);
  });
});
