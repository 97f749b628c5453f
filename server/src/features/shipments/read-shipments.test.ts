import { randomUUIDv7 } from 'node:crypto';
import { BASE_PATH, ENDPOINTS, type ShipmentRequest } from '@navette/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { faultsIn } from '../../../test/contract-faults.ts';
import { fieldErrors } from '../../../test/envelopes.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { newReferenceNumber } from './reference-number.ts';

let server: TestServer;
let shop: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  [shop, stranger] = (await Promise.all([1, 2].map(() => server.createAccount({ paymentMode: 'deferred' })))) as [
    TestAccount,
    TestAccount,
  ];
});
afterAll(() => server.stop());
afterEach(() => server.setNow(null));

const create = async (account: TestAccount, changes: object = {}, headers = {}) => {
  const body = shipmentRequest(changes as Partial<ShipmentRequest>);
  const answer = await server.call(account, 'POST', '/shipping', { body, headers });
  expect(answer).toMatchObject({ status: 201, body: { success: true } });
  return answer.body.shipping;
};
const createMany = async (account: TestAccount, times: number, changes: object = {}) => {
  const shippings = Array(times).fill(shipmentRequest(changes as Partial<ShipmentRequest>));
  const answer = await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
  expect(answer.status).toBe(200);
  return answer.body.shippings.map(({ shipping }: { shipping: { _id: string } }) => shipping._id) as string[];
};
const read = (account: TestAccount, path: string, query: Record<string, string> = {}) =>
  server.call(account, 'GET', path, { query });
