import { randomUUIDv7 } from 'node:crypto';
import { BASE_PATH, BODY_LIMIT_BYTES, ENDPOINTS, type Endpoint, ERROR_SLUGS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../test/call-api.ts';
import { crowd } from '../../test/crowd.ts';
import { messageOnly, refusedAs, tooMany } from '../../test/envelopes.ts';
import { withMachineLag } from '../../test/machine-lag.ts';
import { type NavetteProcess, runNavette, startNavette } from '../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { timeLimitMs } from '../../test/time-limit.ts';
import { closeAccount } from '../features/accounts/index.ts';
import { createKey, createKeyFinder, listKeys, revokeAnyKey } from '../features/api-keys/index.ts';
import { bind } from './bind.ts';
import { authenticateMerchants } from './merchant-authentication.ts';
import { createHttpServer } from './server.ts';

const UNKNOWN_KEY = `navette_key_${'0'.repeat(43)}`;
const YESTERDAY = new Date(Date.now() - 86_400_000);

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.1' }); // lets a test choose its client address
  account = await server.createAccount();
});
afterAll(() => server.stop());

const getAccount = (credentials: Partial<TestAccount>, headers: Record<string, string> = {}) =>
  server.call(credentials, 'GET', '/account', { headers });
const quote = (credentials: Partial<TestAccount>, body: unknown = { weight: 1 }) =>
  server.call(credentials, 'POST', '/rates', { body });

async function addKey(accountId: string, expiresAt: Date | null = null): Promise<{ id: string; key: string }> {
  const created = await createKey(server.db, accountId, { name: null, scopes: ['read', 'write'], expiresAt });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  return created;
}

async function closedAccount(): Promise<TestAccount> {
  const closed = await server.createAccount();
  await closeAccount(server.db, closed.id);
  return closed;
}

describe('401 MISSING_API_KEY', () => {
  test('no Authorization header', async () => {
    expect(await getAccount({ clientId: account.clientId })).toEqual(refusedAs('MISSING_API_KEY'));
  });

  test.each(['Bearer', 'Bearer   ', 'Basic abc', 'navette_key_abc', 'Bearer two words', 'Bearer:abc', ''])(
    'malformed or empty header "%s"',
    async (authorization) => {
      expect(await getAccount({ clientId: account.clientId }, { authorization })).toEqual(refusedAs('MISSING_API_KEY'));
    },
  );
});

describe('401 MISSING_CLIENT_ID', () => {
  test('GET without a client id', async () => {
    expect(await getAccount({ key: account.key })).toEqual(refusedAs('MISSING_CLIENT_ID'));
  });

  test.each(['', '   '])('blank header "%s"', async (clientId) => {
    expect(await getAccount({ key: account.key }, { 'x-client-id': clientId })).toEqual(refusedAs('MISSING_CLIENT_ID'));
  });

  test.each([{ weight: 1 }, { clientId: '' }, { clientId: 12 }, { clientId: ['a'] }, [], null, 'text'])(
    'POST whose body %j has none',
    async (body) => {
      expect(await quote({ key: account.key }, body)).toEqual(refusedAs('MISSING_CLIENT_ID'));
    },
  );

  test('POST without a body', async () => {
    expect(await server.call({ key: account.key }, 'POST', '/rates')).toEqual(refusedAs('MISSING_CLIENT_ID'));
  });
});

describe('401 INVALID_API_KEY', () => {
  test('unknown key', async () => {
    expect(await getAccount({ ...account, key: UNKNOWN_KEY })).toEqual(refusedAs('INVALID_API_KEY'));
  });

  test('revoked key', async () => {
    const { id, key } = await addKey(account.id);
    await revokeAnyKey(server.db, id);
    expect(await getAccount({ ...account, key })).toEqual(refusedAs('INVALID_API_KEY'));
  });

  test('a key is case-sensitive', async () => {
    expect(await getAccount({ ...account, key: account.key.toUpperCase() })).toEqual(refusedAs('INVALID_API_KEY'));
  });
});

