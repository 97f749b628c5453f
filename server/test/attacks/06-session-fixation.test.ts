import { CSRF_HEADER } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import { cookieOf, createTestMember, dashboardCaller, signInAs, TEST_PASSWORD } from '../dashboard.ts';
import { everyRow } from '../every-row.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { pathWith } from './generate.ts';
import { describeOperation, type Operation, readOperations } from './operations.ts';
import { startAttackedServer } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

const SESSION_COOKIE = '__Host-navette-session';

let server: TestServer;
let account: TestAccount;
let operations: Operation[];
beforeAll(async () => {
  server = await startAttackedServer();
  account = await server.createAccount();
  operations = (await readOperations(server.url)).filter(({ api, isOpen }) => api === 'dashboard' && !isOpen);
});
afterAll(() => server.stop());

test('a cookie set before the sign-in is worthless after it; the server issues a new one', async () => {
  const { email } = await createTestMember(server, account.id);
  const attacker = await signInAs(server.url, email, TEST_PASSWORD);
  for (const planted of ['navette_session_planted', attacker.cookie.split('=')[1] ?? '']) {
    const headers = { cookie: `${SESSION_COOKIE}=${planted}` };
    const answer = await dashboardCaller(server.url)('signIn', { body: { email, password: TEST_PASSWORD }, headers });
    expect(answer.status).toBe(201);
    expect(cookieOf(answer.headers)).not.toContain(planted);
    expect((await dashboardCaller(server.url, { cookie: `${SESSION_COOKIE}=${planted}` })('readSession')).status).toBe(
      401,
    );
  }
});

test('the cookie is out of reach of scripts, other sites, other hosts and plain HTTP, and is stored as a hash only', async () => {
  const member = await createTestMember(server, account.id);
  const body = { email: member.email, password: TEST_PASSWORD };
  const { headers } = await dashboardCaller(server.url)('signIn', { body });
  const [cookie = ''] = headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-/);
  for (const flag of [/; HttpOnly/i, /; Secure/i, /; SameSite=(Lax|Strict)/i, /; Path=\/(;|$)/i])
    expect(cookie).toMatch(flag);
  expect(cookie).not.toMatch(/; Domain=/i);
  const token = cookieOf(headers).split('=')[1] ?? '';
  expect(token.length).toBeGreaterThan(40);
  expect(await everyRow(server.db)).not.toContain(token);
});

test.each(['signOut', 'signOutEverywhere', 'changePassword'] as const)(
  'after %s no operation serves the old cookie',
  async (ending) => {
    const member = await createTestMember(server, account.id);
    const other = await signInAs(server.url, member.email, TEST_PASSWORD);
    const body = { password: TEST_PASSWORD, newPassword: 'une phrase toute nouvelle' };
    expect(await member.call(ending, ending === 'changePassword' ? { body } : {})).toMatchObject({ status: 200 });
    const ended = ending === 'signOut' ? [member] : [member, other];
    const attacks = operations.flatMap((operation) => ended.map((session) => ({ operation, session })));
    const answers = await crowd(8, attacks, async ({ operation, session: { cookie, csrfToken } }) => {
      const headers = { cookie, [CSRF_HEADER]: csrfToken, 'content-type': 'application/json', ...freshAddress() };
      const path = pathWith(operation, member.id);
      const { status } = await sendRaw(server.url, {
        method: operation.method,
        path,
        headers,
        body: operation.changes ? '{}' : undefined,
      });
      return `${describeOperation(operation)}: ${status}`;
    });
    expect(answers.filter((answer) => !answer.endsWith(' 401'))).toEqual([]);
  },
);
