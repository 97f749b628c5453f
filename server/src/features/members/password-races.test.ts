import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  codeOf,
  cookieOf,
  createTestMember,
  dashboardCaller,
  signInAs,
  TEST_PASSWORD,
  type TestMember,
} from '../../../test/dashboard.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createSecondFactorSealer } from '../../identity/consume-code.ts';
import { MEMBERS } from '../../identity/people.ts';
import { createResetToken } from '../../identity/reset-password.ts';

const ROUNDS = 20;
const OWN = 'une phrase de la victime';
const STOLEN = 'une phrase du voleur';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.createAccount();
});
afterAll(() => server.stop());

let address = 0;
/** Each round uses its own client address, so that failures of one round do not throttle the next. */
const from = () => ({ 'x-forwarded-for': `203.0.113.${++address % 250}` });
const opens = async (email: string, password: string) =>
  (await dashboardCaller(server.url)('signIn', { body: { email, password }, headers: from() })).status === 201;
describe('a password reset', () => {
  test('is never undone by a concurrent change with the old password, and the two never deadlock', async () => {
    const outcomes = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const member = await createTestMember(server, account.id);
      const thief = await signInAs(server.url, member.email, TEST_PASSWORD);
      const token = await createResetToken(server.db, MEMBERS, member.id, new Date());
      const [change, reset] = await Promise.all([
        thief.call('changePassword', { body: { password: TEST_PASSWORD, newPassword: STOLEN } }),
        setTimeout(round % 20).then(() =>
          // in steps of a millisecond, over the duration of a hash
          dashboardCaller(server.url)('resetPassword', { body: { token, password: OWN }, headers: from() }),
        ),
      ]);
      const outcome = `change ${change.status}, reset ${reset.status}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      expect([200, 401, 403], outcome).toContain(change.status);
      expect([200, 410], outcome).toContain(reset.status);
      expect(
        [change.status, reset.status].filter((status) => status === 200),
        outcome,
      ).toHaveLength(1);
      expect(await opens(member.email, reset.status === 200 ? OWN : STOLEN)).toBe(true);
      expect(await thief.call('readSession')).toMatchObject({ status: 401 }); // the cookie that was stolen is worth nothing
    }
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(ROUNDS);
  });
});

describe('a password change', () => {
  test('of two concurrent ones with the same old password, one succeeds and the other is refused', async () => {
    for (let round = 0; round < 6; round++) {
      const member = await createTestMember(server, account.id);
      const other = await signInAs(server.url, member.email, TEST_PASSWORD);
      const change = ({ call }: Pick<TestMember, 'call'>, newPassword: string) =>
        call('changePassword', { body: { password: TEST_PASSWORD, newPassword } });
      const answers = await Promise.all([change(member, OWN), change(other, STOLEN)]);
      const won = answers.findIndex(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200,
        expect.toBeOneOf([401, 403]),
      ]);
      expect(await opens(member.email, [OWN, STOLEN][won] ?? '')).toBe(true);
    }
  });
});

describe('a second factor', () => {
  test('that a code confirms is the one of the code, even if another set-up starts meanwhile', async () => {
    const sealer = createSecondFactorSealer(server.config.secondFactorKeys);
    for (let round = 0; round < 10; round++) {
      const member = await createTestMember(server, account.id);
      const other = await signInAs(server.url, member.email, TEST_PASSWORD);
      const { body } = await member.call('startSecondFactor', { body: { password: TEST_PASSWORD } });
      const [confirmed] = await Promise.all([
        setTimeout(2 * round).then(() => member.call('confirmSecondFactor', { body: { code: codeOf(body.secret) } })),
        other.call('startSecondFactor', { body: { password: TEST_PASSWORD } }),
      ]);
      const row = await server.db
        .selectFrom('members')
        .select(['second_factor_key as key', 'sealed_second_factor as sealed', 'second_factor_since as since'])
        .where('id', '=', member.id)
        .executeTakeFirstOrThrow();
      expect([200, 403]).toContain(confirmed.status);
      expect(row.since !== null).toBe(confirmed.status === 200);
      const secret = sealer.open(member.id, { key: row.key ?? '', sealed: row.sealed ?? Buffer.alloc(0) });
      expect({ on: confirmed.status === 200, own: secret === body.secret }).not.toEqual({ on: true, own: false });
    }
  });

  test('is not turned off after a reset by a request that verified the old password', async () => {
    for (let round = 0; round < 10; round++) {
      const member = await createTestMember(server, account.id);
      const { body } = await member.call('startSecondFactor', { body: { password: TEST_PASSWORD } });
      const { headers, body: on } = await member.call('confirmSecondFactor', { body: { code: codeOf(body.secret) } });
      const cookie = cookieOf(headers);
      const { csrfToken } = (await dashboardCaller(server.url, { cookie })('readSession')).body;
      const token = await createResetToken(server.db, MEMBERS, member.id, new Date());
      const proof = { password: TEST_PASSWORD, code: on.recoveryCodes[0] };
      const [off, reset] = await Promise.all([
        setTimeout(2 * round).then(() =>
          dashboardCaller(server.url, { cookie, csrfToken })('removeSecondFactor', { body: proof }),
        ),
        dashboardCaller(server.url)('resetPassword', { body: { token, password: OWN }, headers: from() }),
      ]);
      expect(reset.status).toBe(200);
      expect([200, 401, 403]).toContain(off.status);
      const acts = await server.db
        .selectFrom('member_acts')
        .select('act')
        .where('member_id', '=', member.id)
        .where('act', 'in', ['password-reset', 'second-factor-off'])
        .orderBy('id')
        .execute();
      expect(acts.map(({ act }) => act)).toEqual(
        off.status === 200 ? ['second-factor-off', 'password-reset'] : ['password-reset'],
      );
    }
  });
});
