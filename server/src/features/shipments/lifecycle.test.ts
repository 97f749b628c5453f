import { randomUUIDv7 } from 'node:crypto';
import { SHIPMENT_STATUSES, type ShipmentStatus, WEBHOOK_EVENTS } from '@navette/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { type Channel, legalSteps, RULES, type Trigger, transition } from './lifecycle.ts';

/** The contract's table of states, written a second time. No other transition is allowed. */
const TABLE: Record<ShipmentStatus, Partial<Record<Trigger, ShipmentStatus>>> = {
  programmed: { activate: 'created', assign: 'assigned', cancel: 'cancelled' },
  created: { assign: 'assigned', cancel: 'cancelled' },
  assigned: {
    assign: 'assigned', // an administrator may assign again
    pick_up: 'picked_up',
    deliver: 'delivered',
    abandon: 'created',
    cancel: 'cancelled',
  },
  picked_up: { depart: 'in_transit', deliver: 'delivered' },
  in_transit: { deliver: 'delivered' },
  delivered: {},
  cancelled: {},
};

/** The contract's table of events by channel. */
const EVENTS: Record<Trigger, Record<Channel, string | null>> = {
  activate: { http: null, realtime: null },
  assign: { http: 'shipping.assigned', realtime: null },
  pick_up: { http: 'shipping.picked_up', realtime: null },
  depart: { http: null, realtime: null },
  deliver: { http: 'shipping.delivered', realtime: null },
  abandon: { http: null, realtime: null },
  cancel: { http: 'shipping.cancelled', realtime: 'shipping.cancelled' }, // the merchant's own: never silent
};

const TRIGGERS = Object.keys(RULES) as Trigger[];
const step = fc.record({
  trigger: fc.constantFrom(...TRIGGERS),
  channel: fc.constantFrom<Channel>('http', 'realtime'),
});
const life = fc.record({
  initial: fc.constantFrom<'created' | 'programmed'>('created', 'programmed'),
  steps: fc.array(step, { maxLength: 15 }),
});

describe('the lifecycle', () => {
  test('no sequence of triggers over any channel leaves the contract’s tables', () => {
    const visited = new Set<string>();
    fc.assert(
      fc.property(life, ({ initial, steps }) => {
        let status: ShipmentStatus = initial;
        visited.add(status);
        for (const { trigger, channel } of steps) {
          const to: ShipmentStatus | undefined = TABLE[status][trigger];
          expect(transition(status, trigger, channel)).toStrictEqual(
            to === undefined ? null : { to, event: EVENTS[trigger][channel] },
          );
          status = to ?? status;
          visited.add(status);
        }
      }),
      { numRuns: 20_000 },
    );
    expect(visited).toEqual(new Set(SHIPMENT_STATUSES)); // the sequences reached every state
  });

  test('the steps an audit takes as legal are those of the contract’s table', () => {
    const steps = legalSteps().map(({ from, to }) => `${from} > ${to}`);
    const expected = Object.entries(TABLE).flatMap(([from, ways]) =>
      Object.values(ways).map((to) => `${from} > ${to}`),
    );
    expect(new Set(steps)).toEqual(new Set(expected));
  });

  test('only names of the contract are ever emitted, and never shipping.created', () => {
    const emitted = TRIGGERS.flatMap((trigger) => Object.values(EVENTS[trigger]).filter((event) => event !== null));
    expect(new Set([...emitted, 'shipping.created'])).toEqual(new Set(WEBHOOK_EVENTS));
  });
});

