import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeTwilio, startFakeTwilio } from '../fake-twilio.ts';
import { shipmentRequest } from '../shipment-request.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { workDone } from '../test-worker.ts';
import { withWorker } from '../with-worker.ts';
import { startAttackedServer } from './tenant.ts';

const DAILY_BUDGET = 40;

let carrier: FakeTwilio;
let server: TestServer;
beforeAll(async () => {
  carrier = await startFakeTwilio();
  server = await startAttackedServer({ SMS_URL: carrier.url, SMS_PER_ACCOUNT_PER_DAY: String(DAILY_BUDGET) });
});
afterAll(async () => {
  await server.stop();
  await carrier.stop();
});

/** One call that ships to each of these numbers, all cancelled afterwards, so that the tenant pays nothing. */
async function shipAndCancel(account: TestAccount, numbers: string[]): Promise<void> {
  const shippings = numbers.map((phoneNumber) =>
    shipmentRequest({ deliveryAddress: { ...shipmentRequest().deliveryAddress, phoneNumber } }),
  );
  const { status, body } = await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
  expect(status).toBe(200);
  await withWorker(server, () => workDone(server));
  for (const { shipping } of body.shippings) await server.call(account, 'PUT', `/shipping/${shipping._id}/cancel`);
}

const attackers = () => server.createAccount({ paymentMode: 'deferred' });

test('premium, satellite and distant numbers get no SMS, in any notation', async () => {
  const codes = ['+979', '+882', '+883', '+881', '+232', '+53', '+371', '+1900', '00979', '+ 3 7 1', '+33899'];
  const numbers = codes.flatMap((code) => Array.from({ length: 5 }, (_, i) => `${code}${String(20_000_000 + i)}`));
  await shipAndCancel(await attackers(), numbers);
  expect(carrier.messages.map(({ to }) => to)).toEqual([]);
});

test('an account sends its daily budget of SMS and no more, and other accounts keep theirs', async () => {
  const account = await attackers();
  const before = carrier.messages.length;
  for (let batch = 0; batch < 3; batch++) {
    const numbers = Array.from({ length: 30 }, (_, i) => `+336${String(10_000_000 + batch * 100 + i)}`);
    await shipAndCancel(account, numbers);
  }
  expect(carrier.messages.length - before).toBe(DAILY_BUDGET);
  await shipAndCancel(await attackers(), ['+33698765432']);
  expect(carrier.sentTo('+33698765432')).toHaveLength(1);
});

test('the operator sees unsent messages with the reason', async () => {
  const refused = await server.db
    .selectFrom('messages')
    .select(['status', 'failure'])
    .where('channel', '=', 'sms')
    .where('status', '=', 'failed')
    .execute();
  expect(refused.length).toBeGreaterThan(50);
  expect(refused.filter(({ failure }) => !failure)).toEqual([]);
});
