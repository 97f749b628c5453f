import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { createTestDriver, overHttp } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { withWorker } from '../../../test/with-worker.ts';

let server: TestServer;
let mailbox: FakeMailbox;
let admin: TestStaff;
let dispatcher: TestStaff;
let accountant: TestStaff;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url });
  admin = await createTestStaff(server, 'admin');
  dispatcher = await createTestStaff(server, 'dispatcher');
  accountant = await createTestStaff(server, 'accountant');
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});

const actsOn = async (subjectId: string) => {
  const { body } = await admin.call('listOperatorActs', { query: { subjectId } });
  return body.acts as { act: string; subject: { title: string } }[];
};
const NEW = {
  firstName: 'Ana',
  lastName: 'Leroy',
  email: 'ana@example.org',
  phoneNumber: '06 12 34 56 78',
  autoAccept: false,
  inviteBy: 'email',
};

test('a driver is created with a link to set the password, without a session, and once', async () => {
  const created = await dispatcher.call('createDriver', { body: NEW });
  expect(created.status).toBe(201);
  const { id } = created.body;
  await withWorker(server, () => eventually(() => expect(mailbox.sentTo('ana@example.org')).toHaveLength(1)));
  const { page } = (await dispatcher.call('readDriverPage', { params: { id } })).body;
  expect(page).toMatchObject({ driver: { name: 'Ana Leroy', phone: '+33612345678' }, sessions: [] });
  expect(await dispatcher.call('createDriver', { body: NEW })).toMatchObject({
    status: 409,
    body: { why: 'email_taken' },
  });
  const wrong = { ...NEW, email: 'b@example.org', phoneNumber: '12' };
  expect(await dispatcher.call('createDriver', { body: { ...wrong, inviteBy: null } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'phoneNumber' }] },
  });
  expect(await actsOn(id)).toMatchObject([{ act: 'driver.created', subject: { title: id } }]);
  expect((await dispatcher.call('listDrivers')).body.drivers[0]).toMatchObject({ id, name: 'Ana Leroy' });
});

test('a driver gets a new link, loses one session, and is disabled', async () => {
  const driver = await createTestDriver(server.db);
  const params = { id: driver.id };
  expect(await dispatcher.call('inviteDriver', { params, body: { by: 'email' } })).toMatchObject({ status: 200 });
  const { sessions } = (await dispatcher.call('readDriverPage', { params })).body.page;
  const session = { params: { id: driver.id, sessionId: sessions[0].id } };
  expect(await dispatcher.call('endDriverSession', session)).toMatchObject({ status: 200 });
  expect(await dispatcher.call('endDriverSession', session)).toMatchObject({ status: 404 });
  await eventually(async () => expect(await overHttp(server.url, driver)('listOffers')).toMatchObject({ status: 401 }));
  const body = { reason: 'Fin de contrat' };
  expect(await admin.call('disableDriver', { params, body })).toMatchObject({ status: 200 });
  expect(await admin.call('disableDriver', { params, body })).toMatchObject({
    status: 409,
    body: { why: 'driver_disabled' },
  });
  expect(await dispatcher.call('inviteDriver', { params, body: { by: 'sms' } })).toMatchObject({ status: 409 });
  expect((await actsOn(driver.id)).map(({ act }) => act)).toEqual([
    'driver.disabled',
    'driver.signed_out',
    'driver.invited',
  ]);
});

test('a correction of the pay that is sent twice, or after another one, is applied once', async () => {
  const driver = await createTestDriver(server.db);
  const correct = (lastEntry: number) =>
    accountant.call('correctDriverPay', {
      params: { id: driver.id },
      body: { amount: -4.5, reason: 'Acompte rendu', lastEntry },
    });
  const answers = await Promise.all([correct(0), correct(0), correct(0)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  const { pay } = (await accountant.call('readDriverPage', { params: { id: driver.id } })).body.page;
  expect(pay).toMatchObject({ balance: -4.5, lastEntry: 1 });
  expect(await correct(1)).toMatchObject({ status: 200 });
});

test('papers of a driver are entered and replaced by one person at a time, and their end enters the inbox', async () => {
  const driver = await createTestDriver(server.db);
  const params = { id: driver.id, kind: 'vehicle_insurance' } as const;
  const set = (expiresOn: string | null, version: number) =>
    dispatcher.call('setDriverDocument', { params, body: { number: 'AX 12', expiresOn, version } });
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const answers = await Promise.all([set(day(10), 0), set(day(11), 0)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await set('2030-02-31', 1)).toMatchObject({ status: 400, body: { errors: [{ path: 'expiresOn' }] } });

  const listed = async () => {
    const { body } = await dispatcher.call('listInbox', { query: { kind: 'document_expiring' } });
    return (body.entries as { subject: { id: string } }[]).filter(({ subject: { id } }) => id === driver.id);
  };
  expect(await listed()).toMatchObject([{ facts: { document: 'vehicle_insurance', more: 0 } }]);
  expect(await set(day(400), 1)).toMatchObject({ status: 200 });
  expect(await listed()).toEqual([]);
  const { documents } = (await dispatcher.call('readDriverPage', { params })).body.page;
  expect(documents).toMatchObject([{ kind: 'vehicle_insurance', number: 'AX 12', expiresOn: day(400), version: 2 }]);

  const remove = (version: number) => dispatcher.call('removeDriverDocument', { params, body: { version } });
  expect(await remove(1)).toMatchObject({ status: 409, body: { error: 'CHANGED_MEANWHILE', by: dispatcher.name } });
  expect(await remove(2)).toMatchObject({ status: 200 });
  expect((await actsOn(driver.id)).map(({ act }) => act)).toEqual([
    'driver.document_removed',
    'driver.document_set',
    'driver.document_set',
  ]);
});
