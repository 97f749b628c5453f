import { DRIVER_SLUGS } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { everyRow } from '../../../test/every-row.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../../test/fake-twilio.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { disableDriver, setPassword } from './manage-drivers.ts';
import { purgeDriverSessions } from './purge-driver-sessions.handler.ts';
import { sendPasswordLink } from './send-password-link.ts';

const PASSWORD = 'une phrase toute nouvelle';
const LINK = /http:\/\/navette\.test\/driver\/welcome#(\w+)/;
const DAY = 86_400_000;

let mailbox: FakeMailbox;
let twilio: FakeTwilio;
let server: TestServer;
let worker: TestWorker;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  twilio = await startFakeTwilio();
  const urls = { MAIL_URL: mailbox.url, SMS_URL: twilio.url, PUBLIC_URL: 'http://navette.test' };
  server = await startTestServer({ ...urls, LINK_SECRETS: 'x'.repeat(32) });
  worker = await startTestWorker(server);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await Promise.all([mailbox.stop(), twilio.stop()]);
});
afterEach(() => server.setNow(null));

const guest = () => overHttp(server.url, { token: '' });
const use = (token: string, password = PASSWORD) => guest()('usePasswordLink', { token, password });
const request = (email: string) => guest()('requestPasswordLink', { email });
const signIn = (email: string, password: string) => guest()('createSession', { email, password });
const refusal = (slug: keyof typeof DRIVER_SLUGS) => {
  const { status, message } = DRIVER_SLUGS[slug];
  return { status, body: { success: false, error: slug, message } };
};
async function mailedToken(email: string): Promise<string> {
  await workDone(server);
  return LINK.exec(mailbox.sentTo(email).at(-1)?.text ?? '')?.[1] ?? 'no mail';
}
async function invite(driver: Pick<TestDriver, 'id' | 'email'>, hasPassword = false): Promise<string> {
  await sendPasswordLink(server, { ...driver, hasPassword }, 'email');
  return mailedToken(driver.email);
}

describe('an invitation', () => {
  test('is read without using it up, sets the password once, and signs the driver in', async () => {
    const driver = await createTestDriver(server.db, { firstName: 'Zoé' });
    const token = await invite(driver);
    expect(await guest()('readPasswordLink', { token })).toEqual({
      status: 200,
      body: { success: true, firstName: 'Zoé', purpose: 'invitation' },
    });
    const { status, body } = await use(token);
    expect([status, body.driver.id]).toEqual([201, driver.id]);
    expect((await overHttp(server.url, body)('listOffers')).status).toBe(200);
    expect((await overHttp(server.url, driver)('listOffers')).status).toBe(200); // the first session stays
    expect(await use(token)).toEqual(refusal('LINK_INVALID'));
    expect(await guest()('readPasswordLink', { token })).toEqual(refusal('LINK_INVALID'));
    expect(await signIn(driver.email, PASSWORD)).toMatchObject({ status: 201 });
  });

  test('used twenty times at once sets one password and opens one session', async () => {
    const driver = await createTestDriver(server.db);
    const token = await invite(driver);
    const second = await invite(driver); // both links are valid until one is used
    const answers = await crowd(10, Array.from({ length: 20 }), (_, i) =>
      use(i % 2 ? token : second, `${PASSWORD} ${i}`),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(19).fill(410)]);
    const winner = answers.findIndex(({ status }) => status === 201);
    expect(await signIn(driver.email, `${PASSWORD} ${winner}`)).toMatchObject({ status: 201 });
    const sessions = await server.db
      .selectFrom('driver_sessions')
      .select('id')
      .where('driver_id', '=', driver.id)
      .execute();
    expect(sessions).toHaveLength(3); // of `driver create`, of the link, of the sign-in
  });

  test('is valid for seven days, and not for a driver who was disabled or got a password otherwise', async () => {
    const [late, disabled, changed] = await Promise.all([1, 2, 3].map(() => createTestDriver(server.db)));
    const tokens = [];
    for (const driver of [late, disabled, changed]) tokens.push(await invite(driver as TestDriver));
    await disableDriver(server.db, disabled?.id ?? '');
    await setPassword(server.db, changed?.id ?? '', PASSWORD);
    for (const token of tokens.slice(1)) expect(await use(token)).toEqual(refusal('LINK_INVALID'));
    server.setNow(new Date(Date.now() + 7 * DAY + 1_000));
    expect(await use(tokens[0] ?? '')).toEqual(refusal('LINK_INVALID'));
    server.setNow(new Date(Date.now() + 7 * DAY - 60_000));
    expect(await use(tokens[0] ?? '')).toMatchObject({ status: 201 });
  });

  test('sent to a driver who was disabled meanwhile is not sent', async () => {
    const driver = await createTestDriver(server.db);
    await disableDriver(server.db, driver.id);
    expect(await invite(driver)).toBe('no mail');
  });

  test('refuses a guessable password and keeps the link', async () => {
    const driver = await createTestDriver(server.db, { firstName: 'Barthélemy' });
    const token = await invite(driver);
    for (const password of ['short', 'password1234', 'barthelemyleroy', driver.email, 'aaaaaaaaaaaa']) {
      expect(await use(token, password)).toEqual(refusal('WEAK_PASSWORD'));
    }
    expect(await use(token)).toMatchObject({ status: 201 });
  });
});

