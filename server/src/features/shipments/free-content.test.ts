import { ENDPOINTS, MAX_EXTERNAL_REFERENCE_BYTES, MAX_METADATA_BYTES, type ShipmentRequest } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsIn } from '../../../test/contract-faults.ts';
import { fieldErrors, messageOnly } from '../../../test/envelopes.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

const create = (changes: object, headers = {}) =>
  server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes as Partial<ShipmentRequest>), headers });
const read = async (id: string) => {
  const { body } = await server.call(shop, 'GET', `/shipping/${id}`);
  expect(faultsIn(ENDPOINTS.getShipment, 200, body)).toEqual([]);
  return body.shipping;
};
const eventsOf = async (id: string) => {
  const events = await server.db
    .selectFrom('events')
    .select(['type', 'body'])
    .where('shipment_id', '=', id)
    .orderBy('feed_position')
    .execute();
  return events.map(({ type, body }) => [type, JSON.parse(body ?? '').data.externalReference]);
};
const nested = (levels: number): object => (levels === 0 ? {} : { inner: nested(levels - 1) });
/** An object of exactly so many bytes as JSON, in letters of two bytes. */
const ofBytes = (bytes: number) => {
  const letters = Math.floor((bytes - '{"text":""}'.length) / 2);
  const rest = bytes - '{"text":""}'.length - letters * 2;
  const content = { text: 'é'.repeat(letters) + 'x'.repeat(rest) };
  expect(Buffer.byteLength(JSON.stringify(content))).toBe(bytes);
  return content;
};

const SENT = {
  platform: 'shopify',
  orderId: '2041',
  shopDomain: 'shop.example.org',
  channel: 'web',
  lines: [{ sku: 'A"1', gift: null }],
  'é "quoted"\n': { deep: [] },
};
const { platform: _, ...REST } = SENT;
const WHOLE = { ...REST, platform: 'api' };
const STABLE = { platform: 'api', orderId: '2041', shopDomain: 'shop.example.org' };

describe('further content of externalReference', () => {
  test('is in full reads and in every event, while the projection has its three fields', async () => {
    const created = await create({ externalReference: SENT }, { 'x-idempotency-key': 'free-content' });
    expect(created.status).toBe(201);
    const { _id, referenceNumber } = created.body.shipping;
    expect(created.body.shipping.externalReference).toStrictEqual(STABLE);
    const replay = await create({ externalReference: {} }, { 'x-idempotency-key': 'free-content' });
    expect(replay.body.shipping.externalReference).toStrictEqual(STABLE);

    expect((await read(_id)).externalReference).toStrictEqual(WHOLE);
    const byReference = await server.call(shop, 'GET', `/shipping/reference/${referenceNumber}`);
    expect(byReference.body.shipping.externalReference).toStrictEqual(WHOLE);
    for (const [path, endpoint] of [
      ['/shipping', ENDPOINTS.listShipments],
      ['/shipping/labels', ENDPOINTS.exportShipments],
    ] as const) {
      const { body } = await server.call(shop, 'GET', path);
      expect(faultsIn(endpoint, 200, body)).toEqual([]);
      expect(body.shippings[0].externalReference).toStrictEqual(WHOLE);
    }

    await moveShipment(server, shop, _id, 'assign');
    const cancelled = await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
    expect(cancelled.body.shipping.externalReference).toStrictEqual(STABLE);
    expect(await eventsOf(_id)).toEqual([
      ['shipping.created', WHOLE],
      ['shipping.assigned', WHOLE],
      ['shipping.cancelled', WHOLE],
    ]);
  });

  test('comes with an entry of a batch, and back with a document that is posted again', async () => {
    const batch = { shippings: [shipmentRequest({ externalReference: SENT as object })] };
    const { body } = await server.call(shop, 'POST', '/shipping/batch', { body: batch });
    expect(body.shippings[0].shipping.externalReference).toStrictEqual(STABLE);
    const document = await read(body.shippings[0].shipping._id);
    expect(document.externalReference).toStrictEqual(WHOLE);
    const again = await server.call(shop, 'POST', '/shipping', { body: document });
    expect((await read(again.body.shipping._id)).externalReference).toStrictEqual(WHOLE);
  });

  test('is nothing when there is none', async () => {
    for (const externalReference of [undefined, null, {}, { platform: 'x' }, { orderId: null }]) {
      const { _id } = (await create({ externalReference })).body.shipping;
      const nothing = { platform: 'api', orderId: null, shopDomain: null };
      expect((await read(_id)).externalReference).toStrictEqual(nothing);
      expect(await eventsOf(_id)).toEqual([['shipping.created', nothing]]);
    }
  });

  test('is at most 4 KiB of JSON and 20 levels deep, beside the fields that have rules of their own', async () => {
    const full = { orderId: 'o'.repeat(200), shopDomain: 'd'.repeat(253), ...ofBytes(MAX_EXTERNAL_REFERENCE_BYTES) };
    const { status, body } = await create({ externalReference: full });
    expect(status).toBe(201);
    expect((await server.call(shop, 'POST', '/shipping', { body: await read(body.shipping._id) })).status).toBe(201);
    const tooMuch = ofBytes(MAX_EXTERNAL_REFERENCE_BYTES + 1);
    expect(await create({ externalReference: tooMuch })).toEqual(fieldErrors('body', 'externalReference'));
    expect((await create({ externalReference: nested(19) })).status).toBe(201);
    expect(await create({ externalReference: nested(20) })).toEqual(fieldErrors('body', 'externalReference'));
  });

  test('may not hold what no database can store', async () => {
    for (const text of ['\0', '\ud800'])
      expect(await create({ externalReference: { other: { text } } })).toEqual(messageOnly(400));
  });
});

describe('metadata', () => {
  test('is at most 16 KiB of JSON in UTF-8, with the idempotency key that is kept in it', async () => {
    const full = await create({ metadata: ofBytes(MAX_METADATA_BYTES) });
    expect(full.status).toBe(201);
    expect((await server.call(shop, 'POST', '/shipping', { body: await read(full.body.shipping._id) })).status).toBe(
      201,
    );
    const tooMuch = ofBytes(MAX_METADATA_BYTES + 1);
    expect(await create({ metadata: tooMuch })).toEqual(fieldErrors('body', 'metadata'));
    const key = { 'x-idempotency-key': 'k'.repeat(200) };
    expect(await create({ metadata: ofBytes(MAX_METADATA_BYTES) }, key)).toEqual(fieldErrors('body', 'metadata'));
    const withKey = MAX_METADATA_BYTES - ',"idempotencyKey":""'.length - 200;
    const kept = await create({ metadata: ofBytes(withKey) }, key);
    expect(kept.status).toBe(201);
    expect(Buffer.byteLength(JSON.stringify((await read(kept.body.shipping._id)).metadata))).toBe(MAX_METADATA_BYTES);
  });

  test('that is too large refuses its entry of a batch', async () => {
    const shippings = [shipmentRequest(), shipmentRequest({ metadata: ofBytes(MAX_METADATA_BYTES + 1) })];
    const { status, body } = await server.call(shop, 'POST', '/shipping/batch', { body: { shippings } });
    expect(status).toBe(207);
    expect(body.errors).toEqual([{ index: 1, code: null, error: expect.stringContaining('metadata') }]);
  });

  test('nested a hundred thousand deep is an error of the field and nothing worse', async () => {
    const depth = 100_000;
    const rawBody = JSON.stringify(shipmentRequest()).replace(
      /}$/,
      `,"metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
    );
    expect(await server.call(shop, 'POST', '/shipping', { rawBody })).toEqual(fieldErrors('body', 'metadata'));
  });
});