describe('the lifecycle in the database', () => {
  let server: TestServer;
  let shop: TestAccount;
  beforeAll(async () => {
    server = await startTestServer();
    shop = await server.createAccount({ paymentMode: 'deferred' });
  });
  afterAll(() => server.stop());

  test('sixty random sequences leave exactly their history, events and counts', async () => {
    const counts = Object.fromEntries(SHIPMENT_STATUSES.map((status) => [status, 0])) as Record<ShipmentStatus, number>;
    let refunded = 0;
    for (const { initial, steps } of fc.sample(life, 60)) {
      const slot = initial === 'programmed' ? { scheduledDate: '2031-03-05', timeSlot: '14h-16h' } : {};
      const created = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(slot) });
      const { shipping } = created.body;
      let status: ShipmentStatus = initial;
      let driver: string | null = null;
      let now = new Date(shipping.createdAt).getTime();
      const history = [{ status: initial as ShipmentStatus, at: shipping.createdAt }];
      const events = [bodyOf('shipping.created', shipping.createdAt, initial, null)];

      for (const { trigger, channel } of steps) {
        now += 1_000;
        const at = new Date(now).toISOString();
        const driverId = randomUUIDv7();
        const change = { channel, now: new Date(now), ...(trigger === 'assign' ? { driverId } : {}) };
        const outcome = await moveShipment(server, shop, shipping._id, trigger, change);
        const to: ShipmentStatus | undefined = TABLE[status][trigger];
        expect(outcome).toEqual(
          to === undefined ? { outcome: 'not-allowed', from: status } : { outcome: 'changed', from: status, to },
        );
        if (to === undefined) continue;
        if (trigger === 'assign') driver = driverId;
        if (trigger === 'abandon') driver = null;
        status = to;
        history.push({ status, at });
        const event = EVENTS[trigger][channel];
        if (event) events.push(bodyOf(event, at, status, driver));
      }
      counts[status]++;
      if (status === 'cancelled') refunded += shipping.price;

      const { body } = await server.call(shop, 'GET', `/shipping/${shipping._id}`);
      expect(body.shipping).toMatchObject({ status, deliverer: driver, updatedAt: history.at(-1)?.at });
      expect(body.shipping.statusHistory).toStrictEqual(history);
      const rows = await server.db
        .selectFrom('events')
        .select('body')
        .where('shipment_id', '=', shipping._id)
        .orderBy('created_at')
        .execute();
      expect(rows.map((row) => row.body)).toEqual(events);

      function bodyOf(event: string, timestamp: string, current: ShipmentStatus, driverId: string | null): string {
        const { email: _email, coordinates: _point, ...deliveryAddress } = shipping.deliveryAddress;
        const { phoneNumber, ...rest } = deliveryAddress;
        const { location: _location, ...pickupAddress } = shipping.pickupAddress;
        return JSON.stringify({
          event,
          timestamp,
          data: {
            id: shipping._id,
            professionalId: shop.id,
            referenceNumber: shipping.referenceNumber,
            status: current,
            price: shipping.price,
            externalReference: shipping.externalReference,
            createdAt: shipping.createdAt,
            updatedAt: timestamp,
            pickupAddress,
            deliveryAddress: { ...rest, phoneNumber },
            deliverer: driverId && { id: driverId, name: null, phoneNumber: null },
          },
        });
      }
    }

    const { stats } = (await server.call(shop, 'GET', '/shipping/stats')).body;
    expect(stats.byStatus).toEqual(counts);
    const { balance } = (await server.call(shop, 'GET', '/account')).body.account;
    expect(balance).toBe(-stats.amount.total);
    const charged = await server.db
      .selectFrom('shipments')
      .select((eb) => eb.fn.sum<number>('price_cents').as('cents'))
      .executeTakeFirstOrThrow();
    expect(Math.round((stats.amount.total + refunded) * 100)).toBe(Number(charged.cents));
    expect(await brokenInvariants(server)).toEqual([]);
  });

  test('a shipment of another account is unknown', async () => {
    const stranger = await server.createAccount();
    const { shipping } = (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() })).body;
    expect(await moveShipment(server, stranger, shipping._id, 'cancel')).toEqual({ outcome: 'unknown' });
  });

  test('a clock that is behind does not break the time order of a history', async () => {
    const { shipping } = (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() })).body;
    await moveShipment(server, shop, shipping._id, 'cancel', { now: new Date('2020-01-01T00:00:00Z') });
    const { body } = await server.call(shop, 'GET', `/shipping/${shipping._id}`);
    expect(body.shipping).toMatchObject({ updatedAt: shipping.createdAt, cancelledAt: shipping.createdAt });
  });
});
