import { MAX_PASSKEYS } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  codeOf,
  cookieOf,
  createTestMember,
  dashboardCaller,
  TEST_PASSWORD,
  type TestMember,
} from '../../../test/dashboard.ts';
import { dashboardRefusal } from '../../../test/envelopes.ts';
import { eventually } from '../../../test/eventually.ts';
import { createAuthenticator, type Forgery } from '../../../test/fake-authenticator.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { resetSecondFactor } from './operate-members.ts';

const SITE = { rpId: 'localhost', origin: 'http://localhost:3000' };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: SITE.origin, TRUSTED_PROXIES: '127.0.0.1/32' });
});
afterAll(() => server.stop());

const newMember = async () => createTestMember(server, (await server.createAccount()).id);
const anyone = () => dashboardCaller(server.url);
const start = async (member: TestMember) =>
  (await member.call('startPasskey', { body: { password: TEST_PASSWORD } })).body;

async function addPasskey(member: TestMember, name = 'Téléphone') {
  const authenticator = createAuthenticator(SITE);
  const { status, body } = await member.call('addPasskey', {
    body: { name, ...authenticator.register(await start(member)) },
  });
  expect(status).toBe(201);
  return { authenticator, id: body.passkey.id as string };
}
const challenge = async () => (await anyone()('startPasskeySignIn')).body.challenge as string;
const actsOf = async ({ id }: TestMember) => {
  const { account_id } = await server.db
    .selectFrom('members')
    .select('account_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const acts = await server.db
    .selectFrom('member_acts')
    .select('act')
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute();
  return acts.map(({ act }) => act);
};

describe('a passkey', () => {
  test('is added after the password, listed with its name, and signs its member in without it', async () => {
    const member = await newMember();
    const { authenticator } = await addPasskey(member, 'Téléphone de Zoé');
    const answer = await anyone()('signInWithPasskey', { body: authenticator.sign(await challenge()) });
    expect(answer.status).toBe(201);
    expect(answer.body.member).toMatchObject({ id: member.id, email: member.email });
    const { body } = await member.call('listPasskeys');
    expect(body.passkeys).toMatchObject([{ name: 'Téléphone de Zoé', lastUsedAt: expect.any(String) }]);
    expect((await actsOf(member)).slice(-2)).toEqual(['passkey-added', 'signed-in-with-passkey']);
  });

  test('replaces the second factor, whose code is needed to add one', async () => {
    const member = await newMember();
    const { authenticator } = await addPasskey(member);
    const { body: setUp } = await member.call('startSecondFactor', { body: { password: TEST_PASSWORD } });
    const { headers, body: on } = await member.call('confirmSecondFactor', { body: { code: codeOf(setUp.secret) } });
    const cookie = cookieOf(headers);
    const { csrfToken } = (await dashboardCaller(server.url, { cookie })('readSession')).body;
    const call = dashboardCaller(server.url, { cookie, csrfToken });
    expect(await call('startPasskey', { body: { password: TEST_PASSWORD } })).toEqual(
      dashboardRefusal('SECOND_FACTOR_REQUIRED'),
    );
    const proof = { password: TEST_PASSWORD, code: on.recoveryCodes[0] };
    expect((await call('startPasskey', { body: proof })).status).toBe(200);
    const answer = await anyone()('signInWithPasskey', { body: authenticator.sign(await challenge()) });
    expect(answer.status).toBe(201);
  });

  test('that was removed signs nobody in, and its member gets an e-mail', async () => {
    const member = await newMember();
    const { authenticator, id } = await addPasskey(member);
    const stranger = await newMember();
    const proof = { password: TEST_PASSWORD };
    expect((await stranger.call('removePasskey', { params: { id }, body: proof })).status).toBe(404);
    expect(await member.call('removePasskey', { params: { id }, body: { password: 'wrong password' } })).toEqual(
      dashboardRefusal('WRONG_PASSWORD'),
    );
    expect((await member.call('removePasskey', { params: { id }, body: proof })).status).toBe(200);
    expect(await anyone()('signInWithPasskey', { body: authenticator.sign(await challenge()) })).toEqual(
      dashboardRefusal('PASSKEY_REFUSED'),
    );
    const { rows } = await server.pools.main.query(
      `select data->>'kind' as kind from pgboss.job where name = 'send-member-mail' and data->>'id' = $1 order by created_on`,
      [member.id],
    );
    expect(rows.map(({ kind }: { kind: string }) => kind)).toEqual(['passkey-added', 'passkey-removed']);
    expect((await actsOf(member)).slice(-1)).toEqual(['passkey-removed']);
  });

  test('signs nobody in once its account is closed', async () => {
    const member = await newMember();
    const { authenticator } = await addPasskey(member);
    const { account_id } = await server.db
      .selectFrom('members')
      .select('account_id')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow();
    await server.db.updateTable('accounts').set({ closed_at: new Date() }).where('id', '=', account_id).execute();
    expect(await anyone()('signInWithPasskey', { body: authenticator.sign(await challenge()) })).toEqual(
      dashboardRefusal('PASSKEY_REFUSED'),
    );
  });
});

test('one client gets sixty challenges a minute', async () => {
  const from = (address: string) =>
    fetch(`${server.url}/dashboard/api/session/passkey/challenge`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address, origin: SITE.origin },
    });
  server.setNow(new Date()); // all in one minute
  const statuses = [];
  for (let i = 0; i < 61; i++) statuses.push((await from('203.0.113.7')).status);
  statuses.push((await from('203.0.113.8')).status);
  server.setNow(null);
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429, 200]);
});