describe('401 EXPIRED_API_KEY', () => {
  test('a key works until its expiry date and not from that instant on', async () => {
    const expiresAt = new Date('2031-01-01T00:00:00Z');
    const { key } = await addKey(account.id, expiresAt);
    server.setNow(new Date(expiresAt.getTime() - 1));
    expect((await getAccount({ ...account, key })).status).toBe(200);
    server.setNow(expiresAt);
    expect(await getAccount({ ...account, key })).toEqual(refusedAs('EXPIRED_API_KEY'));
    server.setNow(null);
  });
});

describe('401 PROFESSIONAL_NOT_FOUND', () => {
  test('the key’s account is closed', async () => {
    expect(await getAccount(await closedAccount())).toEqual(refusedAs('PROFESSIONAL_NOT_FOUND'));
  });
});

describe('403 INVALID_CLIENT_ID', () => {
  test('the client id of another account, in header, query or body', async () => {
    const { key } = account;
    const { clientId } = await server.createAccount();
    expect(await getAccount({ key, clientId })).toEqual(refusedAs('INVALID_CLIENT_ID'));
    expect(await server.call({ key }, 'GET', '/account', { query: { clientId } })).toEqual(
      refusedAs('INVALID_CLIENT_ID'),
    );
    expect(await quote({ key }, { weight: 1, clientId })).toEqual(refusedAs('INVALID_CLIENT_ID'));
  });

  test('an unknown client id', async () => {
    expect(await getAccount({ ...account, clientId: 'nvc_nobody' })).toEqual(refusedAs('INVALID_CLIENT_ID'));
  });
});

describe('403 INSUFFICIENT_PERMISSIONS', () => {
  const NEEDED = { GET: 'read', POST: 'write', PUT: 'write', DELETE: 'delete' } as const;
  const thing = (method: Endpoint['method']): Endpoint => ({
    method,
    path: '/thing',
    section: 'Account',
    summary: 'An endpoint for each method',
    answers: { 200: Type.Object({ success: Type.Boolean() }) },
  });
  let app: FastifyInstance;
  let url: string;

  beforeAll(async () => {
    app = createHttpServer(server.config, pino({ level: 'silent' }));
    authenticateMerchants(app, {
      keys: createKeyFinder(server.db, server.pools.prepared),
      rateLimiter: { degraded: false, take: async () => ({ exhausted: null, remaining: 1, resetsAt: 0 }) },
      failedAttempts: { take: () => () => {}, left: () => 1, exhausted: () => false },
      now: () => new Date(),
    });
    for (const method of Object.keys(NEEDED) as Endpoint['method'][]) {
      bind(app, thing(method), ({ answer }) => answer(200 as never, { success: true } as never));
    }
    url = `${await app.listen({ host: '127.0.0.1', port: 0 })}${BASE_PATH}/thing`;
  });
  afterAll(() => app.close());

  test.each(Object.entries(NEEDED))('%s needs the scope %s and no other', async (method, scope) => {
    const others = Object.values(NEEDED).filter((other) => other !== scope);
    expect(await callApi(url, await server.createAccount({}, others), method)).toEqual(
      refusedAs('INSUFFICIENT_PERMISSIONS'),
    );
    expect((await callApi(url, await server.createAccount({}, [scope]), method)).status).toBe(200);
  });

  test('every endpoint needs the scope of its method', async () => {
    for (const { method, path } of Object.values<Endpoint>(ENDPOINTS)) {
      const others = (['read', 'write', 'delete'] as const).filter((scope) => scope !== NEEDED[method]);
      const answer = await server.call(await server.createAccount({}, others), method, path);
      expect.soft(answer.body.error, `${method} ${path}`).toBe('INSUFFICIENT_PERMISSIONS');
    }
  });
});

describe('500 INTERNAL_ERROR', () => {
  test.each([
    ['GET', '/account'],
    ['PUT', '/shipping/pickup-address'],
    ['POST', '/rates'],
  ])('%s %s: the key cannot be looked up', async (method, path) => {
    const stranger = await server.createAccount(); // not cached by the key finder yet
    await sql`alter table api_keys rename to api_keys_away`.execute(server.db);
    try {
      const answer = await server.call(stranger, method, path, { headers: { 'x-request-id': 'lookup-fails-1' } });
      expect(answer).toEqual(refusedAs('INTERNAL_ERROR'));
      expect(answer.body.message).toContain('lookup-fails-1');
      expect(answer.body.message).not.toContain('api_keys');
    } finally {
      await sql`alter table api_keys_away rename to api_keys`.execute(server.db);
    }
    expect((await getAccount(stranger)).status).toBe(200);
  });
});

