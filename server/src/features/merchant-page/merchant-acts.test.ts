import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { createTestMember } from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { auditOperatorActs } from '../staff/index.ts';

let server: TestServer;
let mailbox: FakeMailbox;
let shop: TestAccount;
let admin: TestStaff;
let support: TestStaff;
let accountant: TestStaff;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url });
  shop = await server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
  admin = await createTestStaff(server, 'admin', { name: 'Zoé Martin' });
  support = await createTestStaff(server, 'support', { name: 'Aïcha Diallo' });
  accountant = await createTestStaff(server, 'accountant', { name: 'Yanis Cohen' });
});
afterAll(async () => {
  await server.stop();
  await mailbox.stop();
});

const REASON = 'Avenant du 3 mai';
const read = async (id = shop.id) => (await admin.call('readMerchantPage', { params: { id } })).body.page;
const actsOn = async (subjectId: string) => {
  const { body } = await admin.call('listOperatorActs', { query: { subjectId } });
  return body.acts as { act: string; reason: string | null; actor: { name: string }; details: object }[];
};
const NEW = {
  name: 'Chez Paul',
  email: 'paul@example.org',
  clientType: 'shop',
  contractSigned: true,
  minimumPrice: 8.5,
  paymentMode: 'prepaid',
  pickupAddress: { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001' },
  timeSlots: ['Matin (9h-12h)'],
};

test('a merchant is created with the invitation of its first owner, once however often the form is sent', async () => {
  const body = { ...NEW, owner: { email: 'owner@chez-paul.example', language: 'fr' }, requestId: randomUUID() };
  const answers = await Promise.all([1, 2, 3].map(() => admin.call('createMerchant', { body })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
  const { id } = answers[0]?.body ?? {};
  const { merchant } = await read(id);
  expect(merchant).toMatchObject({ name: 'Chez Paul', minimumPrice: 8.5, timeSlots: ['Matin (9h-12h)'] });
  expect((await actsOn(id)).map(({ act }) => act)).toEqual(['account.created']);
  await withWorker(server, () => eventually(() => expect(mailbox.sentTo('owner@chez-paul.example')).toHaveLength(1)));
  expect((await admin.call('listMerchants')).body.merchants[0]).toMatchObject({ id, name: 'Chez Paul', balance: 0 });
});

test('settings and terms are changed by their roles, with the reason in the log', async () => {
  const { version } = (await read()).merchant;
  const settings = { timeSlots: ['14h-16h'], smsPerDay: 40, pickupAddress: { ...NEW.pickupAddress } };
  const params = { id: shop.id };
  expect(
    await support.call('updateMerchantSettings', { params, body: { version, reason: REASON, settings } }),
  ).toMatchObject({ status: 200 });
  const after = (await read()).merchant;
  expect(after).toMatchObject({ timeSlots: ['14h-16h'], smsPerDay: 40, pickup: { city: 'Paris' } });
  const terms = { minimumPrice: 12.5, paymentStatus: 'suspended' };
  const change = { params, body: { version: after.version, reason: REASON, terms } };
  expect(await accountant.call('updateMerchantTerms', change)).toMatchObject({ status: 200 });
  expect((await read()).merchant).toMatchObject({ minimumPrice: 12.5, paymentStatus: 'suspended', smsPerDay: 40 });
  expect((await actsOn(shop.id)).slice(0, 2)).toMatchObject([
    { act: 'account.updated', reason: REASON, actor: { name: 'Yanis Cohen' } },
    { act: 'account.updated', reason: REASON, details: { settings: 'smsPerDay, pickupAddress, timeSlots' } },
  ]);
});

test('of two people who change the same version, one wins and the other learns who was first', async () => {
  const { version } = (await read()).merchant;
  const change = (minimumPrice: number) =>
    accountant.call('updateMerchantTerms', {
      params: { id: shop.id },
      body: { version, reason: REASON, terms: { minimumPrice } },
    });
  const answers = await Promise.all([change(20), change(21)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: 'CHANGED_MEANWHILE',
    by: 'Yanis Cohen',
  });
});

test.each([
  ['timeSlots', { timeSlots: ['quand vous voulez'] }],
  ['isSpecialRequest', { isSpecialRequest: true, agreedPickupTime: null }],
  ['retentionDays', { retentionDays: 30_000 }],
])('a wrong setting is refused by name: %s', async (setting, settings) => {
  const { version } = (await read()).merchant;
  const body = { version, reason: REASON, settings };
  expect(await support.call('updateMerchantSettings', { params: { id: shop.id }, body })).toMatchObject({
    status: 400,
    body: { error: 'SETTING_REFUSED', setting },
  });
  expect((await read()).merchant.version).toBe(version);
});

test('members are invited, lose their second factor, and are removed; the last owner stays', async () => {
  const owner = await createTestMember(server, shop.id, 'owner');
  const developer = await createTestMember(server, shop.id, 'developer');
  const params = { id: shop.id };
  const invitation = { email: 'new@example.org', role: 'developer', language: 'en' };
  expect(await support.call('inviteMerchantMember', { params, body: invitation })).toMatchObject({ status: 201 });
  const body = { reason: REASON };
  const of = (memberId: string) => ({ params: { ...params, memberId }, body });
  expect(await admin.call('resetMemberSecondFactor', of(developer.id))).toMatchObject({ status: 200 });
  expect(await developer.call('readAccount')).toMatchObject({ status: 401 });
  expect(await support.call('removeMerchantMember', of(developer.id))).toMatchObject({ status: 200 });
  expect(await support.call('removeMerchantMember', of(owner.id))).toMatchObject({
    status: 409,
    body: { error: 'NOT_POSSIBLE_NOW', why: 'last_owner' },
  });
  const other = await server.createAccount();
  const foreign = { params: { id: other.id, memberId: owner.id }, body };
  expect(await support.call('removeMerchantMember', foreign)).toMatchObject({ status: 404 });
  expect((await actsOn(shop.id)).slice(0, 3).map(({ act }) => act)).toEqual([
    'member.removed',
    'member.second_factor_removed',
    'member.invited',
  ]);
});

test('a leaked key is revoked at once', async () => {
  const { keys } = await read();
  const [key] = keys;
  expect(await support.call('revokeMerchantKey', { params: { id: key.id }, body: { reason: REASON } })).toMatchObject({
    status: 200,
  });
  await eventually(async () => expect(await server.call(shop, 'GET', '/account')).toMatchObject({ status: 401 }));
  expect((await actsOn(shop.id))[0]).toMatchObject({ act: 'key.revoked', details: { key: key.id }, reason: REASON });
  expect(await support.call('revokeMerchantKey', { params: { id: key.id }, body: { reason: REASON } })).toMatchObject({
    status: 404,
  });
});

test('an account is closed once, and every act is part of the chain', async () => {
  const closing = await server.createAccount();
  const { version } = (await read(closing.id)).merchant;
  const body = { version, reason: REASON };
  expect(await admin.call('closeMerchant', { params: { id: closing.id }, body })).toMatchObject({ status: 200 });
  const { merchant } = await read(closing.id);
  expect(merchant.closedAt).not.toBeNull();
  const again = { params: { id: closing.id }, body: { version: merchant.version, reason: REASON } };
  expect(await admin.call('closeMerchant', again)).toMatchObject({ status: 409, body: { why: 'account_closed' } });
  expect(await auditOperatorActs(server.db)).toMatchObject([{ broken: 0 }]);
});
