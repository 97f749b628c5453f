import { CONSOLE_SLUGS, type ConsoleErrorSlug } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleCaller, createTestStaff, type TestStaff } from '../../../test/console.ts';
import { codeOf, cookieOf, TEST_PASSWORD } from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { auditOperatorActs } from './audit-acts.ts';

const NEW_PASSWORD = 'quatre mots sans rapport';

let server: TestServer;
let admin: TestStaff;
beforeAll(async () => {
  server = await startTestServer();
  admin = await createTestStaff(server, 'admin', { name: 'Zoé Martin' });
});
afterAll(() => server.stop());

const guest = () => consoleCaller(server.url);
const refused = (slug: ConsoleErrorSlug) =>
  expect.objectContaining({
    status: CONSOLE_SLUGS[slug].status,
    body: expect.objectContaining({ success: false, error: slug }),
  });
const navette = (...args: string[]) => runNavette(args, server.environment);
const actsOn = async (subjectId: string) => {
  const { body } = await admin.call('listOperatorActs', { query: { subjectId } });
  return body.acts.map(({ act, actor }: { act: string; actor: { name: string } }) => [act, actor.name]);
};

/** Invites at the command line and accepts. */
async function join(email: string, role: string) {
  const { stdout } = await navette('staff', 'invite', email, '--role', role, '--print', '--json');
  const token = new URL(JSON.parse(stdout).link).hash.slice(1);
  const accepted = await guest()('acceptInvitation', {
    body: { token, name: 'Ana Leroy', password: TEST_PASSWORD, language: 'fr' },
  });
  expect(accepted).toMatchObject({ status: 201, body: { staff: { email, role }, secondFactorMissing: true } });
  const session = { cookie: cookieOf(accepted.headers), csrfToken: String(accepted.body.csrfToken) };
  return { token, id: String(accepted.body.staff.id), call: consoleCaller(server.url, session) };
}

async function setUpSecondFactor(call: TestStaff['call']) {
  const { body: setUp } = await call('startSecondFactor', { body: { password: TEST_PASSWORD } });
  const confirmed = await call('confirmSecondFactor', { body: { code: codeOf(setUp.secret) } });
  expect(confirmed).toMatchObject({ status: 200 });
  return { cookie: cookieOf(confirmed.headers), recoveryCodes: confirmed.body.recoveryCodes };
}

describe('the first administrator', () => {
  test('is invited at the command line, sets up a second factor before anything else, and signs in with it', async () => {
    const { call, token, id } = await join('first@navette.example', 'admin');
    for (const name of ['listStaff', 'listOperatorActs', 'listApprovals'] as const)
      expect(await call(name)).toEqual(refused('SECOND_FACTOR_MISSING'));
    expect(await call('updateProfile', { body: { name: 'Ana', language: 'fr' } })).toEqual(
      refused('SECOND_FACTOR_MISSING'),
    );
    const { cookie, recoveryCodes } = await setUpSecondFactor(call);
    expect(await consoleCaller(server.url, { cookie })('listStaff')).toMatchObject({ status: 200 });
    const signIn = (code?: string) =>
      guest()('signIn', {
        body: { email: 'first@navette.example', password: TEST_PASSWORD, ...(code ? { code } : {}) },
      });
    expect(await signIn()).toEqual(refused('SECOND_FACTOR_REQUIRED'));
    expect(await signIn('000000')).toEqual(refused('WRONG_SECOND_FACTOR'));
    expect(await signIn(recoveryCodes[0])).toMatchObject({ status: 201, body: { secondFactorMissing: false } });
    const again = { token, name: 'Ana', password: TEST_PASSWORD, language: 'fr' };
    expect(await guest()('acceptInvitation', { body: again })).toEqual(refused('LINK_GONE'));
    expect((await actsOn(id)).toReversed()).toEqual([
      ['staff.joined', 'Ana Leroy'],
      ['staff.second_factor_on', 'Ana Leroy'],
      ['staff.code_failed', ''],
      ['staff.recovery_code_used', 'Ana Leroy'],
      ['staff.signed_in', 'Ana Leroy'],
    ]);
  });

  test('is listed, changed and removed at the command line, and each act names the system user', async () => {
    const { id, call } = await join('second@navette.example', 'admin');
    await navette('staff', 'role', 'second@navette.example', 'accountant');
    const { stdout } = await navette('staff', 'list', '--json');
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ id, role: 'accountant', secondFactor: false }));
    await navette('staff', 'remove', 'second@navette.example');
    expect(await call('readSession')).toEqual(refused('NOT_SIGNED_IN'));
    const acts = await actsOn(id);
    expect(acts.map(([act]: [string]) => act)).toEqual(['staff.removed', 'staff.role_changed', 'staff.joined']);
    expect(acts[0]?.[1]).toMatch(/^[^@]+@[^@]+$/);
  });
});

