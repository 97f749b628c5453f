import { randomUUID } from 'node:crypto';
import { BASE_PATH, ENDPOINTS } from '@navette/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { type Answer, callApi } from '../../../test/call-api.ts';
import { faultsIn } from '../../../test/contract-faults.ts';
import { crowd } from '../../../test/crowd.ts';
import { fieldErrors, messageOnly } from '../../../test/envelopes.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { type AccountInput, updateAccount } from '../accounts/index.ts';
import { addCredit } from '../ledger/index.ts';

let server: TestServer;
let processes: NavetteProcess[];
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  processes = await Promise.all([1, 2].map(() => startNavette(['api'], server.environment)));
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(async () => {
  await Promise.all(processes.map((child) => child.stop()));
  await server.stop();
});
beforeEach(() => server.setNow(null));

const create = (account: TestAccount, key: string, body: unknown = shipmentRequest()) =>
  server.call(account, 'POST', '/shipping', { body, headers: { 'x-idempotency-key': key } });
const change = (account: TestAccount, settings: AccountInput) =>
  updateAccount(server.db, account.id, settings, { locate: async () => null });
const documentOf = async (account: TestAccount, id: string) =>
  (await server.call(account, 'GET', `/shipping/${id}`)).body.shipping;

/** The same call at the same moment by many, spread over both processes. */
const createTogether = (callers: TestAccount[], key: string): Promise<Answer[]> =>
  Promise.all(
    callers.map((account, i) =>
      callApi(`${processes[i % processes.length]?.url}${BASE_PATH}/shipping`, account, 'POST', {
        body: shipmentRequest(),
        headers: { 'x-idempotency-key': key },
      }),
    ),
  );
const count = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length;

