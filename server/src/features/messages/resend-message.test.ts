import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff } from '../../../test/console.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../../test/fake-twilio.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';

const HOUR = 3_600_000;
let twilio: FakeTwilio;
let mailbox: FakeMailbox;
let server: TestServer;
let worker: TestWorker;
let shop: TestAccount;
let member: TestMember;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  mailbox = await startFakeMailbox();
  server = await startTestServer({ SMS_URL: twilio.url, MAIL_URL: mailbox.url });
  worker = await startTestWorker(server);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  member = await createTestMember(server, shop.id, 'operations');
});
afterEach(() => server.setNow(null));
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await Promise.all([twilio.stop(), mailbox.stop()]);
});

let people = 0;
async function ship(): Promise<{ id: string; email: string; phoneNumber: string }> {
  const number = String(++people).padStart(4, '0');
  const person = { email: `resent${number}@example.org`, phoneNumber: `+3361299${number}` };
  const body = shipmentRequest({ deliveryAddress: { ...shipmentRequest().deliveryAddress, ...person } });
  const created = await server.call(shop, 'POST', '/shipping', { body });
  await workDone(server);
  return { id: created.body.shipping._id, ...person };
}
type Kind = 'recipient-email' | 'recipient-sms' | 'booked-email';
const resend = async (id: string, kind: Kind = 'recipient-email', by = member) => {
  const { status, body } = await by.call('resendMessage', { params: { id }, body: { kind } });
  return body.error ?? status;
};
const messagesOf = async (id: string) =>
  (await member.call('readShipment', { params: { id } })).body.messages as {
    kind: string;
    mayResend: boolean;
    resends: number;
  }[];
const later = (hours: number) => server.setNow(new Date(Date.now() + hours * HOUR + 60_000));

describe('a message sent again', () => {
  test('arrives as a new e-mail, once an hour and three times, and the log names the member', async () => {
    const { id, email } = await ship();
    expect(await resend(id)).toBe(202);
    expect(['MESSAGE_NOT_SENDABLE', 'MESSAGE_SENT_RECENTLY']).toContain(await resend(id)); // before or after it left
    await workDone(server);
    expect(await resend(id)).toBe('MESSAGE_SENT_RECENTLY');
    expect((await messagesOf(id)).map(({ mayResend }) => mayResend)).toEqual([false, false]);
    for (const hours of [1, 2]) {
      later(hours);
      expect(await resend(id)).toBe(202);
      await workDone(server);
    }
    later(4);
    expect(await resend(id)).toBe('MESSAGE_SENT_TOO_OFTEN');
    expect((await messagesOf(id)).find(({ kind }) => kind === 'recipient-email')).toMatchObject({
      resends: 3,
      mayResend: false,
    });
    const mails = mailbox.sentTo(email);
    expect(mails).toHaveLength(4);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(4); // else mailboxes would hide three of them
    const owner = await createTestMember(server, shop.id, 'owner');
    const { acts } = (await owner.call('listActs')).body;
    expect(acts.filter(({ act }: { act: string }) => act === 'message-resent')).toHaveLength(3);
  });

  test('by SMS counts in the budget of the day, and the limits hold for all kinds together', async () => {
    const { id, phoneNumber } = await ship();
    const reserved = async () =>
      (await server.db.selectFrom('sms_days').select('reserved').where('account_id', '=', shop.id).executeTakeFirst())
        ?.reserved ?? 0;
    const before = await reserved();
    expect(await resend(id, 'recipient-sms')).toBe(202);
    await workDone(server);
    expect(await reserved()).toBe(before + 1);
    expect(twilio.sentTo(phoneNumber)).toHaveLength(2);
    expect(await resend(id)).toBe('MESSAGE_SENT_RECENTLY');
  });

  test('is sent once however many members ask at the same moment', async () => {
    const { id, email } = await ship();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => resend(id)));
    expect(outcomes.filter((outcome) => outcome === 202)).toHaveLength(1);
    await workDone(server);
    expect(mailbox.sentTo(email)).toHaveLength(2);
  });

  test('must have been sent, concern a parcel under way, and belong to the account; and not every role may', async () => {
    const { id } = await ship();
    const stranger = await createTestMember(server, (await server.createAccount()).id, 'owner');
    const reader = await createTestMember(server, shop.id, 'read-only');
    const notFound = await stranger.call('resendMessage', { params: { id }, body: { kind: 'recipient-email' } });
    expect(notFound.status).toBe(404);
    expect(await resend(id, 'recipient-email', reader)).toBe('ROLE_NOT_ALLOWED');
    const absent = await member.call('resendMessage', { params: { id }, body: { kind: 'booked-email' } });
    expect(absent.status).toBe(404);
    await server.call(shop, 'PUT', `/shipping/${id}/cancel`);
    await workDone(server);
    expect(await resend(id)).toBe('MESSAGE_NOT_SENDABLE');
  });

  test('by the support desk is within the same limits, and in the log of acts', async () => {
    const { id, email } = await ship();
    const support = await createTestStaff(server, 'support');
    const send = () => support.call('resendConsoleMessage', { params: { id }, body: { kind: 'recipient-email' } });
    expect((await send()).status).toBe(202);
    await workDone(server);
    expect((await send()).body).toMatchObject({ error: 'NOT_POSSIBLE_NOW', why: 'message_sent_recently' });
    expect(await resend(id)).toBe('MESSAGE_SENT_RECENTLY');
    expect(mailbox.sentTo(email)).toHaveLength(2);
    const acts = await server.db.selectFrom('operator_acts').select('act').where('subject_id', '=', id).execute();
    expect(acts).toEqual([{ act: 'message.resent' }]);
  });
});
