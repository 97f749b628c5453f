import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import {
  codeOf,
  cookieOf,
  createTestMember,
  dashboardCaller,
  signInAs,
  type TestMember,
} from '../../../test/dashboard.ts';
import { dashboardRefusal } from '../../../test/envelopes.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createSecondFactorSealer } from './index.ts';
import { stepOfCode } from './one-time-code.ts';
import { takeCode } from './take-code.ts';

let server: TestServer;
let account: TestAccount;
let member: TestMember;
let now: Date;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.createAccount();
});
afterAll(() => server.stop());
let hours = 0;
beforeEach(async () => {
  now = new Date(Date.now() + ++hours * 3_600_000); // another minute of this address
  server.setNow(now);
  member = await createTestMember(server, account.id);
});
afterEach(() => server.setNow(null));

const codeNow = (secret: string) => codeOf(secret, now);
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
  server.setNow(now);
};
const signIn = (code?: string) =>
  dashboardCaller(server.url)('signIn', {
    body: { email: member.email, password: member.password, ...(code === undefined ? {} : { code }) },
  });

/** Sets it up as a person does; the member goes on with the new cookie. */
async function switchOn(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { body: setUp } = await member.call('startSecondFactor', { body: { password: member.password } });
  const { status, headers, body } = await member.call('confirmSecondFactor', { body: { code: codeNow(setUp.secret) } });
  expect(status).toBe(200);
  const cookie = cookieOf(headers);
  const { csrfToken } = (await dashboardCaller(server.url, { cookie })('readSession')).body;
  member = { ...member, cookie, csrfToken, call: dashboardCaller(server.url, { cookie, csrfToken }) };
  return { secret: setUp.secret, recoveryCodes: body.recoveryCodes };
}

