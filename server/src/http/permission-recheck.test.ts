import { BASE_PATH, CSRF_HEADER, DASHBOARD_BASE_PATH, DRIVER_BASE_PATH } from '@navette/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../test/dashboard.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../test/driver-app.ts';
import { dashboardRefusal, refusedAs } from '../../test/envelopes.ts';
import { eventually } from '../../test/eventually.ts';
import { holdBody } from '../../test/held-request.ts';
import { shipmentRequest } from '../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../test/test-server.ts';
import { closeAccount } from '../features/accounts/index.ts';
import { disableDriver } from '../features/drivers/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
afterEach(() => server.setNow(null));

describe('merchant API: a permission revoked while the body arrives refuses the request, and nothing is written', () => {
  const holdShipment = ({ key, clientId }: TestAccount, clientIdIn: 'header' | 'body' = 'header') =>
    holdBody(server, 'POST', `${BASE_PATH}/shipping`, {
      headers: { authorization: `Bearer ${key}`, ...(clientIdIn === 'header' ? { 'x-client-id': clientId } : {}) },
      body: { ...shipmentRequest(), ...(clientIdIn === 'body' ? { clientId } : {}) },
    });
  const setKey = (account: TestAccount, change: { revoked_at?: Date; expires_at?: Date; scopes?: string[] }) =>
    server.db.updateTable('api_keys').set(change).where('account_id', '=', account.id).execute();
  const isRefused = (account: TestAccount) =>
    eventually(async () =>
      expect((await server.call(account, 'POST', '/rates', { body: { weight: 1 } })).status).not.toBe(200),
    );

  test.each([
    ['INVALID_API_KEY', 'key revoked', (a: TestAccount) => setKey(a, { revoked_at: new Date() })],
    ['EXPIRED_API_KEY', 'key expired', (a: TestAccount) => setKey(a, { expires_at: new Date(Date.now() - 1) })],
    ['PROFESSIONAL_NOT_FOUND', 'account closed', (a: TestAccount) => closeAccount(server.db, a.id)],
    ['INSUFFICIENT_PERMISSIONS', 'scope withdrawn', (a: TestAccount) => setKey(a, { scopes: ['read'] })],
    [
      'INVALID_CLIENT_ID',
      'client id replaced',
      (a: TestAccount) =>
        server.db
          .updateTable('accounts')
          .set({ client_id: `nvc_${a.id}` })
          .where('id', '=', a.id)
          .execute(),
    ],
  ] as const)('%s: %s', async (slug, _reason, end) => {
    const account = await server.createAccount({ paymentMode: 'deferred', creditLimit: 1_000 });
    const held = [await holdShipment(account), await holdShipment(account, 'body')];
    await end(account);
    await isRefused(account);
    for (const { finish } of held) expect(await finish()).toEqual(refusedAs(slug));
    const written = await server.db.selectFrom('shipments').select('id').where('account_id', '=', account.id).execute();
    expect(written).toEqual([]);
  });

  test('a request whose permission remains creates the shipment and counts once against the limit', async () => {
    const account = await server.createAccount({
      ...{ paymentMode: 'deferred', creditLimit: 1_000, rateLimits: { minute: 10 } },
    });
    const { finish } = await holdShipment(account);
    expect(await finish()).toMatchObject({ status: 201 });
    const { headers } = await server.call(account, 'GET', '/account');
    expect(headers.get('x-ratelimit-remaining')).toBeOneOf(['8', '9']); // 9: another minute has begun
  });
});

describe('dashboard API: a permission revoked while the body arrives refuses the request, and nothing is written', () => {
  const keyRequest = { name: 'late', scopes: ['read', 'write', 'delete'] };
  const holdKey = ({ cookie, csrfToken }: TestMember) =>
    holdBody(server, 'POST', `${DASHBOARD_BASE_PATH}/keys`, {
      headers: { cookie, [CSRF_HEADER]: csrfToken },
      body: keyRequest,
    });

  test.each([
    ['member removed', 'NOT_SIGNED_IN', {}, (m: TestMember) => server.db.deleteFrom('members').where('id', '=', m.id)],
    [
      'session ended',
      'NOT_SIGNED_IN',
      {},
      (m: TestMember) => server.db.deleteFrom('member_sessions').where('member_id', '=', m.id),
    ],
    [
      'role lowered',
      'ROLE_NOT_ALLOWED',
      { needs: 'develop' },
      (m: TestMember) => server.db.updateTable('members').set({ role: 'read-only' }).where('id', '=', m.id),
    ],
  ] as const)('%s: %s', async (_reason, slug, extra, end) => {
    const account = await server.createAccount();
    const member = await createTestMember(server, account.id);
    const held = await holdKey(member);
    await end(member).execute();
    expect(await held.finish()).toEqual(dashboardRefusal(slug, extra));
    const keys = await server.db.selectFrom('api_keys').select('name').where('account_id', '=', account.id).execute();
    expect(keys).toEqual([{ name: 'test' }]);
  });

  test('a request whose permission remains creates the key', async () => {
    const member = await createTestMember(server, (await server.createAccount()).id);
    expect(await (await holdKey(member)).finish()).toMatchObject({ status: 201 });
  });
});

describe('driver API: a permission revoked while the body arrives refuses the request, and nothing is written', () => {
  const holdAvailability = ({ token }: TestDriver) =>
    holdBody(server, 'PUT', `${DRIVER_BASE_PATH}/availability`, {
      headers: { authorization: `Bearer ${token}` },
      body: { available: true },
    });
  const isAvailable = async ({ id }: TestDriver) =>
    (await server.db.selectFrom('drivers').select('available').where('id', '=', id).executeTakeFirst())?.available;

  test.each([
    ['driver disabled', (d: TestDriver) => disableDriver(server.db, d.id)],
    [
      'session closed',
      (d: TestDriver) =>
        server.db.updateTable('driver_sessions').set({ closed_at: new Date() }).where('driver_id', '=', d.id).execute(),
    ],
  ] as const)('%s', async (_reason, end) => {
    const driver = await createTestDriver(server.db, { available: false });
    const held = await holdAvailability(driver);
    await end(driver);
    await eventually(async () => expect((await overHttp(server.url, driver)('readSession')).status).toBe(401));
    expect(await held.finish()).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
    expect(await isAvailable(driver)).toBe(false);
  });

  test('a request whose permission remains changes the availability', async () => {
    const driver = await createTestDriver(server.db, { available: false });
    expect(await (await holdAvailability(driver)).finish()).toMatchObject({ status: 200 });
    expect(await isAvailable(driver)).toBe(true);
  });
});
