import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import { codeOf, cookieOf, createTestMember, dashboardCaller, TEST_PASSWORD } from '../../../test/dashboard.ts';
import { dashboardRefusal } from '../../../test/envelopes.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';

const NEW_PASSWORD = 'une phrase toute nouvelle';
const MINUTE = 60_000;
const DAY = 86_400_000;

let mailbox: FakeMailbox;
let server: TestServer;
let worker: TestWorker;
let account: TestAccount;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url, PUBLIC_URL: 'http://navette.test' });
  worker = await startTestWorker(server);
  account = await server.createAccount();
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await mailbox.stop();
});
afterEach(() => server.setNow(null));

const guest: ReturnType<typeof dashboardCaller> = (name, request) => dashboardCaller(server.url)(name, request);
const minutesFromNow = (minutes: number) => server.setNow(new Date(Date.now() + minutes * MINUTE));

/** The token of the latest mail to this address. */
async function tokenFor(email: string): Promise<string> {
  await workDone(server);
  const text = mailbox.sentTo(email).at(-1)?.text ?? '';
  return /http:\/\/navette\.test\/dashboard\/(?:reset|invitation)#(\S+)/.exec(text)?.[1] ?? 'no mail';
}
const askReset = (email: string) => guest('requestPasswordReset', { body: { email } });
const reset = (token: string, password = NEW_PASSWORD) => guest('resetPassword', { body: { token, password } });
const signIn = (email: string, password: string) => guest('signIn', { body: { email, password } });

describe('a forgotten password', () => {
  test('is reset by a mailed link once, which ends every session', async () => {
    const member = await createTestMember(server, account.id);
    expect(await askReset(member.email.toUpperCase())).toMatchObject({ status: 202, body: { success: true } });
    const token = await tokenFor(member.email);
    expect(await reset(token, 'short')).toMatchObject({ status: 400 });
    const answers = await crowd(3, Array.from({ length: 3 }), () => reset(token));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410]);
    expect(await member.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await signIn(member.email, TEST_PASSWORD)).toEqual(dashboardRefusal('WRONG_CREDENTIALS'));
    expect(await signIn(member.email, NEW_PASSWORD)).toMatchObject({ status: 201 });
  });

  test('cannot be reset after an hour, after another link was used, or after a password change', async () => {
    const member = await createTestMember(server, account.id);
    await askReset(member.email);
    const first = await tokenFor(member.email);
    await askReset(member.email);
    const second = await tokenFor(member.email);
    expect(second).not.toBe(first);
    minutesFromNow(61);
    expect(await reset(first)).toEqual(dashboardRefusal('LINK_GONE'));
    server.setNow(null);
    expect(await reset(second)).toMatchObject({ status: 200 });
    expect(await reset(first)).toEqual(dashboardRefusal('LINK_GONE'));
  });

  test('is not replaced by a guessable one, and the link stays valid', async () => {
    const member = await createTestMember(server, account.id);
    await askReset(member.email);
    const token = await tokenFor(member.email);
    const guessable = { errors: [{ path: 'password', location: 'body', rule: 'guessable', msg: expect.any(String) }] };
    for (const password of ['aaaaaaaaaaaa', 'password1234', member.email, 'AtelierZoe2026'])
      expect(await reset(token, password)).toMatchObject({ status: 400, body: guessable });
    expect(await reset(token)).toMatchObject({ status: 200 });
  });

  test('does not reveal known addresses, and sends at most two mails a minute to one address', async () => {
    const member = await createTestMember(server, account.id);
    const before = mailbox.mails.length;
    const answers = [await askReset('nobody@example.org'), await askReset(member.email)];
    expect(answers[0]?.status).toBe(answers[1]?.status);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    for (let i = 0; i < 4; i++) expect(await askReset(member.email)).toMatchObject({ status: 202 });
    await workDone(server);
    expect(mailbox.mails.length - before).toBeLessThanOrEqual(4); // a minute may have passed in between
    expect(mailbox.sentTo('nobody@example.org')).toEqual([]);
  });

  test('is mailed in the member’s language, and a reset lifts a lock', async () => {
    const member = await createTestMember(server, account.id, 'developer', { language: 'en' });
    for (let i = 0; i < 5; i++) await signIn(member.email, 'wrong');
    await askReset(member.email);
    const token = await tokenFor(member.email);
    const mail = mailbox.sentTo(member.email)[0];
    expect(mail?.subject).toBe('Choose a new Navette password');
    expect(mail?.html).toContain('<html lang="en">');
    await reset(token);
    expect(await signIn(member.email, NEW_PASSWORD)).toMatchObject({ status: 201 });
  });

  test('is retried when the relay was unavailable, with a link that no job contained', async () => {
    const member = await createTestMember(server, account.id);
    mailbox.answerWith({ code: 451, at: 'data' });
    await askReset(member.email);
    await expect.poll(() => mailbox.sentTo(member.email).length, { timeout: 240_000 }).toBe(1);
    expect(await reset(await tokenFor(member.email))).toMatchObject({ status: 200 });
  });
});