describe('setting it up', () => {
  test('needs the password, shows what an app scans, and asks for nothing until a code has confirmed it', async () => {
    expect(await member.call('startSecondFactor', { body: { password: 'wrong' } })).toEqual(
      dashboardRefusal('WRONG_PASSWORD'),
    );
    expect(await member.call('confirmSecondFactor', { body: { code: '123456' } })).toEqual(
      dashboardRefusal('SECOND_FACTOR_OFF'),
    );
    const { body } = await member.call('startSecondFactor', { body: { password: member.password } });
    expect(body.uri).toBe(
      `otpauth://totp/Navette:${encodeURIComponent(member.email)}?issuer=Navette&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(body.qr).toEqual({ size: expect.any(Number), path: expect.stringMatching(/^(M\d+ \d+h1v1h-1z)+$/) });
    expect(await signIn()).toMatchObject({ status: 201 });
    expect(await member.call('confirmSecondFactor', { body: { code: '000000' } })).toEqual(
      dashboardRefusal('WRONG_CODE'),
    );
    expect(await signIn()).toMatchObject({ status: 201 });
  });

  test('ends the sessions that were opened without it and gives this one a new cookie', async () => {
    const [before, other] = [member, await signInAs(server.url, member.email, member.password)];
    await switchOn();
    for (const { call } of [before, other])
      expect(await call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await member.call('readSession')).toMatchObject({ body: { member: { secondFactor: true } } });
    expect(await member.call('startSecondFactor', { body: { password: member.password } })).toEqual(
      dashboardRefusal('SECOND_FACTOR_ON'),
    );
  });
});

describe('signing in', () => {
  test('needs a code then, and only who has the password learns it', async () => {
    const { secret } = await switchOn();
    later(60);
    expect(await signIn()).toEqual(dashboardRefusal('SECOND_FACTOR_REQUIRED'));
    const guess = { email: member.email, password: 'wrong', code: codeNow(secret) };
    expect(await dashboardCaller(server.url)('signIn', { body: guess })).toEqual(dashboardRefusal('WRONG_CREDENTIALS'));
    expect(await signIn('000000')).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
    expect(await signIn(codeNow(secret))).toMatchObject({ status: 201 });
  });

  test('takes a code once: neither again, nor an older one, nor for two at the same time', async () => {
    const { secret } = await switchOn();
    expect(await signIn(codeNow(secret))).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR')); // it confirmed the set-up
    later(60);
    const earlier = codeOf(secret, new Date(now.getTime() - 30_000));
    const answers = await crowd(4, Array.from({ length: 4 }), () => signIn(codeNow(secret)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await signIn(earlier)).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
  });

  test('five wrong codes lock even the right one out, for a quarter of an hour', async () => {
    const { secret, recoveryCodes } = await switchOn();
    later(60);
    const guesses = Array.from({ length: 20 }, (_, i) => String(100_000 + i));
    await crowd(10, guesses, signIn);
    expect(await signIn(codeNow(secret))).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
    expect(await signIn(recoveryCodes[0])).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
    later(15 * 60 + 1);
    expect(await signIn(codeNow(secret))).toMatchObject({ status: 201 });
  });

  test('takes each of ten recovery codes once, however it is typed', async () => {
    const { recoveryCodes } = await switchOn();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = recoveryCodes;
    expect(first).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    expect(await signIn(first.toUpperCase().replaceAll('-', ' '))).toMatchObject({ status: 201 });
    expect(await signIn(first)).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
    const answers = await crowd(3, [second, second, second], signIn);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe('switching it off', () => {
  test('needs the password and a code; recovery codes are renewed the same way', async () => {
    const { secret, recoveryCodes } = await switchOn();
    const { password } = member;
    later(60);
    const off = (body: object) => member.call('removeSecondFactor', { body });
    expect(await off({ password: 'wrong', code: codeNow(secret) })).toEqual(dashboardRefusal('WRONG_PASSWORD'));
    expect(await off({ password, code: '000000' })).toEqual(dashboardRefusal('WRONG_CODE'));
    const renewed = await member.call('renewRecoveryCodes', { body: { password, code: codeNow(secret) } });
    expect(renewed).toMatchObject({ status: 200 });
    expect(await off({ password, code: recoveryCodes[0] })).toEqual(dashboardRefusal('WRONG_CODE'));
    expect(await off({ password, code: renewed.body.recoveryCodes[0] })).toMatchObject({ status: 200 });
    expect(await off({ password, code: codeNow(secret) })).toEqual(dashboardRefusal('SECOND_FACTOR_OFF'));
    expect(await signIn()).toMatchObject({ status: 201 });
  });
});

describe('the secret', () => {
  test('comes under the newest key when it is used, and is worth nothing in another row', async () => {
    const { secret } = await switchOn();
    const [OLD] = server.config.secondFactorKeys;
    const sealer = createSecondFactorSealer(['a new key for second factors, long', OLD ?? '']);
    later(60);
    expect(await takeCode(server.db, sealer, member.id, codeNow(secret), now)).toBe(true);
    const row = await server.db
      .selectFrom('members')
      .select(['second_factor_key as key', 'sealed_second_factor as sealed'])
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow();
    const sealed = { key: row.key ?? '', sealed: row.sealed ?? Buffer.alloc(0) };
    expect(sealed.key).toBe(sealer.newestKey);
    expect(sealer.open(member.id, sealed)).toBe(secret);
    expect(() => sealer.open(account.id, sealed)).toThrow(/authenticate/);
    expect(() => createSecondFactorSealer([OLD ?? '']).open(member.id, sealed)).toThrow(/SECOND_FACTOR_KEYS lacks/);
  });

  test('gives codes of half a minute, good one step either side', () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const at = new Date(59 * 30_000);
    const codes = [56, 57, 58, 59, 60, 61].map((step) => codeOf(secret, new Date(step * 30_000)));
    expect(codes.map((code) => stepOfCode(secret, code, at))).toEqual([null, null, 58, 59, 60, null]);
    expect(stepOfCode(secret, `${codes[3]?.slice(0, 3)} ${codes[3]?.slice(3)}`, at)).toBe(59);
    expect(stepOfCode(secret, 'x', at)).toBe(null);
  });
});
