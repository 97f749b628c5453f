import { ENDPOINTS, type ShipmentRequest } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import type { Answer } from '../../../test/call-api.ts';
import { faultsIn } from '../../../test/contract-faults.ts';
import { fieldErrors, messageOnly } from '../../../test/envelopes.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createAccountDirectory, updateAccount } from '../accounts/index.ts';
import { addCredit } from '../ledger/index.ts';
import { createBatch as createInBatch } from './create-batch.ts';
import { buildCreationContext } from './index.ts';

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

const createBatch = (account: TestAccount, shippings: unknown, headers = {}): Promise<Answer> =>
  server.call(account, 'POST', '/shipping/batch', { body: { shippings }, headers });
const named = (orderId: string, changes: object = {}) =>
  shipmentRequest({ externalReference: { orderId }, ...(changes as Partial<ShipmentRequest>) });
const numberOfShipments = async (account: TestAccount) =>
  (await server.call(account, 'GET', '/shipping/stats')).body.stats.total;
const orderOf = ({ index, shipping }: { index: number; shipping: { externalReference: { orderId: string } } }) => [
  index,
  shipping.externalReference.orderId,
];

describe('POST /shipping/batch', () => {
  test('200: all created, in the order of the entries, each with the projection of POST /shipping', async () => {
    const slot = { scheduledDate: '2031-03-05', timeSlot: '14h-16h' };
    const answer = await createBatch(shop, [named('a'), named('b', slot), named('c', { groupReference: 'G' })]);
    expect(answer.status).toBe(200);
    expect(faultsIn(ENDPOINTS.createBatch, 200, answer.body)).toEqual([]);
    const { shippings, ...counts } = answer.body;
    expect(counts).toStrictEqual({ success: true, created: 3, failed: 0, errors: [] });
    expect(shippings.map(orderOf)).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
    expect(shippings.map(({ shipping }: { shipping: { status: string } }) => shipping.status)).toEqual([
      'created',
      'programmed',
      'created',
    ]);
    for (const { shipping } of shippings) {
      const read = await server.call(shop, 'GET', `/shipping/${shipping._id}`);
      expect(read.body.shipping).toMatchObject(shipping);
    }
  });

  test('207: some entries are created, the others are listed by index with a message and a slug or null', async () => {
    const account = await server.createAccount();
    await addCredit(server.db, account.id, 2_000, null); // two shipments and 3 EUR
    const answer = await createBatch(account, [
      named('a', { groupReference: '', parcelDetails: { weight: 0, nature: 'x' } }),
      named('b'),
      named('c', { scheduledDate: '2031-03-05' }),
      null,
      named('d', { isCollection: true }),
      named('e'),
      named('f'),
      named('g', { scheduledDate: '2020-01-01', timeSlot: '9h-10h' }),
    ]);
    expect(answer.status).toBe(207);
    expect(faultsIn(ENDPOINTS.createBatch, 207, answer.body)).toEqual([]);
    const { shippings, errors, ...counts } = answer.body;
    expect(counts).toStrictEqual({ success: true, created: 2, failed: 6 });
    expect(shippings.map(orderOf)).toEqual([
      [1, 'b'],
      [5, 'e'],
    ]);
    expect(errors).toStrictEqual([
      { index: 0, error: expect.stringMatching(/parcelDetails[.]weight.*groupReference/), code: null },
      { index: 2, error: expect.stringMatching(/timeSlot/), code: null },
      { index: 3, error: expect.any(String), code: null },
      {
        index: 4,
        error: expect.stringMatching(/collectionContact[.]phoneNumber.*collectionContact[.]email/),
        code: null,
      },
      { index: 6, error: expect.stringMatching(/^Solde/), code: 'INSUFFICIENT_BALANCE' },
      { index: 7, error: expect.any(String), code: null },
    ]);
    const list = await server.call(account, 'GET', '/shipping');
    expect(list.body.pagination.total).toBe(2);
  });

  test('207: a credit limit that is reached part way has no slug', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred', creditLimit: 10 });
    const { status, body } = await createBatch(account, [named('a'), named('b')]);
    expect(status).toBe(207);
    expect(body.errors).toStrictEqual([{ index: 1, error: expect.stringMatching(/^Plafond/), code: null }]);
  });

  test('400: none created, with the envelope of a batch', async () => {
    const account = await server.createAccount();
    const answer = await createBatch(account, [named('a'), {}, 'text', []]);
    expect(answer.status).toBe(400);
    expect(faultsIn(ENDPOINTS.createBatch, 400, answer.body)).toEqual([]);
    expect(answer.body).toMatchObject({ success: false, created: 0, failed: 4, shippings: [] });
    expect(answer.body.errors.map(({ code }: { code: string }) => code)).toEqual([
      'INSUFFICIENT_BALANCE',
      null,
      null,
      null,
    ]);
    expect(await numberOfShipments(account)).toBe(0);
  });

  test.each([{}, { shippings: null }, { shippings: [] }, { shippings: {} }, { shippings: 'x' }])(
    '400 field error: shippings missing, empty or no list: %j',
    async (body) => {
      const answer = await server.call(shop, 'POST', '/shipping/batch', { body });
      expect(answer).toEqual(fieldErrors('body', 'shippings'));
    },
  );

  test('400 with a message only: more than 500 entries, and none is checked', async () => {
    const before = await numberOfShipments(shop);
    expect(await createBatch(shop, Array(501).fill(shipmentRequest()))).toEqual(messageOnly(400));
    expect(await numberOfShipments(shop)).toBe(before);
  });

  test('403: a blocked account refuses the whole batch with the usual envelope, even an invalid batch', async () => {
    const message = expect.any(String);
    const contract = { clientType: null, contractVersion: '2026-01' };
    const blocked = await server.createAccount({ clientType: null });
    const { status, body } = await createBatch(blocked, [shipmentRequest(), {}]);
    expect(status).toBe(403);
    expect(body).toStrictEqual({ success: false, error: 'CLIENT_TYPE_REQUIRED', message, ...contract });

    await updateAccount(
      server.db,
      blocked.id,
      { clientType: 'shop', paymentStatus: 'suspended' },
      { locate: async () => null },
    );
    const suspended = await createBatch(blocked, [shipmentRequest()]);
    expect(suspended.status).toBe(403);
    expect(suspended.body).toStrictEqual({
      success: false,
      error: 'ACCOUNT_SUSPENDED',
      message,
      amountDue: 0,
      paymentStatus: 'suspended',
      gracePeriodEndsAt: null,
    });
    expect(await numberOfShipments(blocked)).toBe(0);
  });

  test('X-Idempotency-Key is ignored: a repeated batch creates again, and the key stays unused', async () => {
    const headers = { 'x-idempotency-key': 'batch-key' };
    const answers = [await createBatch(shop, [named('k')], headers), await createBatch(shop, [named('k')], headers)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const ids = answers.map(({ body }) => body.shippings[0].shipping._id);
    expect(new Set(ids).size).toBe(2);
    const read = await server.call(shop, 'GET', `/shipping/${ids[0]}`);
    expect(read.body.shipping.metadata).toStrictEqual({});
    const single = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(), headers });
    expect(single.status).toBe(201);
    const long = { 'x-idempotency-key': 'k'.repeat(201) };
    expect((await createBatch(shop, [named('l')], long)).status).toBe(200);
  });

  test('500 entries are created in one call, numbered in their order', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const { status, body } = await createBatch(
      account,
      Array.from({ length: 500 }, (_, i) => named(String(i))),
    );
    expect(status).toBe(200);
    expect(body.shippings.map(orderOf)).toEqual(Array.from({ length: 500 }, (_, i) => [i, String(i)]));
    const newest = await server.call(account, 'GET', '/shipping', { query: { limit: '1' } });
    expect(newest.body.shippings[0].externalReference.orderId).toBe('499');
    expect(newest.body.pagination.total).toBe(500);
  });

  test('settings that change while a batch is checked refuse nothing: the batch is checked again with the current ones', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred', minimumPrice: 8.5 });
    const directory = createAccountDirectory(server.db, server.pools.prepared);
    const changes = [{ minimumPrice: 9 }, { minimumPrice: 12 }];
    const currentSettingsOf = async (accountId: string) => {
      const settings = await directory.currentSettingsOf(accountId);
      const change = changes.shift();
      if (change) await updateAccount(server.db, accountId, change, { locate: async () => null });
      return settings;
    };
    const { pools, jobs, tracer, config } = server;
    const accounts = { ...directory, currentSettingsOf };
    const creation = buildCreationContext({ ...config, pools, jobs, accounts, tracer, now: () => new Date() });
    const { created, errors } = await createInBatch(creation, account.id, [shipmentRequest(), shipmentRequest()]);
    expect([created.map(({ shipping }) => shipping.price), errors]).toEqual([[12, 12], []]);
    expect(await numberOfShipments(account)).toBe(2);
  });

  test('afterwards every invariant holds', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