const list = async (account: TestAccount, query: Record<string, string> = {}) => {
  const answer = await read(account, '/shipping', query);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  expect(faultsIn(ENDPOINTS.listShipments, 200, answer.body)).toEqual([]);
  return answer.body;
};
const idsOf = ({ shippings }: { shippings: { _id: string }[] }) => shippings.map(({ _id }) => _id);
const raw = async (account: TestAccount, path: string) => {
  const headers = { authorization: `Bearer ${account.key}`, 'x-client-id': account.clientId };
  const response = await fetch(`${server.url}${BASE_PATH}${path}`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
const addDriver = async () => {
  const id = randomUUIDv7();
  const names = { first_name: 'Ana', last_name: 'Diallo Ruiz', phone_number: '+33600000001' };
  await server.db
    .insertInto('drivers')
    .values({ id, ...names, picture_url: 'https://img.example.org/ana.png', rating: 4.7 })
    .execute();
  return id;
};
const DRIVER = {
  firstname: 'Ana',
  lastname: 'Diallo Ruiz',
  phoneNo: '+33600000001',
  profilepic: 'https://img.example.org/ana.png',
  userRating: 4.7,
};

/** A shipment of a new account with a value in every field that a creation can fill. */
async function createFilled() {
  const account = await server.createAccount({ paymentMode: 'deferred' });
  server.setNow(new Date('2026-03-02T08:00:00.120Z'));
  const projection = await create(
    account,
    {
      scheduledDate: '2026-03-05',
      timeSlot: '14h-16h',
      notes: 'Sonner "deux" fois\nau fond',
      groupReference: 'Comm. n°7',
      metadata: { basket: [1, 2.5, { 'clé "é"': null }] },
      externalReference: { orderId: '2041', shopDomain: 'shop.example.org' },
      isCollection: true,
      collectionContact: { phoneNumber: '+33699999999', email: 'sacha@example.org', name: 'Sacha' },
      pickupAddress: {
        street: '3 quai de la Gare',
        city: 'Lyon',
        postalCode: '69002',
        coordinates: { latitude: 45.75, longitude: 4.83 },
      },
    },
    { 'x-idempotency-key': randomUUIDv7() },
  );
  return { account, projection };
}

describe('GET /shipping/:id', () => {
  test('200: exactly these fields, filled as far as a life can fill them', async () => {
    const { account, projection } = await createFilled();
    const driver = await addDriver();
    const at = (hour: number) => new Date(`2026-03-05T${hour}:00:00.001Z`);
    await moveShipment(server, account, projection._id, 'activate', { now: at(12) });
    await moveShipment(server, account, projection._id, 'assign', { now: at(13), driverId: driver });
    await moveShipment(server, account, projection._id, 'pick_up', { now: at(14) });
    await moveShipment(server, account, projection._id, 'depart', { now: at(15) });
    await moveShipment(server, account, projection._id, 'deliver', { now: at(16) });

    const { status, body } = await read(account, `/shipping/${projection._id}`);
    expect(status).toBe(200);
    expect(faultsIn(ENDPOINTS.getShipment, 200, body)).toEqual([]);
    expect(body).toStrictEqual({
      success: true,
      shipping: {
        ...projection,
        status: 'delivered',
        updatedAt: '2026-03-05T16:00:00.001Z',
        metadata: { basket: [1, 2.5, { 'clé "é"': null }], idempotencyKey: expect.any(String) },
        professional: account.id,
        deliverer: { _id: driver, ...DRIVER },
        collectionContact: { phoneNumber: '+33699999999', email: 'sacha@example.org', name: 'Sacha' },
        pickupTime: '2026-03-05T14:00:00.001Z',
        deliveryTime: '2026-03-05T16:00:00.001Z',
        cancelledAt: null,
        statusHistory: [
          { status: 'programmed', at: '2026-03-02T08:00:00.120Z' },
          { status: 'created', at: '2026-03-05T12:00:00.001Z' },
          { status: 'assigned', at: '2026-03-05T13:00:00.001Z' },
          { status: 'picked_up', at: '2026-03-05T14:00:00.001Z' },
          { status: 'in_transit', at: '2026-03-05T15:00:00.001Z' },
          { status: 'delivered', at: '2026-03-05T16:00:00.001Z' },
        ],
      },
    });
  });

  test('200: fields without a value are null', async () => {
    const { _id } = await create(shop);
    const { body } = await read(shop, `/shipping/${_id}`);
    const empty = { deliverer: null, collectionContact: null, pickupTime: null, deliveryTime: null, cancelledAt: null };
    expect(body.shipping).toMatchObject({ ...empty, metadata: {} });
    await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
    const cancelled = (await read(shop, `/shipping/${_id}`)).body.shipping;
    expect(cancelled.cancelledAt).toBe(cancelled.updatedAt);
  });

  test('200: the fields of the projection are byte for byte what the creation answered', async () => {
    const awkward = [
      {},
      { parcelDetails: { weight: 0.001, nature: 'a\\b "c" </d> \u2028 👩‍🚀 \t' } },
      { parcelDetails: { weight: 99_999.99, nature: 'x' }, notes: '' },
      { parcelDetails: { weight: 1e-7, nature: 'x' }, scheduledDate: '2031-12-31', timeSlot: '8h15-23h45' },
      { pickupAddress: { street: 's', city: 'c', postalCode: 'p', coordinates: { latitude: 1e-7, longitude: -0.5 } } },
      { externalReference: { orderId: '', shopDomain: 'x' }, groupReference: ' ' },
    ];
    const others = awkward.map(async (changes) => ({ account: shop, projection: await create(shop, changes) }));
    for (const { account, projection } of [await createFilled(), ...(await Promise.all(others))]) {
      const { body } = await read(account, `/shipping/${projection._id}`);
      const same = Object.fromEntries(Object.keys(projection).map((name) => [name, body.shipping[name]]));
      expect(JSON.stringify(same)).toBe(JSON.stringify(projection));
    }
  });

  describe('the deliverer', () => {
    const delivererOf = async (id: string) => {
      const { body } = await read(shop, `/shipping/${id}`);
      expect(faultsIn(ENDPOINTS.getShipment, 200, body)).toEqual([]);
      return body.shipping.deliverer;
    };

    test('is null, then six fields of the driver, then null again when the run is abandoned', async () => {
      const { _id } = await create(shop);
      expect(await delivererOf(_id)).toBe(null);
      const driver = await addDriver();
      await moveShipment(server, shop, _id, 'assign', { driverId: driver });
      expect(await delivererOf(_id)).toStrictEqual({ _id: driver, ...DRIVER });
      await moveShipment(server, shop, _id, 'abandon');
      expect(await delivererOf(_id)).toBe(null);
    });

    test('without picture and rating has null there', async () => {
      const { _id } = await create(shop);
      const driver = await addDriver();
      await server.db
        .updateTable('drivers')
        .set({ picture_url: null, rating: null })
        .where('id', '=', driver)
        .execute();
      await moveShipment(server, shop, _id, 'assign', { driverId: driver });
      expect(await delivererOf(_id)).toStrictEqual({ _id: driver, ...DRIVER, profilepic: null, userRating: null });
    });

    test('is the bare id while the driver cannot be found, in every full read', async () => {
      const { _id, referenceNumber } = await create(shop, { groupReference: 'unresolved' });
      const driver = randomUUIDv7();
      await moveShipment(server, shop, _id, 'assign', { driverId: driver });
      expect(await delivererOf(_id)).toBe(driver);
      const byReference = await read(shop, `/shipping/reference/${referenceNumber}`);
      expect(byReference.body.shipping.deliverer).toBe(driver);
      expect((await list(shop, { groupReference: 'unresolved' })).shippings[0].deliverer).toBe(driver);
      const exported = (await read(shop, '/shipping/labels')).body.shippings;
      expect(exported.find((shipping: { _id: string }) => shipping._id === _id).deliverer).toBe(driver);
    });
  });
});

describe('GET /shipping/reference/:referenceNumber', () => {
  test('200: the same document as by id, byte for byte', async () => {
    const { account, projection } = await createFilled();
    const { _id, referenceNumber } = projection;
    const byId = await raw(account, `/shipping/${_id}`);
    expect(byId.status).toBe(200);
    expect(await raw(account, `/shipping/reference/${referenceNumber}`)).toStrictEqual(byId);
  });
});

describe('404', () => {
  test('malformed, unknown and foreign ids and references answer byte for byte the same', async () => {
    const { _id, referenceNumber } = await create(shop);
    expect((await raw(shop, `/shipping/${_id}`)).status).toBe(200);
    const mistyped = `${referenceNumber.slice(0, -1)}${referenceNumber.endsWith('2') ? '3' : '2'}`;
    const references = [referenceNumber, newReferenceNumber(), mistyped, 'x', '%00', referenceNumber.toLowerCase()];
    const paths = [
      ...[_id, randomUUIDv7(), 'x', '%00', `${_id}0`, "'; --"].map((id) => `/shipping/${id}`),
      ...references.map((reference) => `/shipping/reference/${reference}`),
      ...references.map((reference) => `/shipping/tracking/${reference}`),
    ];
    const answers = await Promise.all(paths.map((path) => raw(stranger, path)));
    const text = JSON.stringify({ success: false, message: JSON.parse(answers[0]?.text ?? '{}').message });
    for (const answer of answers)
      expect(answer).toStrictEqual({ status: 404, type: 'application/json; charset=utf-8', text });
  });
});

describe('GET /shipping/tracking/:referenceNumber', () => {
  const track = async (account: TestAccount, referenceNumber: string) => {
    const { status, body } = await read(account, `/shipping/tracking/${referenceNumber}`);
    expect(status).toBe(200);
    expect(faultsIn(ENDPOINTS.trackShipment, 200, body)).toEqual([]);
    return body;
  };

  test('200: keys appear with their values, the driver as one name, towns only', async () => {
    const { account, projection } = await createFilled();
    const { _id, referenceNumber, createdAt, estimatedDeliveryDate } = projection;
    const start = {
      referenceNumber,
      createdAt,
      estimatedDelivery: estimatedDeliveryDate,
      from: 'Lyon',
      to: 'Paris',
    };
    expect(await track(account, referenceNumber)).toStrictEqual({
      success: true,
      tracking: { ...start, status: 'programmed', statusLabel: 'Programmée', deliverer: null },
    });
    await moveShipment(server, account, _id, 'assign', {
      driverId: await addDriver(),
      now: new Date('2026-03-05T13:00Z'),
    });
    await moveShipment(server, account, _id, 'pick_up', { now: new Date('2026-03-05T14:00Z') });
    expect((await track(account, referenceNumber)).tracking).toStrictEqual({
      ...start,
      status: 'picked_up',
      statusLabel: 'Colis récupéré',
      pickupTime: '2026-03-05T14:00:00.000Z',
      deliverer: 'Ana Diallo Ruiz',
    });
    await moveShipment(server, account, _id, 'deliver', { now: new Date('2026-03-05T15:00Z') });
    expect((await track(account, referenceNumber)).tracking).toStrictEqual({
      ...start,
      status: 'delivered',
      statusLabel: 'Livrée',
      pickupTime: '2026-03-05T14:00:00.000Z',
      deliveryTime: '2026-03-05T15:00:00.000Z',
      deliverer: 'Ana Diallo Ruiz',
    });
  });

  test('200: what has no value is left out, and an unknown driver has no name', async () => {
    const { _id, referenceNumber } = await create(shop);
    await moveShipment(server, shop, _id, 'assign', { driverId: randomUUIDv7() });
    await server.db.updateTable('shipments').set({ estimated_delivery_at: null }).where('id', '=', _id).execute();
    const { tracking } = await track(shop, referenceNumber);
    expect(Object.keys(tracking).toSorted()).toEqual(
      ['createdAt', 'deliverer', 'from', 'referenceNumber', 'status', 'statusLabel', 'to'].toSorted(),
    );
    expect(tracking.deliverer).toBe(null);
  });
});

describe('GET /shipping', () => {
  describe('filters', () => {
    let account: TestAccount;
    const made: Record<string, string> = {};
    // Local midnight is 23:00 in UTC.
    const creations: [name: string, at: string, changes: object][] = [
      ['sunday night', '2026-03-01T22:59:59.999Z', {}],
      ['monday midnight', '2026-03-01T23:00:00.000Z', { groupReference: 'G' }],
      [
        'monday noon',
        '2026-03-02T11:00:00.500Z',
        { scheduledDate: '2026-03-09', timeSlot: '9h-11h', groupReference: 'G' },
      ],
      ['monday late', '2026-03-02T22:59:59.999Z', { groupReference: 'H' }],
      ['tuesday midnight', '2026-03-02T23:00:00.000Z', { groupReference: 'G' }],
    ];
    beforeAll(async () => {
      account = await server.createAccount({ paymentMode: 'deferred' });
      for (const [name, at, changes] of creations) {
        server.setNow(new Date(at));
        made[(await create(account, changes))._id] = name;
      }
      const [cancelled] = Object.entries(made).find(([, name]) => name === 'monday late') ?? [];
      await server.call(account, 'PUT', `/shipping/${cancelled}/cancel`);
      await create(stranger, { groupReference: 'G' });
    });

    test.each<[query: Record<string, string>, names: string[]]>([
      [{}, ['tuesday midnight', 'monday late', 'monday noon', 'monday midnight', 'sunday night']],
      [{ status: 'programmed' }, ['monday noon']],
      [{ status: 'cancelled' }, ['monday late']],
      [{ status: 'in_transit' }, []],
      [{ from: '2026-03-02' }, ['tuesday midnight', 'monday late', 'monday noon', 'monday midnight']],
      [{ to: '2026-03-02' }, ['monday late', 'monday noon', 'monday midnight', 'sunday night']],
      [{ from: '2026-03-02', to: '2026-03-02' }, ['monday late', 'monday noon', 'monday midnight']],
      [{ from: '2026-03-02T11:00:00.500Z', to: '2026-03-02T22:59:59.999Z' }, ['monday late', 'monday noon']],
      [{ from: '2026-03-02T11:00:00.501Z' }, ['tuesday midnight', 'monday late']],
      [{ to: '2026-03-02T11:00:00.499Z' }, ['monday midnight', 'sunday night']],
      [{ to: '2026-03-02T12:00:00.500+01:00' }, ['monday noon', 'monday midnight', 'sunday night']],
      [{ to: '2026-03-02T12:00:00.500' }, ['monday noon', 'monday midnight', 'sunday night']], // local without an offset
      [{ from: '2026-03-03', to: '2026-03-02' }, []],
      [{ from: '2027-01-01' }, []],
      [{ groupReference: 'G' }, ['tuesday midnight', 'monday noon', 'monday midnight']],
      [{ groupReference: 'g' }, []],
      [{ groupReference: 'G', status: 'created' }, ['tuesday midnight', 'monday midnight']],
      [{ groupReference: 'G', status: 'created', to: '2026-03-02' }, ['monday midnight']],
      [{ groupReference: 'H', from: '2026-03-02', to: '2026-03-02' }, ['monday late']],
      [{ status: 'created', from: '2026-03-02' }, ['tuesday midnight', 'monday midnight']],
    ])('200: %j', async (query, names) => {
      const { shippings, pagination } = await list(account, query);
      expect(shippings.map(({ _id }: { _id: string }) => made[_id])).toEqual(names);
      expect(pagination).toMatchObject({ page: 1, limit: 50, total: names.length, nextCursor: null });
      expect(pagination.totalPages).toBe(names.length > 0 ? 1 : 0);

      const walked: string[] = [];
      for (let page = 1; page <= names.length + 1; page++) {
        walked.push(...idsOf(await list(account, { ...query, limit: '1', page: String(page) })));
      }
      expect(walked.map((id) => made[id])).toEqual(names);
      const byCursor: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await list(account, { ...query, limit: '2', ...(cursor ? { cursor } : {}) });
        expect(page.pagination.total).toBe(names.length);
        byCursor.push(...idsOf(page));
        cursor = page.pagination.nextCursor;
      } while (cursor);
      expect(byCursor.map((id) => made[id])).toEqual(names);
    });
  });

  describe('pages', () => {
    let account: TestAccount;
    let ids: string[]; // newest first
    beforeAll(async () => {
      account = await server.createAccount({ paymentMode: 'deferred' });
      ids = (await createMany(account, 230)).reverse();
    });

    test('200: fifty on the first page unless asked otherwise', async () => {
      const page = await list(account);
      expect(idsOf(page)).toEqual(ids.slice(0, 50));
      expect(page.pagination).toStrictEqual({
        page: 1,
        limit: 50,
        total: 230,
        totalPages: 5,
        nextCursor: expect.any(String),
      });
    });

    test('200: a limit above 100 counts as 100', async () => {
      const page = await list(account, { limit: '100000' });
      expect(idsOf(page)).toEqual(ids.slice(0, 100));
      expect(page.pagination).toMatchObject({ limit: 100, totalPages: 3 });
    });

    test('200: the last page is short, and beyond it there is nothing', async () => {
      const last = await list(account, { page: '3', limit: '100' });
      expect(idsOf(last)).toEqual(ids.slice(200));
      expect(last.pagination).toMatchObject({ page: 3, nextCursor: null });
      const beyond = await list(account, { page: '1000000000', limit: '100' });
      expect(beyond).toMatchObject({
        shippings: [],
        pagination: { page: 1_000_000_000, total: 230, nextCursor: null },
      });
    });

    test.each([{}, { status: 'created' }])(
      '200: a cursor walks everything exactly once while shipments are being created, %j',
      async (filter) => {
        const before = (await list(account, { ...filter, limit: '1' })).pagination.total;
        const walked: string[] = [];
        let cursor: string | null = null;
        do {
          const page = await list(account, { ...filter, limit: '20', ...(cursor ? { cursor } : {}) });
          walked.push(...idsOf(page));
          cursor = page.pagination.nextCursor;
          await createMany(account, 3);
        } while (cursor);
        expect(walked).toHaveLength(before);
        expect(walked.slice(-230)).toEqual(ids);
        expect(new Set(walked).size).toBe(walked.length);
      },
    );
  });

  test.each<[query: Record<string, string>, ...paths: string[]]>([
    [{ status: 'lost' }, 'status'],
    [{ status: '' }, 'status'],
    [{ from: '2026-02-30' }, 'from'],
    [{ to: 'yesterday' }, 'to'],
    [{ page: '0' }, 'page'],
    [{ page: 'x' }, 'page'],
    [{ page: '1.5' }, 'page'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '-1' }, 'limit'],
    [{ groupReference: '' }, 'groupReference'],
    [{ groupReference: 'x'.repeat(65) }, 'groupReference'],
    [{ groupReference: 'a\0b' }, 'groupReference'],
    [{ cursor: 'not-a-cursor' }, 'cursor'],
    [{ cursor: '' }, 'cursor'],
    [{ status: 'lost', from: 'x', to: 'y', page: '0', limit: 'many' }, 'status', 'from', 'to', 'page', 'limit'],
  ])('400 field errors in the query: %j', async (query, ...paths) => {
    expect(await read(shop, '/shipping', query)).toEqual(fieldErrors('query', ...paths));
  });
});

