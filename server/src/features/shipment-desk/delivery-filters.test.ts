import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

// A Tuesday in Paris, one hour ahead of UTC.
const MORNING = new Date('2031-03-04T08:00:00Z');
const EVENING = new Date('2031-03-04T19:00:00Z');
const NEXT_MORNING = new Date('2031-03-05T07:00:00Z');

let server: TestServer;
let shop: TestAccount;
let member: TestMember;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow(MORNING);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  member = await createTestMember(server, shop.id);
  await create('express');
  await create('tomorrow', { scheduledDate: '2031-03-05', timeSlot: '10h-12h' });
  await create('today', { scheduledDate: '2031-03-04', timeSlot: '14h-16h' });
  await create('next week', { scheduledDate: '2031-03-11', timeSlot: '14h-16h', groupReference: 'LOT-1' });
  const done = await create('delivered', { scheduledDate: '2031-03-04', timeSlot: '14h-16h' });
  for (const trigger of ['activate', 'assign', 'deliver'] as const) {
    await moveShipment(server, shop, done, trigger, { now: MORNING });
  }
});
afterEach(() => server.setNow(MORNING));
afterAll(() => server.stop());

async function create(orderId: string, changes: Parameters<typeof shipmentRequest>[0] = {}): Promise<string> {
  const body = shipmentRequest({ externalReference: { orderId }, ...changes });
  const answer = await server.call(shop, 'POST', '/shipping', { body });
  expect(answer.status).toBe(201);
  return answer.body.shipping._id;
}

interface Line {
  orderId: string;
  isLate: boolean;
}
/** Every page of two. */
async function lines(query: Record<string, string>): Promise<Line[]> {
  const found: Line[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await member.call('listShipments', { query: { ...query, limit: 2, cursor } as never });
    found.push(...body.shipments);
    if (body.nextCursor === null) return found;
    cursor = body.nextCursor;
  }
}
const orders = async (query: Record<string, string>) => (await lines(query)).map(({ orderId }) => orderId);

describe('the list by delivery', () => {
  test('has the deliveries of a day: of a slot, and of express on the day of creation', async () => {
    expect(await orders({ delivery: 'today' })).toEqual(['express', 'today', 'delivered']);
    expect(await orders({ delivery: 'tomorrow' })).toEqual(['tomorrow']);
    expect(await orders({ delivery: '2031-03-11' })).toEqual(['next week']);
    expect(await orders({ delivery: '2031-03-11', order: 'newest' })).toEqual(['next week']);
    expect(await orders({ delivery: 'today', status: 'delivered' })).toEqual(['delivered']);
    expect(await orders({ delivery: '2031-03-11', groupReference: 'LOT-1' })).toEqual(['next week']);
    expect(await orders({ delivery: 'today', groupReference: 'LOT-1' })).toEqual([]);
    expect(await orders({ delivery: 'today', kind: 'collection' })).toEqual([]);
    server.setNow(NEXT_MORNING);
    expect(await orders({ delivery: 'today' })).toEqual(['tomorrow']);
  });

  test('is ordered by delivery or creation, in both directions, over all pages', async () => {
    const byDelivery = ['express', 'today', 'delivered', 'tomorrow', 'next week'];
    expect(await orders({ order: 'earliest_delivery' })).toEqual(byDelivery);
    expect(await orders({ order: 'latest_delivery' })).toEqual(byDelivery.toReversed());
    const byCreation = ['express', 'tomorrow', 'today', 'next week', 'delivered'];
    expect(await orders({ order: 'oldest' })).toEqual(byCreation);
    expect(await orders({ order: 'newest' })).toEqual(byCreation.toReversed());
    expect(await orders({ order: 'oldest', status: 'programmed' })).toEqual(['tomorrow', 'today', 'next week']);
  });

  test('marks and finds late ones: a slot after its end, express after its day, nothing that has ended', async () => {
    const late = async (now: Date) => {
      server.setNow(now);
      const marked = (await lines({})).filter(({ isLate }) => isLate).map(({ orderId }) => orderId);
      const found = await orders({ late: 'yes' });
      expect(found.toSorted()).toEqual(marked.toSorted());
      return found;
    };
    expect(await late(MORNING)).toEqual([]);
    expect(await late(EVENING)).toEqual(['today']);
    expect(await late(NEXT_MORNING)).toEqual(['express', 'today']);
    server.setNow(NEXT_MORNING);
    expect(await orders({ late: 'yes', order: 'latest_delivery' })).toEqual(['today', 'express']);
    expect(await orders({ late: 'yes', status: 'delivered' })).toEqual([]);
    expect(await orders({ late: 'yes', delivery: 'today' })).toEqual([]);
  });

  test('refuses a day that does not exist', async () => {
    for (const delivery of ['2031-02-30', 'yesterday']) {
      const { status } = await member.call('listShipments', { query: { delivery } as never });
      expect([delivery, status]).toEqual([delivery, 400]);
    }
  });
});
