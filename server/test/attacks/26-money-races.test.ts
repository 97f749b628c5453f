import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCredit } from '../../src/features/ledger/index.ts';
import { brokenInvariants } from '../broken-invariants.ts';
import { createTestMember } from '../dashboard.ts';
import { shipmentRequest } from '../shipment-request.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { startAttackedServer } from './tenant.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startAttackedServer();
});
afterAll(() => server.stop());

const balanceOf = async (account: TestAccount) =>
  (await server.call(account, 'GET', '/account')).body.account.balance as number;
const times = (count: number) => Array.from({ length: count });

test('a balance for two shipments buys two, with concurrent requests over every path', async () => {
  const account = await server.createAccount({ minimumPrice: 10 });
  await addCredit(server.db, account.id, 2_500, null);
  const owner = await createTestMember(server, account.id);
  const body = shipmentRequest();
  await Promise.all([
    ...times(15).map(() => server.call(account, 'POST', '/shipping', { body })),
    ...times(5).map(() => server.call(account, 'POST', '/shipping/batch', { body: { shippings: [body, body, body] } })),
    ...times(15).map(() => owner.call('createShipment', { body })),
  ]);
  const { body: listed } = await server.call(account, 'GET', '/shipping');
  expect(listed.pagination.total).toBe(2);
  expect(await balanceOf(account)).toBe(5);
});

test('thirty concurrent cancellations refund once', async () => {
  const account = await server.createAccount({ minimumPrice: 10 });
  await addCredit(server.db, account.id, 1_000, null);
  const owner = await createTestMember(server, account.id);
  const { body } = await server.call(account, 'POST', '/shipping', { body: shipmentRequest() });
  const id: string = body.shipping._id;
  await Promise.all([
    ...times(15).map(() => server.call(account, 'PUT', `/shipping/${id}/cancel`)),
    ...times(15).map(() => owner.call('cancelShipment', { params: { id } })),
  ]);
  expect(await balanceOf(account)).toBe(10);
});

test('twenty-five calls with one idempotency key are charged once', async () => {
  const account = await server.createAccount({ minimumPrice: 10 });
  await addCredit(server.db, account.id, 10_000, null);
  const headers = { 'x-idempotency-key': 'money-race-1' };
  const answers = await Promise.all(
    times(25).map(() => server.call(account, 'POST', '/shipping', { body: shipmentRequest(), headers })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await balanceOf(account)).toBe(90);
});

test.each([-1, 0, -0, 1e-320, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '1', null, [1]])(
  'a weight of %s earns no money',
  async (weight) => {
    const account = await server.createAccount({ pricePerKg: 9 });
    await addCredit(server.db, account.id, 1_000, null);
    const body = shipmentRequest({ parcelDetails: { weight: weight as number, nature: 'x' } });
    await server.call(account, 'POST', '/shipping', { body });
    expect(await balanceOf(account)).toBeLessThanOrEqual(10);
  },
);

test('afterwards every invariant holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
