import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import { createTestMember, dashboardCaller, TEST_PASSWORD } from '../dashboard.ts';
import { createTestDriver, overHttp } from '../driver-app.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { startAttackedServer } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startAttackedServer();
  account = await server.createAccount();
});
afterAll(() => server.stop());

const signIn = (email: string, password: string, address = freshAddress()) =>
  dashboardCaller(server.url)('signIn', { body: { email, password }, headers: address });

test('forty guesses at a member’s password from forty addresses cause five comparisons: the right one is not found', async () => {
  const { email } = await createTestMember(server, account.id);
  const guesses = Array.from({ length: 40 }, (_, i) => (i % 10 === 9 ? TEST_PASSWORD : `mauvaise phrase ${i}`));
  const answers = [];
  for (const guess of guesses) answers.push((await signIn(email, guess)).status);
  expect(answers).not.toContain(201);
});

test('guesses at a driver’s password are limited the same way', async () => {
  const password = 'une phrase de livreur';
  const { email } = await createTestDriver(server.db, { password });
  const guesses = Array.from({ length: 30 }, (_, i) => (i % 10 === 9 ? password : `mauvaise phrase ${i}`));
  const answers = [];
  for (const guess of guesses) {
    const body = JSON.stringify({ email, password: guess });
    const headers = { 'content-type': 'application/json', ...freshAddress() };
    answers.push((await sendRaw(server.url, { method: 'POST', path: '/driver/api/v1/session', headers, body })).status);
  }
  expect(answers).not.toContain(201);
});

test('one address guesses at sixty members a minute at most', async () => {
  const address = freshAddress();
  const guesses = Array.from({ length: 240 }, (_, i) => `nobody-${i}@example.org`);
  const minute = () => Math.floor(Date.now() / 60_000);
  const began = minute();
  const answers = await crowd(10, guesses, (email) => signIn(email, 'une phrase quelconque', address));
  const most = 60 * (1 + minute() - began); // the windows are minutes of the clock
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(most);
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(240 - most);
});

test('a known, an unknown and a locked e-mail get the same response, after about the same time', async () => {
  const known = await createTestMember(server, account.id);
  const locked = await createTestMember(server, account.id);
  for (let i = 0; i < 6; i++) await signIn(locked.email, `mauvaise ${i}`);
  const kinds = { known: known.email, unknown: 'nobody@example.org', locked: locked.email };
  const times: Record<string, number[]> = { known: [], unknown: [], locked: [] };
  const bodies = new Set<string>();
  for (let i = 0; i < 25; i++) {
    for (const [kind, email] of Object.entries(kinds)) {
      // A member who is not locked must not become so by being measured.
      await server.db
        .updateTable('members')
        .set({ wrong_passwords: 0, locked_until: null })
        .where('id', '=', known.id)
        .execute();
      const began = performance.now();
      const { status, body } = await signIn(email, 'une phrase quelconque');
      times[kind]?.push(performance.now() - began);
      bodies.add(JSON.stringify([status, body]));
    }
  }
  expect([...bodies]).toHaveLength(1);
  const median = (kind: string) => times[kind]?.toSorted((a, b) => a - b)[12] ?? 0;
  // Without the hash a response takes a tenth of the time; other load affects the three equally.
  for (const kind of ['unknown', 'locked']) {
    expect(median(kind)).toBeGreaterThan(median('known') / 4);
    expect(median(kind)).toBeLessThan(median('known') * 4);
  }
});

test('the driver’s sign-in does not reveal whether an e-mail is known', async () => {
  const { email } = await createTestDriver(server.db, { password: 'une phrase de livreur' });
  const send = overHttp(server.url, { token: '' });
  const [known, unknown] = [
    await send('createSession', { email, password: 'une phrase quelconque' }),
    await send('createSession', { email: 'nobody@example.org', password: 'une phrase quelconque' }),
  ];
  expect(known).toEqual(unknown);
  expect(known.status).toBe(401);
});