describe('the client id', () => {
  test('is taken from the header', async () => {
    expect((await getAccount(account)).status).toBe(200);
  });

  test('is taken from the query', async () => {
    const query = { clientId: account.clientId };
    expect((await server.call({ key: account.key }, 'GET', '/account', { query })).status).toBe(200);
    expect((await server.call({ key: account.key }, 'POST', '/rates', { query, body: { weight: 1 } })).status).toBe(
      200,
    );
  });

  test('is taken from the body', async () => {
    expect((await quote({ key: account.key }, { weight: 1, clientId: account.clientId })).status).toBe(200);
  });

  test('in the header wins over the query and the body', async () => {
    const elsewhere = { query: { clientId: 'nvc_other' }, body: { weight: 1, clientId: 'nvc_other' } };
    expect((await server.call(account, 'POST', '/rates', elsewhere)).status).toBe(200);
  });
});

describe('the order of checks', () => {
  const badBody = { weight: -1 };

  test('a missing key comes before a missing client id', async () => {
    expect(await getAccount({})).toEqual(refusedAs('MISSING_API_KEY'));
  });

  test('a missing client id comes before an unknown key', async () => {
    expect(await getAccount({ key: UNKNOWN_KEY })).toEqual(refusedAs('MISSING_CLIENT_ID'));
  });

  test('revocation comes before expiry', async () => {
    const { id, key } = await addKey(account.id, YESTERDAY);
    await revokeAnyKey(server.db, id);
    expect(await getAccount({ ...account, key })).toEqual(refusedAs('INVALID_API_KEY'));
  });

  test('expiry comes before the account', async () => {
    const merchant = await server.createAccount();
    const { key } = await addKey(merchant.id, YESTERDAY);
    await closeAccount(server.db, merchant.id);
    expect(await getAccount({ ...merchant, key })).toEqual(refusedAs('EXPIRED_API_KEY'));
  });

  test('the account comes before the client id', async () => {
    const { key } = await closedAccount();
    expect(await getAccount({ key, clientId: account.clientId })).toEqual(refusedAs('PROFESSIONAL_NOT_FOUND'));
  });

  test('the client id comes before the scope', async () => {
    const { key } = await server.createAccount({}, ['delete']);
    expect(await getAccount({ key, clientId: account.clientId })).toEqual(refusedAs('INVALID_CLIENT_ID'));
  });

  test('the scope comes before the rate limit', async () => {
    const exhausted = { rateLimits: { minute: 0 } };
    expect(await quote(await server.createAccount(exhausted, ['read']))).toEqual(refusedAs('INSUFFICIENT_PERMISSIONS'));
  });

  test('the rate limit comes before the fields', async () => {
    const exhausted = await server.createAccount({ rateLimits: { minute: 0 } });
    expect((await quote(exhausted, badBody)).status).toBe(429);
    expect((await quote(account, badBody)).status).toBe(400);
  });

  test.each([
    ['malformed JSON', { rawBody: '{"weight":' }],
    ['another content type', { rawBody: 'weight=1', headers: { 'content-type': 'text/plain' } }],
    ['too large a body', { rawBody: `"${'x'.repeat(BODY_LIMIT_BYTES)}"` }],
  ])('a missing or wrong key comes before %s', async (_name, options) => {
    const { clientId } = account;
    expect(await server.call({ clientId, key: UNKNOWN_KEY }, 'POST', '/rates', options)).toEqual(
      refusedAs('INVALID_API_KEY'),
    );
    expect(await server.call({ key: UNKNOWN_KEY }, 'POST', '/rates', options)).toEqual(refusedAs('INVALID_API_KEY'));
    expect(await server.call({ clientId }, 'POST', '/rates', options)).toEqual(refusedAs('MISSING_API_KEY'));
  });
});

