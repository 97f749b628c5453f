import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let tiered: TestAccount;
let minimum: TestAccount;

beforeAll(async () => {
  server = await startTestServer();
  server.setNow(new Date('2026-03-01T08:00:00Z'));
  tiered = await server.createAccount({ minimumPrice: 8.5, pricePerKg: 6.9 });
  minimum = await server.createAccount({ minimumPrice: 8.5, pricePerKg: null });
});
afterAll(() => server.stop());

const quote = (account: TestAccount, body: unknown) => server.call(account, 'POST', '/rates', { body });

describe('POST /rates', () => {
  test('200: an express parcel within 4 kg costs the flat price, whatever its weight', async () => {
    const { status, body } = await quote(tiered, { weight: 4 });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      success: true,
      rate: {
        price: 6.9,
        currency: 'EUR',
        weightInKg: 4,
        minimumPrice: 8.5,
        pricePerKg: 6.9,
        pricingModel: 'professional_tiered',
        scheduledDelivery: null,
      },
    });
  });

  test('200: extra weight is charged pro rata and rounded half up once', async () => {
    expect((await quote(tiered, { weight: 5.5 })).body.rate.price).toBe(8.66); // 6.90 + 1.5 × 1.17 = 8.655
  });

  test('200: without a price per kg the minimum price applies to any weight', async () => {
    const { body } = await quote(minimum, { parcelDetails: { weight: 250 } });
    expect(body.rate).toMatchObject({
      price: 8.5,
      pricePerKg: null,
      pricingModel: 'professional_minimum',
      weightInKg: 250,
    });
  });

  test('200: a slot named by its id is quoted with its label and id', async () => {
    const { timeSlots } = (await server.call(tiered, 'GET', '/account')).body.account;
    const { body } = await quote(tiered, { weight: 2, scheduledDate: '2026-03-04', timeSlot: timeSlots[0].id });
    expect(body.rate).toMatchObject({
      price: 14,
      pricingModel: 'scheduled_slot',
      scheduledDelivery: { date: '2026-03-04', timeSlot: 'Matin (9h-12h)', slotId: timeSlots[0].id },
    });
  });

  test('200: free text is normalised and belongs to no slot of the account', async () => {
    const { body } = await quote(tiered, { weight: 2, scheduledDate: '2026-03-04', timeSlot: '14:30 - 16:00' });
    expect(body.rate.scheduledDelivery).toStrictEqual({ date: '2026-03-04', timeSlot: '14h30-16h', slotId: null });
  });

  test.each([{}, { weight: null }, { parcelDetails: { weight: null } }])(
    '400 message only: no weight at all %j',
    async (nothing) => {
      const { status, body } = await quote(tiered, nothing);
      expect(status).toBe(400);
      expect(body).toStrictEqual({ success: false, message: expect.any(String) });
    },
  );

  test.each([{ scheduledDate: '2026-03-04' }, { timeSlot: '14h-16h' }])(
    '400 message only: half a schedule %j',
    async (half) => {
      const { status, body } = await quote(tiered, { weight: 1, ...half });
      expect(status).toBe(400);
      expect(Object.keys(body)).toStrictEqual(['success', 'message']);
    },
  );

  test.each(['jeudi', '16h-14h', '25h-26h', '', '14h'])(
    '400 message only: unrecognised slot "%s"',
    async (timeSlot) => {
      const { status, body } = await quote(tiered, { weight: 1, scheduledDate: '2026-03-04', timeSlot });
      expect(status).toBe(400);
      expect(Object.keys(body)).toStrictEqual(['success', 'message']);
    },
  );

  test('400 message only: a slot is past from the moment it has started', async () => {
    const slot = { weight: 1, scheduledDate: '2026-03-01', timeSlot: '9h-11h' }; // starts at 08:00 UTC, which is now
    expect((await quote(tiered, slot)).status).toBe(200);
    server.setNow(new Date('2026-03-01T08:00:01Z'));
    const { status, body } = await quote(tiered, slot);
    server.setNow(new Date('2026-03-01T08:00:00Z'));
    expect(status).toBe(400);
    expect(Object.keys(body)).toStrictEqual(['success', 'message']);
  });

  test.each([
    [{ weight: 0 }, 'weight'],
    [{ weight: -1 }, 'weight'],
    [{ weight: '5' }, 'weight'],
    [{ parcelDetails: { weight: 0 } }, 'parcelDetails.weight'],
    [{ weight: 1, scheduledDate: '2026-02-30', timeSlot: '9h-11h' }, 'scheduledDate'],
    [{ weight: 1, scheduledDate: 20260304, timeSlot: '9h-11h' }, 'scheduledDate'],
  ])('400 field errors: %j names %s', async (body, path) => {
    const answer = await quote(tiered, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual({
      success: false,
      errors: [{ type: 'field', msg: expect.any(String), path, location: 'body' }],
    });
  });

  test('403: a read-only key cannot ask for a price', async () => {
    const reader = await server.createAccount({}, ['read']);
    expect((await quote(reader, { weight: 1 })).body.error).toBe('INSUFFICIENT_PERMISSIONS');
  });
});
