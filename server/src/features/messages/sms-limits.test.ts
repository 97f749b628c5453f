import type { ShipmentRequest } from '@navette/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../../test/fake-twilio.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';

const WORKERS = 4;
const DAY_MS = 26 * 3_600_000; // longer than any local day

let twilio: FakeTwilio;
let mailbox: FakeMailbox;
let server: TestServer;
let workers: TestWorker[];
let daysAhead = 0;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  mailbox = await startFakeMailbox();
  server = await startTestServer({ SMS_URL: twilio.url, MAIL_URL: mailbox.url });
  const now = () => new Date(Date.now() + daysAhead * DAY_MS);
  workers = await Promise.all(Array.from({ length: WORKERS }, () => startTestWorker(server, now)));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await server.stop();
  await Promise.all([twilio.stop(), mailbox.stop()]);
});
beforeEach(() => {
  twilio.messages.length = 0;
  mailbox.mails.length = 0;
});

const openShop = (settings = {}) => server.createAccount({ paymentMode: 'deferred', ...settings });
const to = (phoneNumber: string): ShipmentRequest =>
  shipmentRequest({ deliveryAddress: { ...shipmentRequest().deliveryAddress, phoneNumber } });

async function shipBatch(shop: TestAccount, shippings: ShipmentRequest[]): Promise<string[]> {
  const { status, body } = await server.call(shop, 'POST', '/shipping/batch', { body: { shippings } });
  expect(status).toBe(200);
  await workDone(server);
  return body.shippings.map(({ shipping }: { shipping: { _id: string } }) => shipping._id);
}

/** The number of the account's SMS by status. */
async function smsOf({ id }: TestAccount): Promise<Record<string, number>> {
  const rows = await server.db
    .selectFrom('messages')
    .select(['status', 'failure', (count) => count.fn.countAll<number>().as('messages')])
    .where('account_id', '=', id)
    .where('channel', '=', 'sms')
    .groupBy(['status', 'failure'])
    .execute();
  return Object.fromEntries(rows.map(({ status, failure, messages }) => [failure ?? status, messages]));
}

describe('a country that the operator does not list', () => {
  test('gets no SMS from a batch; every e-mail is still sent', async () => {
    const shop = await openShop();
    const numbers = ['+979123456789', '+88213300655', '+23276123456', '+5351234567', '+37129123456'];
    await shipBatch(
      shop,
      Array.from({ length: 200 }, (_, i) => to(numbers[i % numbers.length] as string)),
    );
    expect(twilio.attempts).toBe(0);
    expect(mailbox.mails).toHaveLength(200);
    const { COUNTRY_NOT_LISTED = 0, NUMBER_TYPE_REFUSED = 0, NUMBER_NOT_UNDERSTOOD = 0, ...rest } = await smsOf(shop);
    expect(COUNTRY_NOT_LISTED + NUMBER_TYPE_REFUSED + NUMBER_NOT_UNDERSTOOD).toBe(200);
    expect(COUNTRY_NOT_LISTED).toBeGreaterThanOrEqual(120);
    expect(rest).toEqual({});
  });
});

describe('an account’s budget of SMS for a day', () => {
  const batch = (length: number) => Array.from({ length }, () => to('+33612345678'));

  test('is not exceeded by concurrent workers, and e-mails are still sent', async () => {
    const [shop, other] = [await openShop({ smsPerDay: 50 }), await openShop()];
    await Promise.all([shipBatch(shop, batch(200)), shipBatch(other, batch(10))]);
    expect(await smsOf(shop)).toEqual({ sent: 50, DAILY_BUDGET_SPENT: 150 });
    expect(await smsOf(other)).toEqual({ sent: 10 });
    expect(twilio.messages).toHaveLength(60);
    expect(mailbox.mails).toHaveLength(210);
  });

  test('limits repeated creation and cancellation, and starts again with the next local day', async () => {
    const shop = await openShop({ smsPerDay: 5 });
    for (let i = 0; i < 3; i++) {
      for (const id of await shipBatch(shop, batch(3))) await server.call(shop, 'PUT', `/shipping/${id}/cancel`);
    }
    expect(twilio.messages).toHaveLength(5);
    daysAhead = 1;
    await shipBatch(shop, batch(6));
    daysAhead = 0;
    expect(twilio.messages).toHaveLength(10);
    expect(await smsOf(shop)).toEqual({ sent: 10, DAILY_BUDGET_SPENT: 5 });
  });

  test('counts an SMS once, however many attempts it takes', async () => {
    const shop = await openShop({ smsPerDay: 2 });
    twilio.answerWith({ status: 503 }, { status: 503 });
    await shipBatch(shop, batch(2));
    expect(await smsOf(shop)).toEqual({ sent: 2 });
  });

  test('of zero sends none', async () => {
    const shop = await openShop({ smsPerDay: 0 });
    await shipBatch(shop, batch(2));
    expect(await smsOf(shop)).toEqual({ DAILY_BUDGET_SPENT: 2 });
  });
});

describe('the operator', () => {
  const navette = async (args: string[], input?: object) => {
    const { code, stdout } = await runNavette(args, server.environment, input && JSON.stringify(input));
    expect(code).toBe(0);
    return stdout;
  };

  test('sets an account’s budget, and sees its use and its refusals', async () => {
    const shop = await openShop();
    const show = async () => JSON.parse(await navette(['account', 'show', shop.id, '--json'])).sms;
    expect(await show()).toEqual({ today: 0, perDay: 1_000 });
    await navette(['account', 'update', shop.id, '--input', '-'], { smsPerDay: 1 });
    await shipBatch(shop, [to('+33612345678'), to('+33612345678'), to('+5351234567')]);
    expect(await show()).toEqual({ today: 1, perDay: 1 });

    const failed = await navette(['messages', '--failed']);
    expect(failed).toMatch(/recipient-sms\s+failed .* DAILY_BUDGET_SPENT/);
    expect(failed).toMatch(/recipient-sms\s+failed .* COUNTRY_NOT_LISTED/);
    const metrics = (await Promise.all(workers.map((worker) => worker.metrics()))).join('');
    expect(metrics).toMatch(/navette_sms_refused_total\{reason="DAILY_BUDGET_SPENT"\} [1-9]/);
    expect(metrics).toMatch(/navette_sms_refused_total\{reason="COUNTRY_NOT_LISTED"\} [1-9]/);
    await navette(['account', 'update', shop.id, '--input', '-'], { smsPerDay: null });
    expect(await show()).toEqual({ today: 1, perDay: 1_000 });
  });
});
