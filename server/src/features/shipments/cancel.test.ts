import { randomUUIDv7 } from 'node:crypto';
import { ENDPOINTS, type ShipmentRequest } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import type { CallOptions } from '../../../test/call-api.ts';
import { faultsIn } from '../../../test/contract-faults.ts';
import { crowd } from '../../../test/crowd.ts';
import { fieldErrors, messageOnly } from '../../../test/envelopes.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { addCredit } from '../ledger/index.ts';
import type { Trigger } from './lifecycle.ts';

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount();
  await addCredit(server.db, shop.id, 1_000_000, null);
});
afterAll(() => server.stop());

const create = async (changes: Partial<ShipmentRequest> = {}) =>
  (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes) })).body.shipping;
const cancel = (id: string, options: CallOptions = {}, account = shop) =>
  server.call(account, 'PUT', `/shipping/${id}/cancel`, options);
const balance = async () => (await server.call(shop, 'GET', '/account')).body.account.balance;
const rowOf = (id: string) =>
  server.db.selectFrom('shipments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** As a sorted list: two events may carry the same millisecond. */
const eventsOf = async (id: string) => {
  const rows = await server.db.selectFrom('events').select('type').where('shipment_id', '=', id).execute();
  return rows.map(({ type }) => type).sort();
};
const entriesOf = async (id: string) => {
  const rows = await server.db
    .selectFrom('ledger_entries')
    .select(['kind', 'amount_cents'])
    .where('shipment_id', '=', id)
    .orderBy('entry')
    .execute();
  return rows.map(({ kind, amount_cents }) => [kind, amount_cents]);
};
const historyOf = async (id: string) =>
  ((await rowOf(id)).status_history as { status: string }[]).map(({ status }) => status);

describe('PUT /shipping/:id/cancel', () => {
  test.each<[from: string, request: Partial<ShipmentRequest>, triggers: Trigger[], price: number]>([
    ['programmed', { scheduledDate: '2031-03-05', timeSlot: '14h-16h' }, [], 17.5],
    ['created', {}, [], 8.5],
    ['assigned', {}, ['assign'], 8.5],
  ])('200: %s is cancelled, refunded in full, and announced', async (from, request, triggers, price) => {
    const { _id, ...before } = await create(request);
    for (const trigger of triggers) await moveShipment(server, shop, _id, trigger, { driverId: randomUUIDv7() });
    expect((await rowOf(_id)).status).toBe(from);
    const owned = await balance();

    const { status, body } = await cancel(_id, { body: { reason: 'Le client a changé d’avis' } });
    expect(status).toBe(200);
    expect(faultsIn(ENDPOINTS.cancelShipment, 200, body)).toEqual([]);
    const { updatedAt } = body.shipping;
    expect(body).toStrictEqual({ success: true, shipping: { _id, ...before, status: 'cancelled', updatedAt } });
    expect(updatedAt >= before.updatedAt).toBe(true);
    expect(await balance()).toBe(owned + price);
    expect(await entriesOf(_id)).toEqual([
      ['charge', -price * 100],
      ['refund', price * 100],
    ]);
    expect(await eventsOf(_id)).toEqual([
      ...triggers.map(() => 'shipping.assigned'),
      'shipping.cancelled',
      'shipping.created',
    ]);
    expect(await rowOf(_id)).toMatchObject({ cancel_reason: 'Le client a changé d’avis' });
    const read = (await server.call(shop, 'GET', `/shipping/${_id}`)).body.shipping;
    expect(read.cancelledAt).toBe(updatedAt);
    expect(read.statusHistory.at(-1)).toStrictEqual({ status: 'cancelled', at: updatedAt });
  });

  test('200: cancelling again returns the same and changes nothing', async () => {
    const { _id } = await create();
    const first = await cancel(_id, { body: { reason: 'first' } });
    const owned = await balance();
    const second = await cancel(_id, { body: { reason: 'second' } });
    expect(second.status).toBe(200);
    expect(second.body).toStrictEqual(first.body);
    expect(await balance()).toBe(owned);
    expect(await eventsOf(_id)).toEqual(['shipping.cancelled', 'shipping.created']);
    expect(await historyOf(_id)).toEqual(['created', 'cancelled']);
    expect((await rowOf(_id)).cancel_reason).toBe('first');
  });

  test.each<[CallOptions]>([[{}], [{ body: {} }], [{ rawBody: '' }], [{ body: { other: 1 } }]])(
    '200: the body is optional: %j',
    async (options) => {
      const { _id } = await create();
      expect((await cancel(_id, options)).status).toBe(200);
      expect((await rowOf(_id)).cancel_reason).toBe(null);
    },
  );

  test.each<[from: string, triggers: Trigger[]]>([
    ['picked_up', ['assign', 'pick_up']],
    ['in_transit', ['assign', 'pick_up', 'depart']],
    ['delivered', ['assign', 'deliver']],
  ])('400 with a message only: %s is too late', async (from, triggers) => {
    const { _id } = await create();
    for (const trigger of triggers) await moveShipment(server, shop, _id, trigger, { driverId: randomUUIDv7() });
    const owned = await balance();
    const before = await rowOf(_id);
    expect(await cancel(_id)).toEqual(messageOnly(400));
    expect(before.status).toBe(from);
    expect(await rowOf(_id)).toEqual(before);
    expect(await balance()).toBe(owned);
    expect(await eventsOf(_id)).not.toContain('shipping.cancelled');
  });

  test.each([{ reason: 5 }, { reason: 'x'.repeat(1_001) }])('400 field error: a reason is text', async (body) => {
    const { _id } = await create();
    expect(await cancel(_id, { body })).toEqual(fieldErrors('body', 'reason'));
    expect((await rowOf(_id)).status).toBe('created');
  });

  test('404: a foreign, unknown or malformed id, and nothing happens', async () => {
    const { _id } = await create();
    const stranger = await server.createAccount();
    expect(await cancel(_id, {}, stranger)).toEqual(messageOnly(404));
    expect(await cancel(randomUUIDv7())).toEqual(messageOnly(404));
    expect(await cancel('x')).toEqual(messageOnly(404));
    expect((await rowOf(_id)).status).toBe('created');
  });

  test('fifty simultaneous calls cancel once: one event, one refund, one step', async () => {
    const { _id } = await create();
    const owned = await balance();
    const answers = await Promise.all(Array.from({ length: 50 }, () => cancel(_id)));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toStrictEqual(answers[0]?.body);
    }
    expect(await balance()).toBe(owned + 8.5);
    expect(await entriesOf(_id)).toHaveLength(2);
    expect(await eventsOf(_id)).toEqual(['shipping.cancelled', 'shipping.created']);
    expect(await historyOf(_id)).toEqual(['created', 'cancelled']);
  });

  test('a hundred races against an assignment: always a legal history, in either order', async () => {
    const outcomes = await crowd(4, Array(100).fill(null), async (_, i) => {
      const { _id } = await create();
      const assign = async () => {
        if (i % 2 === 0) await Promise.all([balance(), balance()]); // a head start for the cancellation
        return moveShipment(server, shop, _id, 'assign', { driverId: randomUUIDv7() });
      };
      await Promise.all([cancel(_id), assign()]);
      const history = (await historyOf(_id)).join(' > ');
      expect(['created > cancelled', 'created > assigned > cancelled']).toContain(history);
      expect(await eventsOf(_id)).toEqual(
        history
          .split(' > ')
          .map((status) => `shipping.${status}`)
          .sort(),
      );
      expect(await entriesOf(_id)).toHaveLength(2);
      return history;
    });
    expect(new Set(outcomes).size).toBe(2); // both ways have happened
  });

  test('afterwards every invariant holds', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