describe('navette driver invite', () => {
  const navette = (...args: string[]) => runNavette(['driver', 'invite', ...args, '--json'], server.environment);

  test('sends one SMS of one segment, and refuses a number that may get none', async () => {
    const driver = await createTestDriver(server.db);
    const before = twilio.messages.length;
    expect(JSON.parse((await navette(driver.email, '--by', 'sms')).stdout)).toEqual({
      ...{ id: driver.id, purpose: 'invitation', by: 'sms' },
    });
    await workDone(server);
    const [sms, ...more] = twilio.messages.slice(before);
    expect(more).toEqual([]);
    expect(sms?.to).toBe('+33611111111');
    expect(sms?.body.length).toBeLessThanOrEqual(160);
    expect(await use(LINK.exec(sms?.body ?? '')?.[1] ?? '')).toMatchObject({ status: 201 });

    for (const [number, reason] of [
      ['+447911123456', /not in SMS_COUNTRIES/],
      ['+33899123456', /premium/],
      ['unknown', /--by email/],
      ['02 345 67 89', /country code/],
    ] as const) {
      await server.db.updateTable('drivers').set({ phone_number: number }).where('id', '=', driver.id).execute();
      const stderr = expect.stringMatching(reason);
      expect(await navette(driver.id, '--by', 'sms')).toMatchObject({ code: 1, stdout: '', stderr });
      await sendPasswordLink(server, { id: driver.id, hasPassword: true }, 'sms'); // the worker checks as well
      await workDone(server);
    }
    expect(twilio.messages).toHaveLength(before + 1);
    expect(worker.logged()).toContain('COUNTRY_NOT_LISTED');
  });

  test('sends the SMS to a number in national form, also to one that was stored as typed', async () => {
    const driver = await createTestDriver(server.db, { phoneNumber: '06 12 34 56 78' });
    const row = server.db.selectFrom('drivers').select('phone_number').where('id', '=', driver.id);
    expect(await row.executeTakeFirst()).toEqual({ phone_number: '+33612345678' });
    const change = server.db.updateTable('drivers').set({ phone_number: '06.12.34.56.78' });
    await change.where('id', '=', driver.id).execute();
    const before = twilio.messages.length;
    expect(await navette(driver.email, '--by', 'sms')).toMatchObject({ code: 0 });
    await workDone(server);
    expect(twilio.messages.slice(before).map(({ to }) => to)).toEqual(['+33612345678']);
  });

  test('prints the link on request, and names a wrong channel or a disabled driver', async () => {
    const driver = await createTestDriver(server.db, { password: PASSWORD });
    const { purpose, link } = JSON.parse((await navette(driver.id, '--by', 'link')).stdout);
    expect(purpose).toBe('reset'); // the driver has a password
    expect(await use(LINK.exec(link)?.[1] ?? '')).toMatchObject({ status: 201 });
    await disableDriver(server.db, driver.id);
    expect(await navette(driver.id)).toMatchObject({ code: 1 });
    expect(await navette(driver.id, '--by', 'pigeon')).toMatchObject({ code: 2 });
  });
});

describe('a forgotten password', () => {
  test('is replaced by a mailed link within an hour, and every other session ends', async () => {
    const driver = await createTestDriver(server.db, { password: 'cheval correct agrafe' });
    for (let i = 0; i < 5; i++) await signIn(driver.email, 'wrong'); // locked
    expect(await request(driver.email.toUpperCase())).toEqual({ status: 200, body: { success: true } });
    const token = await mailedToken(driver.email);
    expect((await guest()('readPasswordLink', { token })).body.purpose).toBe('reset');
    server.setNow(new Date(Date.now() + 3_601_000));
    expect(await use(token)).toEqual(refusal('LINK_INVALID'));
    server.setNow(null);
    const { status, body } = await use(token);
    expect(status).toBe(201);
    expect((await overHttp(server.url, driver)('listOffers')).status).toBe(401);
    expect((await overHttp(server.url, body)('listOffers')).status).toBe(200);
    expect(await signIn(driver.email, 'cheval correct agrafe')).toEqual(refusal('WRONG_CREDENTIALS'));
    expect(await signIn(driver.email, PASSWORD)).toMatchObject({ status: 201 });
  });

  test('reveals nothing about addresses: same response, same writes, and no mail for unknown or disabled drivers', async () => {
    const [known, disabled] = [await createTestDriver(server.db), await createTestDriver(server.db)];
    await disableDriver(server.db, disabled.id);
    const before = mailbox.mails.length;
    const addresses = [known.email, disabled.email, 'nobody-at-all@example.org'];
    const jobsBefore = await linkJobs();
    for (const email of addresses) expect(await request(email)).toEqual({ status: 200, body: { success: true } });
    expect((await linkJobs()) - jobsBefore).toBe(3);
    await workDone(server);
    expect(mailbox.mails.slice(before).flatMap(({ envelope }) => envelope)).toEqual([known.email]);
  });

  test('is mailed a few times an hour at most, whatever is requested, with the same response', async () => {
    const driver = await createTestDriver(server.db);
    const before = mailbox.mails.length;
    for (let i = 0; i < 8; i++) expect(await request(driver.email)).toEqual({ status: 200, body: { success: true } });
    await workDone(server);
    expect(mailbox.mails.length - before).toBeLessThanOrEqual(4); // a minute may have passed in between
  });

  test('leaves no token in the database or the logs, and expired links are purged', async () => {
    const driver = await createTestDriver(server.db);
    const token = await invite(driver);
    expect(token.length).toBeGreaterThan(40);
    expect(`${await everyRow(server.db)}${server.logged()}${worker.logged()}`).not.toContain(token);
    await purgeDriverSessions(server.db, new Date(Date.now() + 8 * DAY));
    expect(await server.db.selectFrom('driver_password_links').selectAll().execute()).toEqual([]);
  });
});

async function linkJobs(): Promise<number> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from pgboss.job where name = 'send-driver-link'`.execute(server.db);
  return rows[0]?.jobs ?? 0;
}
