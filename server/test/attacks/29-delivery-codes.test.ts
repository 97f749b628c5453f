import { afterAll, beforeAll, expect, test } from 'vitest';
import { assignAnyShipment } from '../../src/features/dispatch/index.ts';
import { crowd } from '../crowd.ts';
import { factsOf, ship } from '../dispatched.ts';
import { connectApp, createTestDriver, overHttp, type TestDriver } from '../driver-app.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { startAttackedServer } from './tenant.ts';

let server: TestServer;
let account: TestAccount;
let driver: TestDriver;
beforeAll(async () => {
  server = await startAttackedServer();
  account = await server.createAccount({ paymentMode: 'deferred' });
  driver = await createTestDriver(server.db);
});
afterAll(() => server.stop());

async function pickedUp(): Promise<{ id: string; code: string }> {
  const { _id: id, referenceNumber } = await ship(server, account);
  await assignAnyShipment({ ...server, now: new Date() }, referenceNumber, driver.id);
  await overHttp(server.url, driver)('pickUp', { id });
  return { id, code: (await factsOf(server, id)).code };
}
const wrongOf = (code: string, i: number) => String((Number(code) + i) % 1_000_000).padStart(6, '0');

test('of a hundred concurrent guesses over both channels five are compared, and the right code is then refused', async () => {
  const { id, code } = await pickedUp();
  const app = await connectApp(server.url, driver);
  const http = overHttp(server.url, driver);
  const guesses = Array.from({ length: 100 }, (_, i) => wrongOf(code, i + 1));
  const answers = await crowd(25, guesses, (deliveryCode, i) =>
    (i % 2 ? http : app.send)('deliver', { id, deliveryCode }),
  );
  app.close();
  expect(answers.filter(({ body }) => body.error === 'WRONG_DELIVERY_CODE').length).toBeLessThanOrEqual(4);
  expect(await http('deliver', { id, deliveryCode: code })).toMatchObject({
    status: 403,
    body: { error: 'DELIVERY_CODE_LOCKED' },
  });
  expect(await factsOf(server, id)).toMatchObject({ status: 'picked_up', wrongCodes: 5 });
});

test('a delivery confirmed many times at once happens once', async () => {
  const { id, code } = await pickedUp();
  const answers = await crowd(10, Array.from({ length: 20 }), () =>
    overHttp(server.url, driver)('deliver', { id, deliveryCode: code }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const { history, events } = await factsOf(server, id);
  expect(history.filter((status) => status === 'delivered')).toHaveLength(1);
  expect(events.filter((event) => event === 'shipping.delivered')).toHaveLength(1);
});

test('another driver’s guess is a 404 and does not count as an attempt', async () => {
  const { id, code } = await pickedUp();
  const other = await createTestDriver(server.db);
  expect((await overHttp(server.url, other)('deliver', { id, deliveryCode: code })).status).toBe(404);
  expect(await factsOf(server, id)).toMatchObject({ status: 'picked_up', wrongCodes: 0 });
});

test('the code is in no response of the merchant’s and driver’s APIs', async () => {
  const { id, code } = await pickedUp();
  const answers = [
    await server.call(account, 'GET', `/shipping/${id}`),
    await server.call(account, 'GET', '/shipping'),
    await server.call(account, 'GET', '/shipping/labels'),
    await overHttp(server.url, driver)('readShipment', { id }),
    await overHttp(server.url, driver)('listShipments'),
  ];
  for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(`"${code}"`);
});
