import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusedAs } from '../../../test/envelopes.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createKey } from './index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('GET /shipping/auth/test', () => {
  test('200: returns the account’s name and ids and the key’s scopes, nothing else', async () => {
    const account = await server.createAccount({ name: 'Atelier Zoé' }, ['read', 'delete']);
    const { status, body } = await server.call(account, 'GET', '/shipping/auth/test');
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      success: true,
      professional: { _id: account.id, name: 'Atelier Zoé', clientId: account.clientId },
      apiKey: { name: 'test', scopes: ['read', 'delete'], expiresAt: null },
    });
  });

  test('200: a key without a name that expires', async () => {
    const account = await server.createAccount();
    const expiresAt = new Date('2099-12-31T23:00:00Z');
    const created = await createKey(server.db, account.id, { name: null, scopes: ['read'], expiresAt });
    const key = created.outcome === 'created' ? created.key : '';
    const { body } = await server.call({ ...account, key }, 'GET', '/shipping/auth/test');
    expect(body.apiKey).toStrictEqual({ name: null, scopes: ['read'], expiresAt: '2099-12-31T23:00:00.000Z' });
  });

  test('401 and 403: reports what is wrong with a key and a client id', async () => {
    const [one, two] = [await server.createAccount(), await server.createAccount()];
    const check = (credentials: object) => server.call(credentials, 'GET', '/shipping/auth/test');
    expect(await check({})).toEqual(refusedAs('MISSING_API_KEY'));
    expect(await check({ key: one.key })).toEqual(refusedAs('MISSING_CLIENT_ID'));
    expect(await check({ ...one, clientId: two.clientId })).toEqual(refusedAs('INVALID_CLIENT_ID'));
  });
});