describe('GET /shipping/labels', () => {
  test('200: every document, newest first, the same as read one by one', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    await create(account, { notes: 'one,"two"\n\u0001\u0002\\.' });
    await create(account, { metadata: { text: '\u0001\u0002\r\n,"\\.' }, groupReference: 'G' });
    const { _id } = await create(account);
    await moveShipment(server, account, _id, 'assign', { driverId: await addDriver() });
    const { status, body } = await read(account, '/shipping/labels');
    expect(status).toBe(200);
    expect(faultsIn(ENDPOINTS.exportShipments, 200, body)).toEqual([]);
    expect(body).toStrictEqual({ success: true, shippings: (await list(account)).shippings });
    expect(body.shippings).toHaveLength(3);
  });

  test('200: an account without shipments has an empty list', async () => {
    const account = await server.createAccount();
    expect((await read(account, '/shipping/labels')).body).toStrictEqual({ success: true, shippings: [] });
  });
});

describe('GET /shipping/stats', () => {
  test('200: counts by status, amounts without what was cancelled, thirty local days', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    server.setNow(new Date('2026-01-31T22:59:00Z'));
    await create(account); // the last minute of January, thirty days before the second of March
    server.setNow(new Date('2026-01-31T23:00:00Z'));
    await create(account);
    server.setNow(new Date('2026-03-02T08:00:00Z'));
    const [first = '', second = ''] = await createMany(account, 4);
    await create(account, { scheduledDate: '2026-03-05', timeSlot: '14h-16h' });
    await server.call(account, 'PUT', `/shipping/${first}/cancel`);
    await moveShipment(server, account, second, 'assign');
    await moveShipment(server, account, second, 'pick_up');

    const { status, body } = await read(account, '/shipping/stats');
    expect(status).toBe(200);
    expect(faultsIn(ENDPOINTS.getStats, 200, body)).toEqual([]);
    const { last30Days, ...rest } = body.stats;
    expect(rest).toStrictEqual({
      total: 7,
      byStatus: { programmed: 1, created: 4, assigned: 0, picked_up: 1, in_transit: 0, delivered: 0, cancelled: 1 },
      amount: { total: 60, currency: 'EUR' }, // five express at 8.50 and a slot at 17.50
    });
    expect(last30Days).toHaveLength(30);
    expect(last30Days[0]).toStrictEqual({ date: '2026-02-01', count: 1, amount: 8.5 });
    expect(last30Days[28]).toStrictEqual({ date: '2026-03-01', count: 0, amount: 0 });
    expect(last30Days[29]).toStrictEqual({ date: '2026-03-02', count: 5, amount: 43 });
  });

  test('200: an account without shipments has zeros', async () => {
    const account = await server.createAccount();
    const { body } = await read(account, '/shipping/stats');
    expect(faultsIn(ENDPOINTS.getStats, 200, body)).toEqual([]);
    expect(body.stats).toMatchObject({ total: 0, amount: { total: 0 } });
  });
});