describe('an administrator', () => {
  test('invites, withdraws, changes roles and removes, each with an entry of the log', async () => {
    const invite = (email: string) => admin.call('inviteStaff', { body: { email, role: 'support' } });
    const { status, body } = await invite('support@navette.example');
    expect({ status, invitation: body.invitation }).toMatchObject({
      status: 201,
      invitation: { email: 'support@navette.example', role: 'support', invitedBy: 'Zoé Martin' },
    });
    expect(await invite(admin.email.toUpperCase())).toEqual(refused('EMAIL_TAKEN'));
    const { id } = body.invitation;
    expect(await admin.call('withdrawStaffInvitation', { params: { id } })).toMatchObject({ status: 200 });
    expect(await admin.call('withdrawStaffInvitation', { params: { id } })).toMatchObject({ status: 404 });
    const dispatcher = await createTestStaff(server, 'dispatcher');
    const change = (role: string) => admin.call('changeStaffRole', { params: { id: dispatcher.id }, body: { role } });
    expect(await change('accountant')).toMatchObject({ status: 200 });
    expect((await dispatcher.call('readSession')).body.may).toEqual(['read', 'money']);
    expect(await admin.call('removeStaff', { params: { id: dispatcher.id } })).toMatchObject({ status: 200 });
    expect(await dispatcher.call('readSession')).toEqual(refused('NOT_SIGNED_IN'));
    expect((await actsOn(dispatcher.id)).toReversed()).toEqual([
      ['staff.role_changed', 'Zoé Martin'],
      ['staff.removed', 'Zoé Martin'],
    ]);
  });

  test('of two who remove each other at once, one stays', async () => {
    const others = await server.db.selectFrom('staff').select('id').where('role', '=', 'admin').execute();
    const two = [await createTestStaff(server, 'admin'), await createTestStaff(server, 'admin')] as const;
    for (const { id } of others)
      await server.db.updateTable('staff').set({ role: 'support' }).where('id', '=', id).execute();
    const answers = await Promise.all([
      two[0].call('removeStaff', { params: { id: two[1].id } }),
      two[1].call('removeStaff', { params: { id: two[0].id } }),
    ]);
    const left = await server.db.selectFrom('staff').select('id').where('role', '=', 'admin').execute();
    for (const { id } of others)
      await server.db.updateTable('staff').set({ role: 'admin' }).where('id', '=', id).execute();
    expect(left).toHaveLength(1);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const [survivor] = two.filter(({ id }) => id === left[0]?.id);
    expect(survivor).toBeDefined();
  });

  test('who is the last one cannot be removed or demoted', async () => {
    await server.db.updateTable('staff').set({ role: 'support' }).where('id', '!=', admin.id).execute();
    const params = { id: admin.id };
    expect(await admin.call('removeStaff', { params })).toEqual(refused('LAST_ADMIN'));
    expect(await admin.call('changeStaffRole', { params, body: { role: 'support' } })).toEqual(refused('LAST_ADMIN'));
  });
});

describe('a password of staff', () => {
  test('that is wrong five times locks sign-in, and the log names nobody as the actor', async () => {
    const { email, id } = await createTestStaff(server, 'support');
    for (let i = 0; i < 5; i++)
      expect(await guest()('signIn', { body: { email, password: `wrong ${i}` } })).toEqual(
        refused('WRONG_CREDENTIALS'),
      );
    expect(await guest()('signIn', { body: { email, password: TEST_PASSWORD } })).toEqual(refused('WRONG_CREDENTIALS'));
    await eventually(async () => expect(await actsOn(id)).toContainEqual(['staff.password_locked', '']));
  });

  test('is changed with the old one, ends other sessions, and a guessable one is refused', async () => {
    const staff = await createTestStaff(server, 'support');
    const change = (newPassword: string) =>
      staff.call('changePassword', { body: { password: TEST_PASSWORD, newPassword } });
    expect(await change('motdepasse2026')).toMatchObject({ status: 400, body: { errors: [{ rule: 'guessable' }] } });
    expect(await change(NEW_PASSWORD)).toMatchObject({ status: 200 });
    expect(await staff.call('readSession')).toEqual(refused('NOT_SIGNED_IN'));
  });
});

describe('the log of acts', () => {
  test('is exported as CSV and as JSON lines, complete and in order', async () => {
    const lines = await admin.call('exportOperatorActLines');
    expect(lines.headers.get('content-disposition')).toContain('navette-acts.jsonl');
    const acts = String(lines.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(acts.map(({ number }) => number)).toEqual(acts.map((_, i) => i + 1));
    const csv = await admin.call('exportOperatorActs');
    expect(String(csv.body).trim().split('\r\n')).toHaveLength(acts.length + 1);
    expect(await auditOperatorActs(server.db)).toMatchObject([{ broken: 0 }]);
  });

  test('has an entry for a changing command of the command line, in the transaction of the act', async () => {
    const account = await server.createAccount();
    await navette('account', 'credit', account.id, '--amount', '12.50', '--note', 'transfer 2041');
    const { body } = await admin.call('listOperatorActs', { query: { subjectId: account.id } });
    expect(body.acts).toMatchObject([
      { act: 'account.credited', reason: 'transfer 2041', details: { amountCents: 1_250 }, actor: { kind: 'cli' } },
    ]);
    await navette('account', 'close', account.id);
    await expect(navette('account', 'close', account.id)).resolves.toMatchObject({ code: 1 });
    expect((await actsOn(account.id)).map(([act]: [string]) => act)).toEqual(['account.closed', 'account.credited']);
  });
});