describe('an invitation', () => {
  test('creates a member with the role from a mailed link, once', async () => {
    const owner = await createTestMember(server, account.id);
    const email = 'lea.invited@example.org';
    await owner.call('inviteMember', { body: { email, role: 'operations', language: 'en' } });
    const token = await tokenFor(email);
    expect(mailbox.sentTo(email)[0]?.subject).toBe('Join Atelier Zoé on Navette');
    expect((await guest('readInvitation', { body: { token } })).body.invitation).toEqual({
      ...{ email, role: 'operations', language: 'en', accountName: 'Atelier Zoé', invitedBy: owner.email },
    });
    const person = { token, name: 'Léa Petit', password: NEW_PASSWORD, language: 'en' };
    const answers = await crowd(3, Array.from({ length: 3 }), () => guest('acceptInvitation', { body: person }));
    const [accepted, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(others.map(({ status }) => status)).toEqual([410, 410]);
    expect(accepted).toMatchObject({ status: 201, body: { member: { name: 'Léa Petit', role: 'operations' } } });
    const cookie = cookieOf(accepted?.headers ?? new Headers());
    expect(await dashboardCaller(server.url, { cookie })('readSession')).toMatchObject({
      body: { may: ['read', 'ship', 'pay'] },
    });
    expect(await guest('readInvitation', { body: { token } })).toEqual(dashboardRefusal('LINK_GONE'));
    expect(await signIn(email, NEW_PASSWORD)).toMatchObject({ status: 201 });
  });

  test('expires after seven days, when withdrawn and when resent', async () => {
    const owner = await createTestMember(server, account.id);
    const email = 'late@example.org';
    const { body } = await owner.call('inviteMember', { body: { email, role: 'owner' } });
    const params = { id: body.invitation.id };
    const first = await tokenFor(email);
    server.setNow(new Date(Date.now() + 7 * DAY + MINUTE));
    expect(await guest('readInvitation', { body: { token: first } })).toEqual(dashboardRefusal('LINK_GONE'));
    server.setNow(null);
    expect(await owner.call('resendInvitation', { params })).toMatchObject({ status: 200 });
    const second = await tokenFor(email);
    expect(await guest('readInvitation', { body: { token: first } })).toEqual(dashboardRefusal('LINK_GONE'));
    expect(await guest('readInvitation', { body: { token: second } })).toMatchObject({ status: 200 });
    await owner.call('withdrawInvitation', { params });
    expect(await guest('readInvitation', { body: { token: second } })).toEqual(dashboardRefusal('LINK_GONE'));
  });

  test('of a member of another account is refused on acceptance, and creates no second member', async () => {
    const elsewhere = await createTestMember(server, (await server.createAccount()).id);
    const owner = await createTestMember(server, account.id);
    await owner.call('inviteMember', { body: { email: elsewhere.email, role: 'owner' } });
    const person = { token: await tokenFor(elsewhere.email), name: 'X', password: NEW_PASSWORD, language: 'fr' };
    expect(await guest('acceptInvitation', { body: person })).toEqual(dashboardRefusal('EMAIL_TAKEN'));
    expect(await elsewhere.call('readSession')).toMatchObject({ status: 200 });
  });
});

describe('the mail of an invitation', () => {
  test('names the inviter by their address, and contains no text of their choice', async () => {
    const name = 'Gagnez 500 € sur https://evil.example/win';
    const owner = await createTestMember(server, account.id, 'owner', { name });
    const email = 'targeted@example.org';
    await owner.call('inviteMember', { body: { email, role: 'read-only' } });
    const token = await tokenFor(email);
    const mail = mailbox.sentTo(email)[0];
    expect(mail?.text).toContain(
      `${owner.email} vous invite à rejoindre le tableau de bord de Atelier Zoé sur Navette`,
    );
    for (const part of [mail?.text, mail?.html, mail?.subject]) expect(part).not.toMatch(/evil|Gagnez|500/);
    expect(JSON.stringify((await guest('readInvitation', { body: { token } })).body)).not.toMatch(/evil|Gagnez/);
  });

  test('shortens a long account name and removes control characters and URLs from it', async () => {
    const long = await server.createAccount({ name: `Zoé\u202e https://www.evil.example ${'x'.repeat(150)}` });
    const owner = await createTestMember(server, long.id);
    const email = 'long@example.org';
    await owner.call('inviteMember', { body: { email, role: 'read-only', language: 'en' } });
    await tokenFor(email);
    const mail = mailbox.sentTo(email)[0];
    expect(mail?.text).toMatch(
      /invited you to the Zoé evil\.example x{40,70}… dashboard on Navette\. Your role: read-only/,
    );
    expect(mail?.subject).not.toMatch(/http|www|\u202e/);
  });

  test('is sent at most fifty times a day per account, including resends', async () => {
    const { id } = await server.createAccount();
    const owner = await createTestMember(server, id);
    const statuses: number[] = [];
    for (let i = 0; i < 51; i++) {
      const body = { email: `many-${i % 30}@example.org`, role: 'owner' };
      statuses.push((await owner.call('inviteMember', { body })).status);
    }
    expect(statuses.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 201));
    expect(statuses[50]).toBe(429);
  });
});

