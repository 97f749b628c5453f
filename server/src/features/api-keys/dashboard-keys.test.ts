import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { refusedAs } from '../../../test/envelopes.ts';
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
  test('a new key is shown once, opens the API at once, and says who made it and when it was used', async () => {
    const { status, body } = await developer.call('createKey', { body: WANTED });
    expect(status).toBe(201);
    expect(body.secret).toMatch(/^navette_key_/);
    expect(body.key).toMatchObject({ ...WANTED, state: 'active', createdBy: 'Zoé Martin', lastUsedAt: null });
    const used = await server.call({ ...account, key: body.secret }, 'GET', '/shipping/auth/test');
    expect(used.body.apiKey).toEqual({ ...WANTED, expiresAt: null });
    await vi.waitFor(async () => {
      const { keys } = (await developer.call('listKeys')).body;
      expect(Date.parse(keys.find(({ id }: { id: string }) => id === body.key.id).lastUsedAt)).toBeGreaterThan(
        Date.now() - 60_000,
      );
    }, 5_000);
  });

  test('a revoked key is refused within a second, and the first who revoked it stays named', async () => {
    const { key, secret } = (await developer.call('createKey', { body: WANTED })).body;
    const owner = await createTestMember(server, account.id, 'owner', { name: 'Ana Lopes' });
    const call = () => server.call({ ...account, key: secret }, 'GET', '/account');
    expect((await call()).status).toBe(200);
    const revoked = await owner.call('revokeKey', { params: { id: key.id } });
    expect(revoked.body.key).toMatchObject({ state: 'revoked', revokedBy: 'Ana Lopes' });
    await vi.waitFor(async () => expect(await call()).toEqual(refusedAs('INVALID_API_KEY')), 1_000);
    const again = await developer.call('revokeKey', { params: { id: key.id } });
    expect(again.body.key).toMatchObject({ revokedAt: revoked.body.key.revokedAt, revokedBy: 'Ana Lopes' });
  });

  test('404: another account’s key, an unknown one and no id at all cannot be told apart, and stay as they are', async () => {
    const stranger = await createTestMember(server, (await server.createAccount()).id);
    const { key, secret } = (await developer.call('createKey', { body: WANTED })).body;
    const ids = [key.id, '00000000-0000-7000-8000-000000000000', 'x'];
    const answers = await Promise.all(ids.map((id) => stranger.call('revokeKey', { params: { id } })));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await server.call({ ...account, key: secret }, 'GET', '/account')).status).toBe(200);
  });

  test('400: without a name, a scope, or with an expiry that has passed, no key is made', async () => {
    const before = await activeOf(developer);
    const { body } = await developer.call('createKey', { body: { name: ' ', scopes: ['everything'] } });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['name', 'scopes[0]']);
    const past = await developer.call('createKey', { body: { ...WANTED, expiresAt: '2020-01-01T00:00:00Z' } });
    expect(past).toMatchObject({ status: 400, body: { error: 'KEY_EXPIRY_PAST' } });
    expect(await activeOf(developer)).toBe(before);
  });
});

describe('ten active keys', () => {
  test('are never exceeded, however many ask at once through the dashboard and the command line', async () => {
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
  }, 30_000);

  test('leave room for an eleventh once one is revoked or has expired', async () => {
    const { id } = await server.createAccount();
    const { call } = await createTestMember(server, id);
    const soon = new Date(Date.now() + 1_500).toISOString();
    const { key } = (await call('createKey', { body: WANTED })).body;
    expect((await call('createKey', { body: { ...WANTED, expiresAt: soon } })).status).toBe(201);
    for (let i = 0; i < 7; i++) expect((await call('createKey', { body: WANTED })).status).toBe(201);
    expect((await call('createKey', { body: WANTED })).status).toBe(409);
    await call('revokeKey', { params: { id: key.id } });
    expect((await call('createKey', { body: WANTED })).status).toBe(201);
    await vi.waitFor(async () => expect((await call('createKey', { body: WANTED })).status).toBe(201), 5_000);
  });
});

test('a key is nowhere in the database, the log or later answers', async () => {
  const { key, secret } = (await developer.call('createKey', { body: WANTED })).body;
  await server.call({ ...account, key: secret }, 'GET', '/account');
  await server.call({ ...account, key: secret }, 'POST', '/shipping', { body: {} });
  await developer.call('revokeKey', { params: { id: key.id } });
  await vi.waitFor(async () => expect(await everyRow(server.db)).toContain(key.id), 5_000);
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
