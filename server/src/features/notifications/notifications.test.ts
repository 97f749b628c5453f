import type { NotificationKind } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { closeSampleMonths } from '../../../test/invoicing.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { addCredit } from '../ledger/index.ts';
import { purgeMemberLeftovers } from '../members/purge-member-leftovers.handler.ts';
import { notify } from './notify.ts';
import { notifyMoney } from './notify-money.handler.ts';

const DAY = 86_400_000;
let mailbox: FakeMailbox;
let server: TestServer;
let worker: TestWorker;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url });
  worker = await startTestWorker(server);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await mailbox.stop();
});

const tell = (accountId: string, kind: NotificationKind, once: string) =>
  server.db
    .transaction()
    .execute((tx) =>
      notify(tx, server.jobs, accountId, { kind, once, title: 'T', target: null, about: once }, new Date()),
    );
const listed = async (member: TestMember) => {
  const { notifications, unread } = (await member.call('listNotifications')).body;
  return { unread, kinds: notifications.map(({ kind }: { kind: string }) => kind) };
};
const choose = (member: TestMember, kind: NotificationKind, app: boolean, mail: boolean) =>
  member.call('chooseNotification', { body: { kind, app, mail } });

describe('a notification', () => {
  test('reaches each member of its roles once, as they chose, however often it is caused', async () => {
    const { id } = await server.createAccount({ paymentMode: 'deferred' });
    await closeSampleMonths(server.db, id);
    const { number } = await server.db
      .selectFrom('invoices')
      .select('number')
      .where('account_id', '=', id)
      .where('kind', '=', 'credit_note')
      .executeTakeFirstOrThrow();
    const [owner, other, silent, mailed, developer] = await Promise.all([
      createTestMember(server, id, 'owner'),
      createTestMember(server, id, 'owner'),
      createTestMember(server, id, 'owner'),
      createTestMember(server, id, 'owner'),
      createTestMember(server, id, 'developer'),
    ]);
    await choose(other, 'invoice-issued', true, false);
    await choose(silent, 'invoice-issued', false, false);
    await choose(mailed, 'invoice-issued', false, true);
    await Promise.all(Array.from({ length: 5 }, () => tell(id, 'invoice-issued', number)));
    await workDone(server);
    const seen = await Promise.all([owner, other, silent, mailed, developer].map(listed));
    expect(seen.map(({ unread }) => unread)).toEqual([1, 1, 0, 0, 0]);
    const mails = [owner, other, silent, mailed, developer].map(({ email }) => mailbox.sentTo(email).length);
    expect(mails).toEqual([1, 0, 0, 1, 0]);
    expect(mailbox.sentTo(owner.email)[0]?.subject).toBe(`Votre avoir ${number} est disponible`);
  });

  test('is read up to the newest that was shown; choices are those of the member’s role', async () => {
    const { id } = await server.createAccount();
    const clerk = await createTestMember(server, id, 'operations');
    for (const once of ['a', 'b']) await tell(id, 'balance-empty', once);
    const { notifications } = (await clerk.call('listNotifications')).body;
    await tell(id, 'balance-empty', 'c');
    await clerk.call('markNotificationsRead', { body: { until: notifications[0].id } });
    expect((await listed(clerk)).unread).toBe(1);
    await clerk.call('markNotificationsRead', { body: { until: 'nothing' } });
    const { choices } = (await clerk.call('readNotificationChoices')).body;
    expect(choices).toEqual([
      { kind: 'incident', app: true, mail: true },
      { kind: 'recurring-refused', app: true, mail: true },
      { kind: 'import-finished', app: true, mail: false },
      { kind: 'balance-empty', app: true, mail: true },
    ]);
  });

  test('is deleted after 60 days, and with the member', async () => {
    const { id } = await server.createAccount();
    const owner = await createTestMember(server, id, 'owner');
    await tell(id, 'balance-low', 'x');
    const count = async () =>
      (await server.db.selectFrom('notifications').select('id').where('member_id', '=', owner.id).execute()).length;
    await purgeMemberLeftovers(server.db, new Date(Date.now() + 59 * DAY));
    expect(await count()).toBe(1);
    await purgeMemberLeftovers(server.db, new Date(Date.now() + 61 * DAY));
    expect(await count()).toBe(0);
    await tell(id, 'balance-low', 'y');
    expect(await count()).toBe(1);
    await server.db.deleteFrom('members').where('id', '=', owner.id).execute();
    expect(await count()).toBe(0);
  });
});

describe('the balance', () => {
  test('is announced once when it becomes low and once when it is used up, and again after it recovered', async () => {
    const { id } = await server.createAccount({ paymentMode: 'prepaid' });
    const owner = await createTestMember(server, id, 'owner');
    const kinds = async () => {
      await Promise.all([1, 2].map(() => notifyMoney(server.db, server.jobs, new Date())));
      return (await listed(owner)).kinds;
    };
    expect(await kinds()).toEqual([]); // a new account that never had one
    await addCredit(server.db, id, 10_000, 'Virement');
    expect(await kinds()).toEqual([]);
    await addCredit(server.db, id, -6_000, 'Correction');
    expect(await kinds()).toEqual(['balance-low']);
    await addCredit(server.db, id, -3_900, 'Correction');
    expect(await kinds()).toEqual(['balance-empty', 'balance-low']);
    await addCredit(server.db, id, 2_000, 'Virement');
    expect(await kinds()).toHaveLength(2); // from empty to low is good news
    await addCredit(server.db, id, 20_000, 'Virement');
    await kinds();
    await addCredit(server.db, id, -20_000, 'Correction');
    expect(await kinds()).toEqual(['balance-low', 'balance-empty', 'balance-low']);
  });
});

test('an owner is notified of each new invoice once', async () => {
  const { id } = await server.createAccount({ paymentMode: 'deferred' });
  const owner = await createTestMember(server, id, 'owner');
  await closeSampleMonths(server.db, id);
  const invoices = await server.db.selectFrom('invoices').select('number').where('account_id', '=', id).execute();
  for (let i = 0; i < 2; i++) await notifyMoney(server.db, server.jobs, new Date());
  const { notifications } = (await owner.call('listNotifications')).body;
  expect(notifications.map(({ title }: { title: string }) => title).toSorted()).toEqual(
    invoices.map(({ number }) => number).toSorted(),
  );
});
