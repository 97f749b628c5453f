import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import { cookieOf, createTestMember, dashboardCaller, signInAs, TEST_PASSWORD } from '../../../test/dashboard.ts';
import { dashboardRefusal } from '../../../test/envelopes.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { savePassword } from '../../identity/change-password.ts';
import { tryPasswordOf } from '../../identity/count-attempts.ts';
import { MEMBERS } from '../../identity/people.ts';
import { openVerifiedSession } from '../../identity/sign-in.ts';
import { closeAccount } from '../accounts/index.ts';
import { MEMBER_IDENTITY } from './member-identity.ts';
import { purgeMemberLeftovers } from './purge-member-leftovers.handler.ts';

const HOUR = 3_600_000;

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.createAccount();
});
afterAll(() => server.stop());
afterEach(() => server.setNow(null));

const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  dashboardCaller(server.url)('signIn', { body: { email, password }, headers });
const hoursFromNow = (hours: number) => server.setNow(new Date(Date.now() + hours * HOUR));

describe('a session', () => {
  test('starts with e-mail (in any case) and password, and returns the member’s permissions', async () => {
    const member = await createTestMember(server, account.id);
    const { status, headers, body } = await signIn(member.email.toUpperCase(), member.password);
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      member: {
        ...{ id: member.id, name: 'Zoé Martin', email: member.email },
        ...{ role: 'owner', language: 'fr', secondFactor: false },
      },
      account: { id: account.id, name: 'Atelier Zoé', clientId: account.clientId },
      may: ['read', 'ship', 'pay', 'develop', 'own'],
      ...{ mode: 'live', clockAheadSeconds: 0, view: null },
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.any(String),
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is a cookie with HttpOnly, SameSite and the __Host- prefix', async () => {
    const member = await createTestMember(server, account.id);
    const { headers } = await signIn(member.email, member.password);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-navette-session=navette_session_\w{43}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  test('has a fresh token, and ends the session that the browser sent', async () => {
    const [member, attacker] = [await createTestMember(server, account.id), await createTestMember(server, account.id)];
    const planted = { cookie: attacker.cookie };
    const { headers } = await signIn(member.email, member.password, planted);
    expect(cookieOf(headers)).not.toBe(planted.cookie);
    expect(await attacker.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    const invented = '__Host-navette-session=navette_session_invented';
    const again = await signIn(member.email, member.password, { cookie: invented });
    expect(cookieOf(again.headers)).not.toBe(invented);
    expect(await dashboardCaller(server.url, { cookie: invented })('readSession')).toMatchObject({ status: 401 });
  });

  test('ends on sign-out, while the others continue', async () => {
    const member = await createTestMember(server, account.id, 'read-only');
    const other = await signInAs(server.url, member.email, member.password);
    const { status, headers } = await member.call('signOut');
    expect(status).toBe(200);
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-navette-session=; Max-Age=0; /);
    expect(await member.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await other.call('readSession')).toMatchObject({ status: 200, body: { may: ['read'] } });
  });

  test('is listed for its member, who can end one or all of them', async () => {
    const member = await createTestMember(server, account.id);
    const stranger = await createTestMember(server, account.id);
    const other = await signInAs(server.url, member.email, member.password);
    const { body } = await member.call('listSessions');
    expect(body.sessions).toHaveLength(2);
    expect(body.sessions.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
    const elsewhere = body.sessions.find(({ current }: { current: boolean }) => !current);
    expect(await stranger.call('closeSession', { params: { id: elsewhere.id } })).toMatchObject({ status: 404 });
    expect(await other.call('readSession')).toMatchObject({ status: 200 });
    expect(await member.call('closeSession', { params: { id: elsewhere.id } })).toMatchObject({ status: 200 });
    expect(await other.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));

    const third = await signInAs(server.url, member.email, member.password);
    expect(await member.call('signOutEverywhere')).toMatchObject({ status: 200 });
    for (const { call } of [member, third])
      expect(await call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await stranger.call('readSession')).toMatchObject({ status: 200 });
  });

  test('expires after a day of inactivity and after thirty days in any case, and its row is purged', async () => {
    const [idle, busy] = [await createTestMember(server, account.id), await createTestMember(server, account.id)];
    hoursFromNow(23);
    for (const { call } of [idle, busy]) expect(await call('readSession')).toMatchObject({ status: 200 });
    for (let hours = 46; hours < 30 * 24; hours += 23) {
      hoursFromNow(hours);
      expect(await busy.call('readSession')).toMatchObject({ status: 200 });
    }
    expect(await idle.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    hoursFromNow(30 * 24 + 1);
    expect(await busy.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    const rows = () => server.db.selectFrom('member_sessions').select('id').execute();
    await purgeMemberLeftovers(server.db, new Date());
    expect(await rows()).not.toEqual([]);
    await purgeMemberLeftovers(server.db, new Date(Date.now() + 31 * 24 * HOUR));
    expect(await rows()).toEqual([]);
  });

  test('of a closed account is invalid, and sign-in is refused', async () => {
    const closing = await server.createAccount();
    const member = await createTestMember(server, closing.id);
    await closeAccount(server.db, closing.id);
    expect(await member.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await signIn(member.email, member.password)).toEqual(dashboardRefusal('WRONG_CREDENTIALS'));
  });
});

describe('a password', () => {
  test('that is wrong and an unknown e-mail get the same response', async () => {
    const member = await createTestMember(server, account.id);
    const answers = [await signIn('nobody@example.org', TEST_PASSWORD), await signIn(member.email, 'wrong')];
    for (const answer of answers) expect(answer).toEqual(dashboardRefusal('WRONG_CREDENTIALS'));
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  test('is locked for 15 minutes after five wrong ones, even for the right one', async () => {
    const member = await createTestMember(server, account.id);
    const now = new Date(Date.now() + HOUR);
    server.setNow(now);
    for (let i = 0; i < 4; i++) expect(await signIn(member.email, `wrong ${i}`)).toMatchObject({ status: 401 });
    expect(await signIn(member.email, TEST_PASSWORD)).toMatchObject({ status: 201 }); // the right one clears the count
    for (let i = 0; i < 5; i++) expect(await signIn(member.email, `wrong ${i}`)).toMatchObject({ status: 401 });
    expect(await signIn(member.email, TEST_PASSWORD)).toEqual(dashboardRefusal('WRONG_CREDENTIALS'));
    expect(await member.call('readSession')).toMatchObject({ status: 200 }); // who is in stays in
    server.setNow(new Date(now.getTime() + 15 * 60_000 + 1));
    expect(await signIn(member.email, TEST_PASSWORD)).toMatchObject({ status: 201 });
  });

  test('twenty concurrent wrong guesses lock the sign-in, and the client address is throttled', async () => {
    const member = await createTestMember(server, account.id);
    hoursFromNow(2);
    const guesses = Array.from({ length: 40 }, (_, i) => `wrong ${i}`);
    await crowd(20, guesses.slice(0, 20), (password) => signIn(member.email, password));
    const late = await crowd(20, guesses.slice(0, 20), () => signIn(member.email, TEST_PASSWORD));
    expect(late.filter(({ status }) => status === 201)).toEqual([]);
    await crowd(10, guesses, (password) => signIn('nobody@example.org', password));
    expect(await signIn(member.email, TEST_PASSWORD)).toMatchObject({ status: 429, body: { window: 'minute' } });
    expect(await member.call('readSession')).toMatchObject({ status: 200 });
  });

  test('is changed with the current one; other sessions end, and this one gets a new cookie', async () => {
    const member = await createTestMember(server, account.id);
    const other = await signInAs(server.url, member.email, member.password);
    const newPassword = 'une autre phrase longue';
    const change = (password: string) => member.call('changePassword', { body: { password, newPassword } });
    expect(await change('wrong')).toEqual(dashboardRefusal('WRONG_PASSWORD'));
    const { status, headers } = await change(member.password);
    expect(status).toBe(200);
    for (const { call } of [member, other])
      expect(await call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    const renewed = dashboardCaller(server.url, { cookie: cookieOf(headers) });
    expect(await renewed('readSession')).toMatchObject({ status: 200, body: { member: { id: member.id } } });
    expect(await signIn(member.email, member.password)).toEqual(dashboardRefusal('WRONG_CREDENTIALS'));
    expect(await signIn(member.email, newPassword)).toMatchObject({ status: 201 });
  });

  test('that was verified before a password change or a new second factor opens no session', async () => {
    const { id, email, password } = await createTestMember(server, account.id);
    const proven = await tryPasswordOf(server.db, MEMBERS, email, password, new Date());
    if (!proven?.isRight) throw new Error('it was right');
    const options = { db: server.db, identity: MEMBER_IDENTITY };
    const go = (how = proven) => openVerifiedSession(options, how, { device: null, oldToken: null }, new Date());
    expect(await go()).toMatch(/^navette_session_/);
    await expect(go({ ...proven, hasSecondFactor: true })).rejects.toMatchObject({ status: 401 });
    await server.db.transaction().execute((tx) => savePassword(tx, MEMBERS, id, 'the hash of another'));
    await expect(go()).rejects.toMatchObject({ status: 401 });
  });

  test('can be guessed at most five times in an unattended session', async () => {
    const member = await createTestMember(server, account.id);
    const change = (password: string) =>
      member.call('changePassword', { body: { password, newPassword: 'une autre phrase longue' } });
    for (let i = 0; i < 5; i++) expect(await change(`wrong ${i}`)).toEqual(dashboardRefusal('WRONG_PASSWORD'));
    expect(await change(member.password)).toEqual(dashboardRefusal('WRONG_PASSWORD'));
  });

  test('that is guessable, or derived from the member’s data, is refused with field and rule', async () => {
    const member = await createTestMember(server, account.id);
    const guessable = ['aaaaaaaaaaaa', 'password1234', 'motdepasse2026', member.email, 'ZoeMartin2026', 'atelierzoe!!'];
    for (const newPassword of guessable) {
      expect(await member.call('changePassword', { body: { password: TEST_PASSWORD, newPassword } })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'newPassword', location: 'body', rule: 'guessable', msg: expect.any(String) }] },
      });
    }
    expect(await signIn(member.email, TEST_PASSWORD)).toMatchObject({ status: 201 });
  });

  test('that is too short is refused with field, rule and limit', async () => {
    const member = await createTestMember(server, account.id);
    const { status, body } = await member.call('changePassword', {
      body: { password: member.password, newPassword: 'short' },
    });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        success: false,
        errors: [
          {
            ...{ type: 'field', path: 'newPassword', location: 'body', rule: 'minLength', limit: 12 },
            msg: 'Au moins 12 caractères.',
          },
        ],
      },
    });
  });
});