describe('another process', () => {
  let other: NavetteProcess;
  beforeAll(async () => {
    other = await startNavette(['api'], server.environment);
  });
  afterAll(() => other.stop());

  const readAccount = (merchant: TestAccount) => callApi(`${other.url}${BASE_PATH}/account`, merchant, 'GET');

  /** Milliseconds from the revocation until the other process refuses, with requests in a loop. */
  async function timeUntilRefused(merchant: TestAccount, revoke: (keyId: string) => Promise<unknown>): Promise<number> {
    const [key] = await listKeys(server.db, merchant.id);
    expect((await readAccount(merchant)).status).toBe(200); // cached from this moment
    let revokedAt = Number.POSITIVE_INFINITY;
    const revocation = revoke(key?.id ?? '').then(() => {
      revokedAt = performance.now();
    });
    let answer = await readAccount(merchant);
    while (answer.status === 200 && performance.now() < revokedAt + 60_000) answer = await readAccount(merchant);
    expect(answer).toEqual(refusedAs('INVALID_API_KEY'));
    await revocation;
    return performance.now() - revokedAt;
  }

  /** Whether it takes less than a second, plus what a busy machine adds to the last requests. */
  async function isRefusedInASecond(revoke: (keyId: string) => Promise<unknown>): Promise<boolean> {
    const merchant = await server.createAccount();
    const { result, lagMs } = await withMachineLag(server.db, () => timeUntilRefused(merchant, revoke));
    return result < timeLimitMs(1_000) + 5 * lagMs;
  }

  test('refuses a key within a second of its revocation, even one that was just used', async () => {
    for (let i = 0; i < 3; i++) expect(await isRefusedInASecond((id) => revokeAnyKey(server.db, id))).toBe(true);
  });

  test('refuses a key within a second of `navette key revoke`', async () => {
    const revoke = (id: string) => runNavette(['key', 'revoke', id], server.environment);
    expect(await isRefusedInASecond(revoke)).toBe(true);
  });
});

describe('failed attempts from one address', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('beyond 300 in a minute get 429, while a recently accepted key is still served', async () => {
    server.setNow(new Date('2030-01-01T12:00:00Z'));
    const guess = { ...account, key: UNKNOWN_KEY };
    expect((await getAccount(account, from('203.0.113.7'))).status).toBe(200);

    const guesses = Array.from({ length: 300 }, () => getAccount(guess, from('203.0.113.7')));
    for (const answer of await Promise.all(guesses)) expect(answer).toEqual(refusedAs('INVALID_API_KEY'));

    expect(await getAccount(guess, from('203.0.113.7'))).toEqual(tooMany('minute'));
    expect((await getAccount(account, from('203.0.113.7'))).status).toBe(200);
    expect(await getAccount(guess, from('203.0.113.8'))).toEqual(refusedAs('INVALID_API_KEY'));

    server.setNow(new Date('2030-01-01T12:01:00Z'));
    expect(await getAccount(guess, from('203.0.113.7'))).toEqual(refusedAs('INVALID_API_KEY'));
    server.setNow(null);
  });
});

describe('refused requests with a valid key', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const repeat = async (times: number, credentials: Partial<TestAccount>, address: string) => {
    const answers = await crowd(50, Array.from({ length: times }), () =>
      server.call(credentials, 'GET', '/account', from(address)),
    );
    return Map.groupBy(answers, ({ status }) => status);
  };

  test('and a wrong client id are throttled with any key; the account’s own requests are not', async () => {
    server.setNow(new Date('2030-01-01T13:00:00Z'));
    const merchant = await server.createAccount();
    const wrong = { ...merchant, clientId: 'nvc_wrong' };
    expect((await getAccount(merchant, from('203.0.113.20').headers)).status).toBe(200); // recently accepted from here on
    const answers = await repeat(2_000, wrong, '203.0.113.20');
    expect(answers.get(403)).toHaveLength(300);
    expect(answers.get(429)).toHaveLength(1_700);
    expect(answers.get(403)?.[0]).toEqual(refusedAs('INVALID_CLIENT_ID'));
    expect(answers.get(429)?.[0]).toEqual(tooMany('minute'));
    for (const address of ['203.0.113.20', '203.0.113.21']) {
      expect((await getAccount(merchant, from(address).headers)).status).toBe(200);
    }
    expect(await getAccount(wrong, from('203.0.113.21').headers)).toEqual(refusedAs('INVALID_CLIENT_ID'));
    server.setNow(null);
  });

  test.each([
    ['an expired key', 'EXPIRED_API_KEY', async () => ({ ...account, key: (await addKey(account.id, YESTERDAY)).key })],
    ['a missing scope', 'INSUFFICIENT_PERMISSIONS', () => server.createAccount({}, ['write'])],
    ['a closed account', 'PROFESSIONAL_NOT_FOUND', closedAccount],
  ] as const)('and %s are throttled', async (name, slug, refused) => {
    server.setNow(new Date('2030-01-01T14:00:00Z'));
    const answers = await repeat(400, await refused(), `203.0.113.${30 + name.length}`);
    const { status } = ERROR_SLUGS[slug];
    expect([answers.get(status)?.length, answers.get(429)?.length]).toEqual([300, 100]);
    server.setNow(null);
  });
});

