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
import { consumeCode, createSecondFactorSealer } from '../../identity/consume-code.ts';
import { stepOfCode } from '../../identity/one-time-code.ts';
import { MEMBER_IDENTITY } from './member-identity.ts';

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

/** Sets it up through the API; the member continues with the new cookie. */
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
  test('requires the password, returns the QR code, and takes effect once a code has confirmed it', async () => {
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

  test('ends sessions that were opened without it, and renews the cookie of this one', async () => {
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
  test('requires a code, which is revealed only after the right password', async () => {
    const { secret } = await switchOn();
    later(60);
    expect(await signIn()).toEqual(dashboardRefusal('SECOND_FACTOR_REQUIRED'));
    const guess = { email: member.email, password: 'wrong', code: codeNow(secret) };
    expect(await dashboardCaller(server.url)('signIn', { body: guess })).toEqual(dashboardRefusal('WRONG_CREDENTIALS'));
    expect(await signIn('000000')).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
    expect(await signIn(codeNow(secret))).toMatchObject({ status: 201 });
  });

  test('accepts a code once: no reuse, no older code, no concurrent use', async () => {
    const { secret } = await switchOn();
    expect(await signIn(codeNow(secret))).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR')); // it confirmed the set-up
    later(60);
    const earlier = codeOf(secret, new Date(now.getTime() - 30_000));
    const answers = await crowd(4, Array.from({ length: 4 }), () => signIn(codeNow(secret)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await signIn(earlier)).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
  });

  test('is locked for 15 minutes after five wrong codes, even for the right one', async () => {
    const { secret, recoveryCodes } = await switchOn();
    later(60);
    const guesses = Array.from({ length: 20 }, (_, i) => String(100_000 + i));
    await crowd(4, guesses, signIn); // five unfinished sign-ins of a member would lock the password first
    expect(await signIn(codeNow(secret))).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
    expect(await signIn(recoveryCodes[0])).toEqual(dashboardRefusal('WRONG_SECOND_FACTOR'));
    later(15 * 60 + 1);
    expect(await signIn(codeNow(secret))).toMatchObject({ status: 201 });
  });

  test('accepts each of ten recovery codes once, in any notation', async () => {
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

describe('turning it off', () => {
  test('requires the password and a code, like renewing recovery codes', async () => {
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
  test('is re-encrypted with the newest key on use, and cannot be decrypted in another row', async () => {
    const { secret } = await switchOn();
    const [OLD] = server.config.secondFactorKeys;
    const sealer = createSecondFactorSealer(['a new key for second factors, long', OLD ?? '']);
    later(60);
    const options = { db: server.db, sealer, identity: MEMBER_IDENTITY };
    const person = { personId: member.id, accountId: account.id, email: member.email, name: 'Zoé Martin' };
    const taken = await consumeCode(options, person, codeNow(secret), now);
    expect(taken?.secondFactor).not.toBe(null);
    const row = await server.db
      .selectFrom('members')
      .select(['second_factor_key as key', 'sealed_second_factor as sealed'])
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow();
    const sealed = { key: row.key ?? '', sealed: row.sealed ?? Buffer.alloc(0) };
    expect(sealed.key).toBe(sealer.newestKey);
    expect(sealer.open(member.id, sealed)).toBe(secret);
    expect(() => sealer.open(account.id, sealed)).toThrow(/authenticate/);
    expect(() => createSecondFactorSealer([OLD ?? '']).open(member.id, sealed)).toThrow(
      /missing in SECOND_FACTOR_KEYS/,
    );
  });

  test('generates codes of 30 seconds, valid one step before and after', () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const at = new Date(59 * 30_000);
    const codes = [56, 57, 58, 59, 60, 61].map((step) => codeOf(secret, new Date(step * 30_000)));
    expect(codes.map((code) => stepOfCode(secret, code, at))).toEqual([null, null, 58, 59, 60, null]);
    expect(stepOfCode(secret, `${codes[3]?.slice(0, 3)} ${codes[3]?.slice(3)}`, at)).toBe(59);
    expect(stepOfCode(secret, 'x', at)).toBe(null);
  });
});
