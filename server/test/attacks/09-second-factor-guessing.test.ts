import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import { codeOf, createTestMember, dashboardCaller, TEST_PASSWORD, type TestMember } from '../dashboard.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { startAttackedServer } from './tenant.ts';
import { freshAddress } from './wire.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startAttackedServer();
  account = await server.createAccount();
});
afterAll(() => server.stop());

async function withSecondFactor(): Promise<{ member: TestMember; secret: string; recoveryCodes: string[] }> {
  const member = await createTestMember(server, account.id);
  const { body } = await member.call('startSecondFactor', { body: { password: TEST_PASSWORD } });
  const confirmed = await member.call('confirmSecondFactor', { body: { code: codeOf(body.secret) } });
  expect(confirmed.status).toBe(200);
  return { member, secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes };
}
const signIn = (email: string, code?: string) =>
  dashboardCaller(server.url)('signIn', {
    body: { email, password: TEST_PASSWORD, ...(code ? { code } : {}) },
    headers: freshAddress(),
  });
const later = (seconds: number) => server.setNow(new Date(Date.now() + seconds * 1_000));

test('sixty addresses that know the password cause five comparisons of the code: the right one comes too late', async () => {
  const { member, secret } = await withSecondFactor();
  later(60);
  const good = codeOf(secret, new Date(Date.now() + 60_000));
  const wrong = Array.from({ length: 60 }, (_, i) => String((Number(good) + 1 + i) % 1_000_000).padStart(6, '0'));
  const answers = await crowd(20, wrong, (code) => signIn(member.email, code));
  expect(answers.filter(({ status }) => status === 201)).toEqual([]);
  expect((await signIn(member.email, good)).status).not.toBe(201);
  server.setNow(null);
});

test('a locked second factor accepts no recovery code either', async () => {
  const { member, recoveryCodes } = await withSecondFactor();
  for (let i = 0; i < 6; i++) await signIn(member.email, `00000${i}`);
  expect((await signIn(member.email, recoveryCodes[0])).status).not.toBe(201);
});

test('a used code or recovery code is refused, also for concurrent requests', async () => {
  const { member, secret, recoveryCodes } = await withSecondFactor();
  later(120);
  const code = codeOf(secret, new Date(Date.now() + 120_000));
  for (const once of [code, recoveryCodes[0] ?? '']) {
    const answers = await crowd(4, [once, once, once, once], (given) => signIn(member.email, given));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  }
  server.setNow(null);
});
