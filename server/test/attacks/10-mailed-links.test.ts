import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import { createTestMember, dashboardCaller, type TestMember } from '../dashboard.ts';
import { everyRow } from '../every-row.ts';
import { type FakeMailbox, startFakeMailbox } from '../fake-mailbox.ts';
import type { TestServer } from '../test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../test-worker.ts';
import { startAttackedServer } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

let mailbox: FakeMailbox;
let server: TestServer;
let worker: TestWorker;
let owner: TestMember;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startAttackedServer({ MAIL_URL: mailbox.url, PUBLIC_URL: 'http://navette.localhost' });
  worker = await startTestWorker(server);
  owner = await createTestMember(server, (await server.createAccount({ name: 'Atelier Zoé' })).id);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await mailbox.stop();
});

async function letterTo(email: string): Promise<string> {
  await workDone(server);
  const mail = mailbox.sentTo(email).at(-1);
  return `${mail?.subject}\n${mail?.text}\n${mail?.html}`;
}

test('the link of an e-mail leads to the service, whatever host the request named', async () => {
  const body = JSON.stringify({ email: owner.email });
  for (const poison of [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { forwarded: 'host=evil.example' },
    { origin: 'http://navette.localhost', referer: 'http://evil.example/' },
  ]) {
    const headers = { 'content-type': 'application/json', ...freshAddress(), ...(poison as Record<string, string>) };
    await sendRaw(server.url, { method: 'POST', path: '/dashboard/api/password-reset', headers, body });
  }
  const letter = await letterTo(owner.email);
  expect(letter).toContain('http://navette.localhost/dashboard/reset#');
  expect(letter).not.toContain('evil.example');
});

test('a link works once, and its token is nowhere in the database or the log', async () => {
  const member = await createTestMember(server, (await server.createAccount()).id);
  await dashboardCaller(server.url)('requestPasswordReset', { body: { email: member.email }, headers: freshAddress() });
  const token = /reset#([\w-]+)/.exec(await letterTo(member.email))?.[1] ?? '';
  expect(token.length).toBeGreaterThan(30);
  expect(`${await everyRow(server.db)}${server.logged()}${worker.logged()}`).not.toContain(token);
  const body = { token, password: 'une phrase toute nouvelle' };
  const answers = await crowd(4, [1, 2, 3, 4], () =>
    dashboardCaller(server.url)('resetPassword', { body, headers: freshAddress() }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a reset does not reveal whether an e-mail is known', async () => {
  const ask = (email: string) =>
    dashboardCaller(server.url)('requestPasswordReset', { body: { email }, headers: freshAddress() });
  const [known, unknown] = [await ask(owner.email), await ask('nobody@example.org')];
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
});

test('an invitation contains no text chosen by its sender: no link and no other name', async () => {
  const name = 'Votre banque https://evil.example/login';
  await owner.call('updateProfile', { body: { name, language: 'fr' } });
  const email = 'invited@example.org';
  expect(await owner.call('inviteMember', { body: { email, role: 'read-only' } })).toMatchObject({ status: 201 });
  const letter = await letterTo(email);
  expect(letter).toContain('Atelier Zoé');
  expect(letter).not.toContain('evil.example');
});
