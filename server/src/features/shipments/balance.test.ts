import { BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { type Answer, callApi } from '../../../test/call-api.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { addCredit } from '../ledger/index.ts';

const PRICE = 8.5;
const MESSAGE = expect.any(String);

let server: TestServer;
let processes: NavetteProcess[];
beforeAll(async () => {
  server = await startTestServer();
  processes = await Promise.all([1, 2].map(() => startNavette(['api'], server.environment)));
});
afterAll(async () => {
  await Promise.all(processes.map((child) => child.stop()));
  await server.stop();
});

async function prepaidWith(euros: number): Promise<TestAccount> {
  const account = await server.createAccount({ minimumPrice: PRICE });
  await addCredit(server.db, account.id, Math.round(euros * 100), null);
  return account;
}

/** Simultaneous calls, alternately to both processes. */
const together = (times: number, account: TestAccount, path: string, body: unknown): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: times }, (_, i) =>
      callApi(`${processes[i % 2]?.url}${BASE_PATH}${path}`, account, 'POST', { body }),
    ),
  );

const ledgerOf = (account: TestAccount) =>
  server.db
    .selectFrom('ledger_entries')
    .select(['entry', 'kind', 'amount_cents', 'balance_after_cents'])
    .where('account_id', '=', account.id)
    .orderBy('entry')
    .execute();

async function expectLedger(account: TestAccount, { charges, lowest }: { charges: number; lowest: number }) {
  const ledger = await ledgerOf(account);
  expect(ledger.filter(({ kind }) => kind === 'charge')).toHaveLength(charges);
  expect(Math.min(...ledger.map((entry) => entry.balance_after_cents))).toBe(Math.round(lowest * 100));
  expect(ledger.map(({ entry }) => entry)).toEqual(ledger.map((_, i) => i + 1));
  const { stats } = (await server.call(account, 'GET', '/shipping/stats')).body;
  expect(stats.total).toBe(charges);
}

describe('POST /shipping when funds run out', () => {
  test('funds for 37 shipments and 200 simultaneous calls: 37 are created, the others cannot be paid for', async () => {
    const account = await prepaidWith(37 * PRICE + 3);
    const answers = await together(200, account, '/shipping', shipmentRequest());
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(37);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) {
      expect(status).toBe(403);
      expect(body).toStrictEqual({
        success: false,
        error: 'INSUFFICIENT_BALANCE',
        message: MESSAGE,
        currentBalance: 3,
        requiredAmount: PRICE,
      });
    }
    await expectLedger(account, { charges: 37, lowest: 3 });
  });

  test('a credit limit for 41 shipments and 200 simultaneous calls: 41 are created, the others get a message', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred', creditLimit: 41 * PRICE + 8 });
    const answers = await together(200, account, '/shipping', shipmentRequest());
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(41);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect({ status, body }).toStrictEqual({ status: 400, body: { success: false, message: MESSAGE } });
    }
    await expectLedger(account, { charges: 41, lowest: -41 * PRICE });
  });

  test('a refund can be spent at once', async () => {
    const account = await prepaidWith(PRICE);
    const post = () => server.call(account, 'POST', '/shipping', { body: shipmentRequest() });
    const { shipping } = (await post()).body;
    expect((await post()).status).toBe(403);
    await server.call(account, 'PUT', `/shipping/${shipping._id}/cancel`);
    expect((await post()).status).toBe(201);
  });
});

describe('POST /shipping/batch when funds run out', () => {
  test('batches race each other and single creations: exactly what can be paid for is created', async () => {
    const account = await prepaidWith(61 * PRICE);
    const shippings = Array.from({ length: 10 }, () => shipmentRequest());
    const [batches, singles] = await Promise.all([
      together(16, account, '/shipping/batch', { shippings }),
      together(60, account, '/shipping', shipmentRequest()),
    ]);
    const inBatches = batches.reduce((sum, { body }) => sum + body.created, 0);
    const alone = singles.filter(({ status }) => status === 201).length;
    expect(inBatches + alone).toBe(61);
    for (const { status, body } of batches) {
      expect(status).toBe(body.created === 10 ? 200 : body.created > 0 ? 207 : 400);
      expect(body.created + body.failed).toBe(10);
      for (const { code } of body.errors) expect(code).toBe('INSUFFICIENT_BALANCE');
    }
    for (const { status } of singles) expect([201, 403]).toContain(status);
    await expectLedger(account, { charges: 61, lowest: 0 });
  });

  test('a cheaper shipment after one that is too expensive is still created', async () => {
    const account = await prepaidWith(20);
    const kilos = (weight: number) => ({
      ...shipmentRequest({ scheduledDate: '2031-03-05', timeSlot: '10h-12h' }),
      parcelDetails: { weight, nature: 'Livres' },
    });
    const shippings = [kilos(1), kilos(2), kilos(1.5), kilos(0.1)]; // 7, 14, 10.50 and 7 EUR
    const { status, body } = await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
    expect(status).toBe(207);
    expect(body.shippings.map(({ index }: { index: number }) => index)).toEqual([0, 2]);
    expect(body.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [1, 'INSUFFICIENT_BALANCE'],
      [3, 'INSUFFICIENT_BALANCE'],
    ]);
    expect((await server.call(account, 'GET', '/account')).body.account.balance).toBe(2.5);
  });
});

test('after all these races every invariant holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
