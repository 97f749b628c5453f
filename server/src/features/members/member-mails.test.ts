import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  codeOf,
  cookieOf,
  createTestMember,
  dashboardCaller,
  TEST_PASSWORD,
  type TestMember,
} from '../../../test/dashboard.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { MEMBERS } from '../../identity/people.ts';
import { createResetToken } from '../../identity/reset-password.ts';

let mailbox: FakeMailbox;
let server: TestServer;
let worker: TestWorker;
let accountId: string;
let owner: TestMember;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url, PUBLIC_URL: 'http://navette.test' });
  worker = await startTestWorker(server);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await mailbox.stop();
});
beforeEach(async () => {
  accountId = (await server.createAccount()).id;
  owner = await createTestMember(server, accountId, 'owner', { language: 'en' });
});

async function subjectsTo({ email }: TestMember): Promise<(string | undefined)[]> {
  await workDone(server);
  return mailbox.sentTo(email).map(({ subject }) => subject);
}
const lastTo = ({ email }: TestMember) => mailbox.sentTo(email).at(-1);

describe('a mail notifies', () => {
  test('the member, in their language, of a changed or reset password', async () => {
    const member = await createTestMember(server, accountId, 'read-only', { language: 'fr' });
    const newPassword = 'une autre phrase longue';
    await member.call('changePassword', { body: { password: TEST_PASSWORD, newPassword } });
    expect(await subjectsTo(member)).toEqual(['Votre mot de passe Navette a été changé']);
    expect(lastTo(member)?.text).toContain('http://navette.test/dashboard/profile');
    expect(lastTo(member)?.text).toContain('Ce n’était pas vous ?');
    const token = await createResetToken(server.db, MEMBERS, owner.id, new Date());
    await dashboardCaller(server.url)('resetPassword', { body: { token, password: newPassword } });
    expect(await subjectsTo(owner)).toEqual(['Your Navette password has been changed']);
    expect(lastTo(owner)?.html).toContain('<html lang="en">');
  });

  test('the member of every change of the second factor and of a lock', async () => {
    const { body } = await owner.call('startSecondFactor', { body: { password: TEST_PASSWORD } });
    const { headers, body: on } = await owner.call('confirmSecondFactor', { body: { code: codeOf(body.secret) } });
    const cookie = cookieOf(headers);
    const { csrfToken } = (await dashboardCaller(server.url, { cookie })('readSession')).body;
    const call = dashboardCaller(server.url, { cookie, csrfToken });
    const proof = (code: string) => ({ body: { password: TEST_PASSWORD, code } });
    const renewed = await call('renewRecoveryCodes', proof(on.recoveryCodes[0]));
    await call('removeSecondFactor', proof(renewed.body.recoveryCodes[0]));
    await workDone(server);
    expect(new Set(await subjectsTo(owner))).toEqual(
      new Set([
        'Two-factor authentication is off',
        'Two-factor authentication is on',
        'Your recovery codes have been replaced',
      ]),
    );
    const again = await call('startSecondFactor', { body: { password: TEST_PASSWORD } });
    for (let i = 0; i < 5; i++) await call('confirmSecondFactor', { body: { code: '000000' } });
    expect(again.status).toBe(200);
    expect(await subjectsTo(owner)).toContain('Wrong codes: sign-in is locked');
  });

  test('owners and the member who created a key, unless it is already revoked', async () => {
    const developer = await createTestMember(server, accountId, 'developer');
    const reader = await createTestMember(server, accountId, 'read-only');
    const { key } = (await developer.call('createKey', { body: { name: 'ERP <b>', scopes: ['read'] } })).body;
    expect(await subjectsTo(owner)).toEqual(['A new API key has been created']);
    expect(await subjectsTo(developer)).toEqual(['Une nouvelle clé API a été créée']);
    expect(await subjectsTo(reader)).toEqual([]);
    expect(lastTo(owner)?.text).toContain(
      `${developer.email} has just created an API key for Atelier Zoé: ERP <b> (…${key.hint}).`,
    );
    expect(lastTo(owner)?.html).toContain('ERP &lt;b&gt;');
    expect(lastTo(owner)?.text).toContain('http://navette.test/dashboard/developers/keys');
  });

  test('owners of active keys of a removed member', async () => {
    const [second, leaver] = [
      await createTestMember(server, accountId),
      await createTestMember(server, accountId, 'developer'),
    ];
    const { key } = (await leaver.call('createKey', { body: { name: 'ERP', scopes: ['read'] } })).body;
    await owner.call('removeMember', { params: { id: leaver.id } });
    await workDone(server);
    const mailsTo = (member: TestMember, subject: string) =>
      mailbox.sentTo(member.email).filter((mail) => mail.subject === subject);
    expect(mailsTo(owner, 'API keys of a former member are still active')).toMatchObject([
      { text: expect.stringContaining(`${leaver.email} no longer has access to Atelier Zoé.`) },
    ]);
    expect(mailsTo(second, 'Des clés API d’un ancien membre sont encore actives')).toMatchObject([
      { text: expect.stringContaining(`ERP (…${key.hint})`) },
    ]);
    await owner.call('removeMember', { params: { id: second.id } }); // who made none
    expect((await subjectsTo(owner)).filter((subject) => subject?.includes('former'))).toHaveLength(1);
  });
});
