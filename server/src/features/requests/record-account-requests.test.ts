import { once } from 'node:events';
import { REQUEST_LOG } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { startPrivateRedis } from '../../../test/private-redis.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import type { ObservedRequest } from '../../http/observe-requests.ts';
import { createRedis } from '../../redis/create-redis.ts';
import { createRedisRequestLog } from './redis-request-log.ts';
import { createRequestRecorder } from './request-recorder.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function createDeveloper() {
  const account = await server.createAccount({ paymentMode: 'deferred' });
  return { account, member: await createTestMember(server, account.id, 'developer') };
}

type Query = NonNullable<Parameters<typeof list>[1]>;
const list = async (
  member: TestMember,
  query: { status?: '4xx'; method?: 'GET'; search?: string; cursor?: string } = {},
) => (await member.call('listRequests', { query })).body;

/** Waits until the log holds `count` requests: it is written asynchronously. */
const listed = (member: TestMember, count: number, query: Query = {}) =>
  vi.waitFor(
    async () => {
      const page = await list(member, query);
      expect(page.requests).toHaveLength(count);
      return page.requests;
    },
    { timeout: 240_000, interval: 50 },
  );

const observedRequest = (accountId: string, requestId: string): ObservedRequest => ({
  accountId,
  requestId,
  key: { id: accountId, name: null, scopes: ['read'], expiresAt: null, narrowing: null },
  at: new Date(),
  durationMs: 1,
  method: 'GET',
  route: '/account',
  id: undefined,
  status: 200,
  refusal: null,
});

describe('the request log', () => {
  test('has every request of the account’s keys, with its route, time, outcome and key', async () => {
    const { account, member } = await createDeveloper();
    const created = await server.call(account, 'POST', '/shipping', { body: shipmentRequest() });
    const id = created.body.shipping._id;
    await server.call(account, 'GET', `/shipping/${id}`);
    const { phoneNumber: _, ...withoutPhone } = shipmentRequest().deliveryAddress;
    await server.call(account, 'POST', '/shipping', {
      body: shipmentRequest({ deliveryAddress: withoutPhone as never, parcelDetails: { weight: -1, nature: 'x' } }),
    });
    await server.call({ ...account, clientId: 'wrong' }, 'GET', '/account');
    const [wrong, refused, read, creation] = await listed(member, 4);
    expect(creation).toMatchObject({
      requestId: created.headers.get('x-request-id'),
      method: 'POST',
      route: '/shipping',
      status: 201,
      error: null,
      keyName: 'test',
      keyHint: account.key.slice(-4),
    });
    expect(creation.durationMs).toBeGreaterThan(0);
    expect(Date.now() - Date.parse(creation.at)).toBeLessThan(timeLimitMs(60_000));
    expect(read).toMatchObject({ route: '/shipping/:id', id, status: 200 });
    expect(refused).toMatchObject({ status: 400, fields: ['deliveryAddress.phoneNumber', 'parcelDetails.weight'] });
    expect(wrong).toMatchObject({ status: 403, error: 'INVALID_CLIENT_ID' });
  });

  test('is filtered by status, method and prefix of the request id', async () => {
    const { account, member } = await createDeveloper();
    await server.call(account, 'GET', '/account', { headers: { 'x-request-id': 'support-case-77' } });
    await server.call(account, 'GET', '/shipping/nothing');
    await server.call(account, 'POST', '/rates', { body: {} });
    await listed(member, 3);
    expect((await listed(member, 2, { status: '4xx' })).map(({ route }: { route: string }) => route)).toEqual([
      '/rates',
      '/shipping/:id',
    ]);
    await listed(member, 2, { method: 'GET' });
    const [found] = await listed(member, 1, { search: 'SUPPORT-case' });
    expect(found.route).toBe('/account');
    await listed(member, 0, { search: 'nobody' });
  });

  test('holds no name, address, number or body, and no invalid id', async () => {
    const { account, member } = await createDeveloper();
    const { deliveryAddress } = shipmentRequest();
    await server.call(account, 'POST', '/shipping', { body: shipmentRequest() });
    await server.call(account, 'GET', `/shipping/${encodeURIComponent('jean.dupont@example.org')}`);
    await server.call(account, 'GET', '/shipping', { query: { status: 'Jean Dupont' } });
    const text = JSON.stringify(await listed(member, 3));
    for (const value of [...Object.values(deliveryAddress), 'jean', 'Dupont']) expect(text).not.toContain(value);
  });

  test('is visible to its own account and to developers only', async () => {
    const [one, two] = [await createDeveloper(), await createDeveloper()];
    await server.call(one.account, 'GET', '/account');
    await listed(one.member, 1);
    expect((await list(two.member)).requests).toEqual([]);
    const operations = await createTestMember(server, one.account.id, 'operations');
    expect(await operations.call('listRequests')).toMatchObject({ status: 403, body: { error: 'ROLE_NOT_ALLOWED' } });
  });

  test('keeps about the latest thousand, in pages, each request once and newest first', async () => {
    const { account, member } = await createDeveloper();
    const redis = createRedis(server.config, server.app.log);
    await once(redis, 'ready');
    const recorder = createRequestRecorder(createRedisRequestLog(redis, server.config.redisPrefix), server.app.log);
    for (let i = 0; i < REQUEST_LOG.most + 400; i++) recorder.record(observedRequest(account.id, `request-${i}`));
    await recorder.stop();
    redis.disconnect();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { requests: { requestId: string }[]; nextCursor: string | null } = await list(
        member,
        cursor ? { cursor } : {},
      );
      seen.push(...page.requests.map(({ requestId }) => requestId));
      cursor = page.nextCursor;
    }
    expect(seen[0]).toBe(`request-${REQUEST_LOG.most + 399}`);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(REQUEST_LOG.most);
    expect(seen.length).toBeLessThan(REQUEST_LOG.most + 150);
  });
});

test('without Redis requests work, and the log reports that it is unavailable', async () => {
  const redis = await startPrivateRedis();
  const alone = await startTestServer({ REDIS_URL: redis.url });
  try {
    const account: TestAccount = await alone.createAccount();
    const member = await createTestMember(alone, account.id);
    await redis.stop();
    expect((await alone.call(account, 'GET', '/account')).status).toBe(200);
    expect((await member.call('listRequests')).body).toEqual({
      success: true,
      requests: [],
      nextCursor: null,
      isAvailable: false,
    });
  } finally {
    await alone.stop();
    await redis.stop();
  }
});
