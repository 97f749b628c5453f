import type { ShipmentRequest } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

const create = (body: unknown, headers = {}) => server.call(shop, 'POST', '/shipping', { body, headers });
const read = async (id: string) => (await server.call(shop, 'GET', `/shipping/${id}`)).body.shipping;

/** The merchant's part of a document, without the fields that the service added. */
// biome-ignore lint/suspicious/noExplicitAny: a document as a client reads it
function contentOf({ pickupAddress, ...document }: any) {
  const { location: _, ...place } = pickupAddress;
  const { parcelDetails, notes, isCollection, groupReference, deliveryAddress, externalReference, metadata } = document;
  const { scheduledDelivery, collectionContact } = document;
  return {
    ...{ parcelDetails, notes, isCollection, groupReference, deliveryAddress, externalReference, metadata },
    ...{ scheduledDelivery, collectionContact, pickupAddress: place },
  };
}

const SLOT = { scheduledDate: '2031-03-05', timeSlot: '14h-16h' };
const KINDS: Record<string, { changes: object; headers?: object; slot?: object; cancelled?: true }> = {
  'an express shipment with nothing optional': { changes: {} },
  'one with everything': {
    changes: {
      notes: 'Sonnez deux fois',
      groupReference: 'ORDER-2041',
      externalReference: { orderId: '2041', shopDomain: 'shop.example.org' },
      metadata: { basket: [1, null, { deep: null }], empty: {} },
      pickupAddress: { street: '3 quai de la Gare', city: 'Lyon', postalCode: '69002', country: 'FR' },
    },
    headers: { 'x-idempotency-key': 'post-back' },
  },
  'one without coordinates': {
    changes: { deliveryAddress: { ...shipmentRequest().deliveryAddress, coordinates: undefined } },
  },
  'a scheduled one': { changes: SLOT, slot: SLOT },
  'a collection': {
    changes: { isCollection: true, collectionContact: { phoneNumber: '+33699999999', email: 'a@example.org' } },
  },
  'a cancelled one': { changes: { notes: '' }, cancelled: true },
};

describe('a document that was read', () => {
  test.each(Object.entries(KINDS))('can be posted back: %s', async (_kind, { changes, headers, slot, cancelled }) => {
    const { _id } = (await create(shipmentRequest(changes as Partial<ShipmentRequest>), headers)).body.shipping;
    if (cancelled) await server.call(shop, 'PUT', `/shipping/${_id}/cancel`, { body: { reason: null } });
    const document = await read(_id);
    const answer = await create({ ...document, ...slot }); // its slot is read under another name than it is given
    expect(answer).toMatchObject({ status: 201 });
    const copy = await read(answer.body.shipping._id);
    expect(copy._id).not.toBe(_id);
    expect(copy.status).toBe(slot ? 'programmed' : 'created');
    expect(contentOf(copy)).toStrictEqual(contentOf(document));
  });

  test('with a driver and a history can be posted back, and has neither', async () => {
    const { _id } = (await create(shipmentRequest())).body.shipping;
    await moveShipment(server, shop, _id, 'assign');
    await moveShipment(server, shop, _id, 'pick_up');
    const answer = await create(await read(_id));
    expect(answer.status).toBe(201);
    const { status, deliverer, pickupTime, statusHistory } = await read(answer.body.shipping._id);
    expect({ status, deliverer, pickupTime }).toEqual({ status: 'created', deliverer: null, pickupTime: null });
    expect(statusHistory).toHaveLength(1);
  });

  test('can be an entry of a batch', async () => {
    const { _id } = (await create(shipmentRequest())).body.shipping;
    const document = await read(_id);
    const { status, body } = await server.call(shop, 'POST', '/shipping/batch', {
      body: { shippings: [document, { ...document, parcelDetails: null }] },
    });
    expect(status).toBe(207);
    expect(contentOf(await read(body.shippings[0].shipping._id))).toStrictEqual(contentOf(document));
    expect(body.errors[0].error).toContain('parcelDetails.weight');
  });
});

describe('null in the other bodies', () => {
  test('counts as absent: rates, pickup address, webhooks, label export', async () => {
    const rate = { weight: null, parcelDetails: { weight: 2, nature: null }, scheduledDate: null, timeSlot: null };
    expect((await server.call(shop, 'POST', '/rates', { body: rate })).body.rate).toMatchObject({
      weightInKg: 2,
      scheduledDelivery: null,
    });
    const nothing = { weight: null, parcelDetails: { weight: null } };
    expect(await server.call(shop, 'POST', '/rates', { body: nothing })).toMatchObject({
      status: 400,
      body: { message: expect.any(String) },
    });
    const place = { street: '1 rue X', city: 'Paris', postalCode: '75001', country: null, coordinates: null };
    expect(await server.call(shop, 'PUT', '/shipping/pickup-address', { body: place })).toMatchObject({
      status: 200,
      body: { pickupAddress: { country: 'France' } },
    });
    const hook = { url: 'http://127.0.0.1:8443/navette', events: ['shipping.created'], secret: null, isActive: null };
    const { status, body } = await server.call(shop, 'POST', '/webhooks', { body: hook });
    expect({ status, isActive: body.webhook?.isActive }).toEqual({ status: 201, isActive: true });
    const kept = await server.call(shop, 'PUT', `/webhooks/${body.webhook._id}`, {
      body: { url: null, events: null, isActive: false },
    });
    expect(kept.body.webhook).toMatchObject({ url: hook.url, events: hook.events, isActive: false });
    const { _id } = (await create(shipmentRequest())).body.shipping;
    const chosen = { scope: 'selected', shippingIds: [_id], filters: null };
    expect((await server.call(shop, 'POST', '/shipping/pdf/export', { body: chosen })).status).toBe(200);
  });

  test('in a required field stays an error of the field', async () => {
    const body = { street: null, city: 'Paris', postalCode: null };
    const refused = await server.call(shop, 'PUT', '/shipping/pickup-address', { body });
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(['street', 'postalCode']);
    const scope = await server.call(shop, 'POST', '/shipping/pdf/export', { body: { scope: null } });
    expect(scope.body.errors.map(({ path }: { path: string }) => path)).toEqual(['scope']);
  });
});
