import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { refusedAs } from '../../../test/envelopes.ts';
import { eventually } from '../../../test/eventually.ts';
import { everyRow } from '../../../test/every-row.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let account: TestAccount;
let developer: TestMember;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.createAccount();
  developer = await createTestMember(server, account.id, 'developer');
});
afterAll(() => server.stop());

const WANTED = { name: 'Boutique', scopes: ['read', 'write'] };
const activeOf = async (member: TestMember) => (await member.call('listKeys')).body.active;

describe('keys in the dashboard', () => {
  test('a new key is returned once, works immediately, and records its member and last use', async () => {
    const { status, body } = await developer.call('createKey', { body: WANTED });
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^navette_key_/);
    expect(body.key).toMatchObject({ ...WANTED, state: 'active', lastUsedAt: null });
    expect(body.key.createdBy).toEqual({ email: developer.email, name: 'Zoé Martin', hasLeft: false });
    const used = await server.call({ ...account, key: body.secret }, 'GET', '/shipping/auth/test');
    expect(used.body.apiKey).toEqual({ ...WANTED, expiresAt: null });
    await eventually(async () => {
      const { keys } = (await developer.call('listKeys')).body;
      expect(Date.parse(keys.find(({ id }: { id: string }) => id === body.key.id).lastUsedAt)).toBeGreaterThan(
        Date.now() - 60_000,
      );
    });
  });

  test('a revoked key is refused within a second, and the first revocation stays recorded', async () => {
    const { key, secret } = (await developer.call('createKey', { body: WANTED })).body;
    const owner = await createTestMember(server, account.id);
    const call = () => server.call({ ...account, key: secret }, 'GET', '/account');
    expect((await call()).status).toBe(200);
    const revoked = await owner.call('revokeKey', { params: { id: key.id } });
    expect(revoked.body.key).toMatchObject({ state: 'revoked', revokedBy: owner.email });
    await eventually(async () => expect(await call()).toEqual(refusedAs('INVALID_API_KEY')));
    const again = await developer.call('revokeKey', { params: { id: key.id } });
    expect(again.body.key).toMatchObject({ revokedAt: revoked.body.key.revokedAt, revokedBy: owner.email });
  });

  test('404: a key of another account, an unknown key and a malformed id get the same response, and nothing changes', async () => {
    const stranger = await createTestMember(server, (await server.createAccount()).id);
    const { key, secret } = (await developer.call('createKey', { body: WANTED })).body;
    const ids = [key.id, '00000000-0000-7000-8000-000000000000', 'x'];
    const answers = await Promise.all(ids.map((id) => stranger.call('revokeKey', { params: { id } })));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await server.call({ ...account, key: secret }, 'GET', '/account')).status).toBe(200);
  });

  test('400: a key without a name or scope, or with a past expiry, is refused', async () => {
    const before = await activeOf(developer);
    const { body } = await developer.call('createKey', { body: { name: ' ', scopes: ['everything'] } });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['name', 'scopes[0]']);
    const past = await developer.call('createKey', { body: { ...WANTED, expiresAt: '2020-01-01T00:00:00Z' } });
    expect(past).toMatchObject({ status: 400, body: { error: 'KEY_EXPIRY_PAST' } });
    expect(await activeOf(developer)).toBe(before);
  });
});

describe('ten active keys', () => {
  test('are never exceeded by concurrent requests of the dashboard and the command line', async () => {
    const { id } = await server.createAccount(); // has one key already
    const members = await Promise.all([1, 2, 3].map(() => createTestMember(server, id, 'developer')));
    const throughHttp = members.flatMap(({ call }) =>
      Array.from({ length: 10 }, () => call('createKey', { body: WANTED })),
    );
    const throughCli = Array.from({ length: 2 }, () => runNavette(['key', 'create', id, '--json'], server.environment));
    const [answers, runs] = await Promise.all([Promise.all(throughHttp), Promise.all(throughCli)]);
    const made = answers.filter(({ status }) => status === 201).length + runs.filter(({ code }) => code === 0).length;
    expect(made).toBe(MAX_ACTIVE_KEYS_PER_ACCOUNT - 1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error}`))).toEqual(
      new Set(['409 TOO_MANY_KEYS']),
    );
    expect(await activeOf(members[0] as TestMember)).toBe(MAX_ACTIVE_KEYS_PER_ACCOUNT);
  });

  test('allow a new key once one is revoked or has expired', async () => {
    const { id } = await server.createAccount();
    const { call } = await createTestMember(server, id);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { key } = (await call('createKey', { body: WANTED })).body;
    const expiring = (await call('createKey', { body: { ...WANTED, expiresAt: later } })).body.key;
    for (let i = 0; i < 7; i++) expect((await call('createKey', { body: WANTED })).status).toBe(201);
    expect((await call('createKey', { body: WANTED })).status).toBe(409);
    await call('revokeKey', { params: { id: key.id } });
    expect((await call('createKey', { body: WANTED })).status).toBe(201);
    expect((await call('createKey', { body: WANTED })).status).toBe(409);
    await server.db.updateTable('api_keys').set({ expires_at: new Date() }).where('id', '=', expiring.id).execute();
    expect((await call('createKey', { body: WANTED })).status).toBe(201);
  });
});

test('a key appears neither in the database nor in logs or later responses', async () => {
  const { key, secret } = (await developer.call('createKey', { body: WANTED })).body;
  await server.call({ ...account, key: secret }, 'GET', '/account');
  await server.call({ ...account, key: secret }, 'POST', '/shipping', { body: {} });
  await developer.call('revokeKey', { params: { id: key.id } });
  await eventually(async () => expect(await everyRow(server.db)).toContain(key.id));
  const later = [
    await developer.call('listKeys'),
    await developer.call('listRequests'),
    await developer.call('readStart'),
  ];
  const random = secret.replace('navette_key_', '');
  for (const text of [await everyRow(server.db), server.logged(), ...later.map(({ body }) => JSON.stringify(body))]) {
    expect(text).not.toContain(random);
    expect(text).not.toContain(Buffer.from(random).toString('hex'));
  }
});