test('the operator’s reset for a lost phone removes the passkeys of that phone too, with mails and traces', async () => {
  const member = await newMember();
  const { authenticator } = await addPasskey(member);
  const { account_id: accountId } = await server.db
    .selectFrom('members')
    .select('account_id')
    .where('id', '=', member.id)
    .executeTakeFirstOrThrow();
  expect(await resetSecondFactor(server, accountId, member.email)).toBe(true);
  const answer = await anyone()('signInWithPasskey', { body: authenticator.sign(await challenge()) });
  expect(answer).toEqual(dashboardRefusal('PASSKEY_REFUSED'));
  expect((await actsOf(member)).slice(-2)).toEqual(['passkey-removed', 'second-factor-off']);
});

describe('a forged sign-in is refused', () => {
  test.each<[string, Forgery]>([
    ['made for another origin', { origin: 'https://navette.example.evil' }],
    ['made for another domain', { rpId: 'evil.example' }],
    ['of a registration', { type: 'webauthn.create' }],
    ['without verification of the person', { isVerified: false }],
    ['with the handle of another member', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
  ])('%s', async (_name, forgery) => {
    const member = await newMember();
    const { authenticator } = await addPasskey(member);
    expect(await anyone()('signInWithPasskey', { body: authenticator.sign(await challenge(), forgery) })).toEqual(
      dashboardRefusal('PASSKEY_REFUSED'),
    );
    expect((await anyone()('signInWithPasskey', { body: authenticator.sign(await challenge()) })).status).toBe(201);
  });

  test('that is replayed, also at the same time', async () => {
    const { authenticator } = await addPasskey(await newMember());
    const body = authenticator.sign(await challenge());
    const answers = await Promise.all([1, 2, 3, 4].map(() => anyone()('signInWithPasskey', { body })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401, 401]);
    expect(await anyone()('signInWithPasskey', { body })).toEqual(dashboardRefusal('PASSKEY_REFUSED'));
  });

  test('whose challenge was never issued, or was issued to add a passkey', async () => {
    const member = await newMember();
    const { authenticator } = await addPasskey(member);
    const invented = Buffer.alloc(32, 1).toString('base64url');
    for (const wrong of [invented, (await start(member)).challenge, 'short'])
      expect(await anyone()('signInWithPasskey', { body: authenticator.sign(wrong) })).toEqual(
        dashboardRefusal('PASSKEY_REFUSED'),
      );
  });

  test('with a counter that went back: the passkey was copied', async () => {
    const { authenticator } = await addPasskey(await newMember());
    const signIn = async (counter: number) =>
      (await anyone()('signInWithPasskey', { body: authenticator.sign(await challenge(), { counter }) })).status;
    expect(await signIn(10)).toBe(201);
    expect(await signIn(10)).toBe(401);
    expect(await signIn(9)).toBe(401);
    expect(await signIn(11)).toBe(201);
  });

  test('signed by another key with the id of a passkey, and it is in the security log', async () => {
    const member = await newMember();
    const { authenticator } = await addPasskey(member);
    const other = createAuthenticator(SITE);
    const { id, userHandle } = authenticator.sign(await challenge());
    const body = { ...other.sign(await challenge()), id, userHandle };
    expect(await anyone()('signInWithPasskey', { body })).toEqual(dashboardRefusal('PASSKEY_REFUSED'));
    await eventually(async () => expect(await actsOf(member)).toContain('sign-in-failed'));
  });
});

describe('adding a passkey is refused', () => {
  test('with a wrong password, and without a session', async () => {
    const member = await newMember();
    expect(await member.call('startPasskey', { body: { password: 'wrong password' } })).toEqual(
      dashboardRefusal('WRONG_PASSWORD'),
    );
    expect((await anyone()('startPasskey', { body: { password: TEST_PASSWORD } })).status).toBe(401);
  });

  test('with the challenge of another session, of a sign-in, or a used one', async () => {
    const member = await newMember();
    const stranger = await newMember();
    const add = (started: { challenge: string; user: { id: string } }) =>
      member.call('addPasskey', { body: { name: 'x', ...createAuthenticator(SITE).register(started) } });
    const own = await start(member);
    expect(await add(await start(stranger))).toEqual(dashboardRefusal('PASSKEY_NOT_ADDED'));
    expect(await add({ ...own, challenge: await challenge() })).toEqual(dashboardRefusal('PASSKEY_NOT_ADDED'));
    expect((await add(own)).status).toBe(201);
    expect(await add(own)).toEqual(dashboardRefusal('PASSKEY_NOT_ADDED'));
  });

  test.each<[string, Forgery]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['without verification of the person', { isVerified: false }],
    ['with a format of attestation that nobody asked for', { format: 'tpm' }],
  ])('%s', async (_name, forgery) => {
    const member = await newMember();
    const body = { name: 'x', ...createAuthenticator(SITE).register(await start(member), forgery) };
    expect(await member.call('addPasskey', { body })).toEqual(dashboardRefusal('PASSKEY_NOT_ADDED'));
  });

  test('if another member has the same credential, or the member has the maximum', async () => {
    const [member, stranger] = [await newMember(), await newMember()];
    const authenticator = createAuthenticator(SITE);
    const add = async (who: TestMember) =>
      who.call('addPasskey', { body: { name: 'x', ...authenticator.register(await start(who)) } });
    expect((await add(member)).status).toBe(201);
    expect(await add(stranger)).toEqual(dashboardRefusal('PASSKEY_NOT_ADDED'));
    for (let count = 1; count < MAX_PASSKEYS - 1; count++) await addPasskey(member);
    const bodies = [];
    for (let i = 0; i < 3; i++) bodies.push({ name: 'x', ...createAuthenticator(SITE).register(await start(member)) });
    const last = await Promise.all(bodies.map((body) => member.call('addPasskey', { body })));
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(await member.call('startPasskey', { body: { password: TEST_PASSWORD } })).toEqual(
      dashboardRefusal('PASSKEYS_FULL'),
    );
  });
});