describe('a malformed request', () => {
  test.each(['{"weight":', 'weight', '{"weight":1}}', "{'weight':1}", '{"__proto__":{"weight":1}}', '\u0000'])(
    '400 message only: body %j is not accepted JSON',
    async (rawBody) => {
      expect(await server.call(account, 'POST', '/rates', { rawBody })).toEqual(messageOnly(400));
    },
  );

  test.each(['{"timeSlot":"\\u0000"}', '{"timeSlot":"\\ud800"}', '{"a":[{"\\udfff":1}]}'])(
    '400 message only: body %s contains text that PostgreSQL cannot store',
    async (rawBody) => {
      expect(await server.call(account, 'POST', '/rates', { rawBody })).toEqual(messageOnly(400));
    },
  );

  test('400 message only: such text is found at any depth', async () => {
    const depth = 100_000;
    const rawBody = `{"a":${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}}`;
    expect(await server.call(account, 'PUT', '/shipping/pickup-address', { rawBody })).toEqual(messageOnly(400));
  });

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'])(
    '415 message only: content type %s',
    async (type) => {
      const options = { rawBody: '{"weight":1}', headers: { 'content-type': type } };
      expect(await server.call(account, 'POST', '/rates', options)).toEqual(messageOnly(415));
    },
  );

  test('an empty body is not refused for its content type', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await server.call(account, 'POST', '/rates', { rawBody: '', headers })).toEqual(messageOnly(400));
    const id = randomUUIDv7();
    expect(await server.call(account, 'POST', `/shipping/${id}/view-link`, { rawBody: '', headers })).toEqual(
      messageOnly(404),
    );
  });

  test('413 message only: a body over 1 MiB; one of exactly 1 MiB is read', async () => {
    const sized = (bytes: number) => `{"weight":1,"x":"${'x'.repeat(bytes - 19)}"}`;
    expect(sized(BODY_LIMIT_BYTES)).toHaveLength(BODY_LIMIT_BYTES);
    expect((await server.call(account, 'POST', '/rates', { rawBody: sized(BODY_LIMIT_BYTES) })).status).toBe(200);
    expect(await server.call(account, 'POST', '/rates', { rawBody: sized(BODY_LIMIT_BYTES + 1) })).toEqual(
      messageOnly(413),
    );
  });

  test.each([
    ['GET', '/nothing'],
    ['PATCH', '/account'],
    ['DELETE', '/account'],
    ['GET', '/account/'],
    ['POST', `/${'x'.repeat(5_000)}`],
  ])('404 message only: unknown route %s %s, with or without a key', async (method, path) => {
    expect(await server.call(account, method, path)).toEqual(messageOnly(404));
    expect(await server.call({}, method, path)).toEqual(messageOnly(404));
  });

  test('404 message only: outside the API too', async () => {
    expect(await callApi(`${server.url}/nothing`, {}, 'GET')).toEqual(messageOnly(404));
  });

  test.each(['/%zz', '/shipping/%', '/account/%E0%A4%A'])(
    '404 message only: path %s cannot be decoded',
    async (path) => {
      const answer = await server.call(account, 'GET', path);
      expect(answer).toEqual(messageOnly(404));
      expect(answer.headers.get('x-request-id')).toBeTruthy();
    },
  );
});