describe('POST /shipping with X-Idempotency-Key', () => {
  describe('200', () => {
    test('a second call returns the shipment of the first, marked, and charges nothing', async () => {
      const key = randomUUID();
      const prepaid = await server.createAccount();
      await addCredit(server.db, prepaid.id, 5_000, null);
      const first = await create(prepaid, key, shipmentRequest({ notes: 'Fragile', groupReference: 'G-1' }));
      expect(first.status).toBe(201);
      const second = await create(prepaid, key, shipmentRequest({ notes: 'something else' }));
      expect(second.status).toBe(200);
      expect(second.body).toStrictEqual({ success: true, idempotent: true, shipping: first.body.shipping });
      expect(JSON.stringify(second.body.shipping)).toBe(JSON.stringify(first.body.shipping));
      expect(faultsIn(ENDPOINTS.createShipment, 200, second.body)).toEqual([]);
      expect((await server.call(prepaid, 'GET', '/account')).body.account.balance).toBe(41.5);
    });

    test('even when the account is blocked by now', async () => {
      const key = randomUUID();
      const account = await server.createAccount({ paymentMode: 'deferred' });
      const { shipping } = (await create(account, key)).body;
      await change(account, { paymentStatus: 'suspended', clientType: null });
      expect((await create(account, randomUUID())).status).toBe(403);
      const replay = await create(account, key);
      expect(replay.status).toBe(200);
      expect(replay.body).toStrictEqual({ success: true, idempotent: true, shipping });
    });

    test('even when the slot is past by now', async () => {
      const key = randomUUID();
      const body = shipmentRequest({ scheduledDate: '2026-03-05', timeSlot: '14h-16h' });
      const account = await server.createAccount({ paymentMode: 'deferred' });
      server.setNow(new Date('2026-03-05T08:00:00Z'));
      const { shipping } = (await create(account, key, body)).body;
      server.setNow(new Date('2026-03-05T18:00:00Z'));
      expect(await create(account, randomUUID(), body)).toEqual(messageOnly(400));
      const replay = await create(account, key, body);
      expect(replay.status).toBe(200);
      expect(replay.body.shipping).toStrictEqual(shipping);
    });

    test('even when the balance is gone', async () => {
      const key = randomUUID();
      const account = await server.createAccount();
      await addCredit(server.db, account.id, 850, null);
      const { shipping } = (await create(account, key)).body;
      expect((await create(account, randomUUID())).body.error).toBe('INSUFFICIENT_BALANCE');
      const replay = await create(account, key);
      expect(replay.status).toBe(200);
      expect(replay.body.shipping).toStrictEqual(shipping);
    });

    test('a replay shows the shipment as it is now', async () => {
      const key = randomUUID();
      const { shipping } = (await create(shop, key)).body;
      await server.call(shop, 'PUT', `/shipping/${shipping._id}/cancel`);
      expect((await create(shop, key)).body.shipping).toMatchObject({ _id: shipping._id, status: 'cancelled' });
    });
  });

  describe('the key', () => {
    test('is trimmed', async () => {
      const key = randomUUID();
      const { shipping } = (await create(shop, `  ${key}\t`)).body;
      expect((await create(shop, key)).body.shipping._id).toBe(shipping._id);
      expect((await documentOf(shop, shipping._id)).metadata).toStrictEqual({ idempotencyKey: key });
    });

    test.each(['', '   '])('counts as absent when it is empty: "%s"', async (key) => {
      const answers = [await create(shop, key), await create(shop, key)];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect((await documentOf(shop, answers[0]?.body.shipping._id)).metadata).toStrictEqual({});
    });

    test('is stored in the metadata and replaces a field of that name', async () => {
      const key = randomUUID();
      const body = shipmentRequest({ metadata: { idempotencyKey: 'mine', basket: 7 } });
      const { shipping } = (await create(shop, key, body)).body;
      expect((await documentOf(shop, shipping._id)).metadata).toStrictEqual({ idempotencyKey: key, basket: 7 });
    });

    test('is used by a creation only: no refusal consumes it', async () => {
      const key = randomUUID();
      const account = await server.createAccount();
      expect(await create(account, key, shipmentRequest({ groupReference: '' }))).toEqual(
        fieldErrors('body', 'groupReference'),
      );
      expect(await create(account, key, shipmentRequest({ timeSlot: '9h-10h' }))).toEqual(messageOnly(400));
      expect((await create(account, key)).body.error).toBe('INSUFFICIENT_BALANCE');
      await change(account, { paymentMode: 'deferred', creditLimit: 5 });
      expect(await create(account, key)).toEqual(messageOnly(400));
      await change(account, { creditLimit: null });
      expect((await create(account, key)).status).toBe(201);
      expect((await create(account, key)).status).toBe(200);
    });

    test('sent only as metadata, it is the merchant’s own data without effect', async () => {
      const body = shipmentRequest({ metadata: { idempotencyKey: randomUUID() } });
      const post = () => server.call(shop, 'POST', '/shipping', { body });
      expect([(await post()).status, (await post()).status]).toEqual([201, 201]);
    });
  });

  describe('409 IDEMPOTENCY_KEY_CONFLICT', () => {
    test('a key used by another account returns exactly slug and message, whether the caller is blocked or not', async () => {
      const key = randomUUID();
      const notes = 'canary-notes';
      const { shipping } = (await create(shop, key, shipmentRequest({ notes }))).body;
      const open = await server.createAccount({ paymentMode: 'deferred' });
      const blocked = await server.createAccount({ paymentStatus: 'suspended' });
      for (const caller of [open, blocked]) {
        const { status, body } = await create(caller, key);
        expect(status).toBe(409);
        expect(body).toStrictEqual({
          success: false,
          error: 'IDEMPOTENCY_KEY_CONFLICT',
          message: expect.any(String),
        });
        for (const secret of [shipping._id, shipping.referenceNumber, notes, key, shop.id, 'Camille']) {
          expect(JSON.stringify(body)).not.toContain(secret);
        }
      }
    });
  });

  describe('simultaneous calls over two processes', () => {
    test('200 keys, eight callers each: one 201 and seven 200 with the same shipment, charged once', async () => {
      const account = await server.createAccount({ paymentMode: 'deferred' });
      const keys = Array.from({ length: 200 }, () => randomUUID());
      const answers = await crowd(16, keys, (key) => createTogether(Array(8).fill(account), key));
      for (const eight of answers) {
        expect([count(eight, 201), count(eight, 200)]).toEqual([1, 7]);
        expect(new Set(eight.map(({ body }) => body.shipping._id)).size).toBe(1);
        expect(eight.filter(({ body }) => body.idempotent === true)).toHaveLength(7);
      }
      expect(new Set(answers.flat().map(({ body }) => body.shipping._id)).size).toBe(200);
      const { account: settled } = (await server.call(account, 'GET', '/account')).body;
      expect(settled.balance).toBe(-200 * 8.5);
    });

    test('two accounts race for one key: one creates, the other gets a conflict, never an internal error', async () => {
      const rivals = await Promise.all([1, 2].map(() => server.createAccount({ paymentMode: 'deferred' })));
      const [one, other] = rivals as [TestAccount, TestAccount];
      const callers = [one, other, other, one, one, other, other, one]; // both accounts at both processes
      const answers = await crowd(8, Array(60).fill(null), () => createTogether(callers, randomUUID()));
      for (const eight of answers) {
        expect([count(eight, 201), count(eight, 200), count(eight, 409)]).toEqual([1, 3, 4]);
        const winners = callers.filter((_, i) => eight[i]?.status !== 409);
        expect(new Set(winners).size).toBe(1);
      }
    });

    test('afterwards every invariant holds', async () => {
      expect(await brokenInvariants(server)).toEqual([]);
    });
  });
});