describe('navette account', () => {
  const navette = (...args: string[]) => runNavette(['account', ...args], server.environment);

  test('invite prints a working link, mails the same one, and reports invalid input', async () => {
    const email = 'first.owner@example.org';
    const { code, stdout } = await navette('invite', account.id, email, '--json');
    expect(code).toBe(0);
    const { link, ...more } = JSON.parse(stdout);
    expect(more).toEqual({ email, role: 'owner', expiresAt: expect.any(String), mailed: true });
    const token = link.split('#')[1];
    expect(await tokenFor(email)).toBe(token);
    const person = { token, name: 'Ana', password: NEW_PASSWORD, language: 'fr' };
    expect(await guest('acceptInvitation', { body: person })).toMatchObject({ status: 201 });
    const wrong: [args: string[], code: number, says: RegExp][] = [
      [[account.id, email], 1, /déjà utilisée/],
      [[account.id, 'x'], 2, /not an e-mail address/],
      [[account.id, 'a@example.org', '--role', 'king'], 2, /--role must be one of owner, developer/],
    ];
    const refused = await crowd(2, wrong, ([args]) => navette('invite', ...args));
    for (const [i, [, code, says]] of wrong.entries())
      expect(refused[i]).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
    const members = await navette('members', account.id, '--json');
    expect(JSON.parse(members.stdout)).toContainEqual(expect.objectContaining({ email, role: 'owner' }));
  });

  test('reset-link and reset-second-factor restore access for a member who lost password and phone', async () => {
    const member = await createTestMember(server, account.id);
    const { body } = await member.call('startSecondFactor', { body: { password: member.password } });
    const code = codeOf(body.secret);
    await member.call('confirmSecondFactor', { body: { code } });
    expect(await navette('reset-second-factor', account.id, member.email)).toMatchObject({ code: 0 });
    const { stdout } = await navette('reset-link', account.id, member.email, '--json');
    expect(await reset(JSON.parse(stdout).link.split('#')[1])).toMatchObject({ status: 200 });
    expect(await signIn(member.email, NEW_PASSWORD)).toMatchObject({ status: 201 });
    expect(await navette('reset-link', account.id, 'nobody@example.org')).toMatchObject({ code: 1 });
  });
});

test('no password, token, code or secret of a member appears in the database or in logs', async () => {
  const owner = await createTestMember(server, account.id);
  const { body: setUp } = await owner.call('startSecondFactor', { body: { password: owner.password } });
  const code = codeOf(setUp.secret);
  const { headers, body } = await owner.call('confirmSecondFactor', { body: { code } });
  await askReset(owner.email);
  const resetToken = await tokenFor(owner.email);
  const renewed = cookieOf(headers);
  const { csrfToken } = (await dashboardCaller(server.url, { cookie: renewed })('readSession')).body;
  const invite = { email: 'scanned@example.org', role: 'owner' };
  await dashboardCaller(server.url, { cookie: renewed, csrfToken })('inviteMember', { body: invite });
  const invitationToken = await tokenFor(invite.email);
  const secrets = [
    ...[TEST_PASSWORD, NEW_PASSWORD, resetToken, invitationToken, setUp.secret, csrfToken, owner.csrfToken],
    ...[owner.cookie.split('=')[1] ?? '', renewed.split('=')[1] ?? '', body.recoveryCodes[0]],
    body.recoveryCodes[0].replaceAll('-', ''),
  ];
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(12);
  const dump = await dumpDatabase();
  expect(dump).toContain(owner.email); // it is the whole database that is looked through
  const lines = server.logged() + worker.logged();
  expect(lines).toContain('"msg":"request"');
  for (const secret of secrets) {
    expect(dump).not.toContain(secret);
    expect(lines).not.toContain(secret);
  }
  for (const { email } of [owner, invite]) expect(lines).not.toContain(email);
});

/** Every row of every table as text, binary columns as text and as hex. */
async function dumpDatabase(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`.execute(server.db);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(server.db);
    texts.push(
      JSON.stringify(rows, (_key, value) => (isBuffer(value) ? Buffer.from(value.data).toString('latin1') : value)),
    );
  }
  return texts.join('\n');
}

const isBuffer = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
