import { BASE_PATH, ENDPOINTS, type ShipmentRequest } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../../../test/call-api.ts';
import { faultsIn } from '../../../test/contract-faults.ts';
import { fieldErrors, messageOnly } from '../../../test/envelopes.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { type AccountInput, updateAccount } from '../accounts/index.ts';
import { addCredit } from '../ledger/index.ts';

const MONDAY_9H = new Date('2026-03-02T08:00:00Z'); // local time is one hour ahead
const THURSDAY = '2026-03-05';
const REQUIRED = [
  ...['recipientName', 'street', 'city', 'postalCode', 'phoneNumber', 'email'].map((name) => `deliveryAddress.${name}`),
  'parcelDetails.weight',
  'parcelDetails.nature',
];
const PICKUP = { location: { type: 'Point', coordinates: [2.3601, 48.8556] }, street: '1 rue de Rivoli' };

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred', pricePerKg: 6.9 });
});
afterAll(() => server.stop());
beforeEach(() => server.setNow(MONDAY_9H));

const create = (account: TestAccount, body: unknown, headers = {}) =>
  server.call(account, 'POST', '/shipping', { body, headers });
const created = async (account: TestAccount, body: unknown) => {
  const answer = await create(account, body);
  expect(answer).toMatchObject({ status: 201, body: { success: true } });
  expect(faultsIn(ENDPOINTS.createShipment, 201, answer.body)).toEqual([]);
  return answer.body.shipping;
};
const change = (account: TestAccount, settings: AccountInput) =>
  updateAccount(server.db, account.id, settings, { locate: async () => null });
const removePickup = (account: TestAccount) =>
  server.db.deleteFrom('pickup_addresses').where('account_id', '=', account.id).execute();
const rowOf = async (id: string) => {
  const { rows } = await sql<{
    row: string;
  }>`select row_to_json(s)::text as row from shipments s where id = ${id}`.execute(server.db);
  return rows[0]?.row ?? '';
};
const request = (changes: object) => shipmentRequest(changes as Partial<ShipmentRequest>);
const delivery = (changes: object) => ({
  ...shipmentRequest(),
  deliveryAddress: { ...shipmentRequest().deliveryAddress, ...changes },
});
const numberOfShipments = async (account: TestAccount) =>
  (await server.call(account, 'GET', '/shipping/stats')).body.stats.total;

describe('POST /shipping', () => {
  describe('201', () => {
    test('an express shipment returns exactly the fields of the projection', async () => {
      const { status, body } = await create(shop, shipmentRequest());
      expect(status).toBe(201);
      expect(body).toStrictEqual({
        success: true,
        shipping: {
          _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          referenceNumber: expect.stringMatching(/^[2-9A-HJKMNP-TV-Z]{10}$/),
          status: 'created',
          price: 6.9,
          parcelDetails: { weight: 2.5, nature: 'Vêtements' },
          notes: null,
          isCollection: false,
          groupReference: null,
          pickupAddress: { ...PICKUP, city: 'Paris', postalCode: '75001', country: 'France' },
          deliveryAddress: {
            recipientName: 'Camille Durand',
            street: '8 avenue de l’Opéra',
            city: 'Paris',
            postalCode: '75001',
            country: 'France',
            phoneNumber: '+33612345678',
            email: 'camille@example.org',
            coordinates: { latitude: 48.8638, longitude: 2.3345 },
          },
          scheduledDelivery: { date: null, timeSlot: null, datetime: null },
          externalReference: { platform: 'api', orderId: null, shopDomain: null },
          estimatedDeliveryDate: '2026-03-02T08:00:00.000Z',
          pdfUrl: expect.stringMatching(
            new RegExp(`^/pdfs/bordereau_${body.shipping.referenceNumber}_[0-9a-f]{32}[.]pdf$`),
          ),
          createdAt: '2026-03-02T08:00:00.000Z',
          updatedAt: '2026-03-02T08:00:00.000Z',
        },
      });
    });

    test.each([
      { named: 'its id', timeSlot: '', stored: 'Matin (9h-12h)', starts: '08:00', ends: '11:00' },
      { named: 'its label', timeSlot: 'Matin (9h-12h)', stored: 'Matin (9h-12h)', starts: '08:00', ends: '11:00' },
      { named: 'free text', timeSlot: '14:30 - 16:00', stored: '14h30-16h', starts: '13:30', ends: '15:00' },
    ])('a slot given by $named is programmed until its end', async ({ timeSlot, stored, starts, ends }) => {
      const { timeSlots } = (await server.call(shop, 'GET', '/account')).body.account;
      const slot = { scheduledDate: THURSDAY, timeSlot: timeSlot || timeSlots[0].id };
      const shipping = await created(shop, request(slot));
      expect(shipping).toMatchObject({
        status: 'programmed',
        price: 17.5, // 2.5 kg × 7
        scheduledDelivery: { date: THURSDAY, timeSlot: stored, datetime: `2026-03-05T${starts}:00.000Z` },
        estimatedDeliveryDate: `2026-03-05T${ends}:00.000Z`,
      });
    });

    test('a timestamp means its local date', async () => {
      const shipping = await created(shop, request({ scheduledDate: '2026-03-04T23:30:00Z', timeSlot: '9h-11h' }));
      expect(shipping.scheduledDelivery.date).toBe(THURSDAY);
    });

    test('a special request without a slot is programmed for the next agreed pickup time, at the express price', async () => {
      const special = await server.createAccount({
        paymentMode: 'deferred',
        isSpecialRequest: true,
        agreedPickupTime: '17:30',
      });
      const scheduledDelivery = { date: null, timeSlot: null, datetime: null };
      expect(await created(special, shipmentRequest())).toMatchObject({
        status: 'programmed',
        price: 8.5,
        scheduledDelivery,
        estimatedDeliveryDate: '2026-03-02T16:30:00.000Z',
      });

      server.setNow(new Date('2026-03-02T16:30:00Z')); // that moment has come: the next one is tomorrow
      expect(await created(special, shipmentRequest())).toMatchObject({
        status: 'programmed',
        scheduledDelivery,
        estimatedDeliveryDate: '2026-03-03T16:30:00.000Z',
      });
      const slotted = await created(special, request({ scheduledDate: THURSDAY, timeSlot: '14h-16h' }));
      expect(slotted.estimatedDeliveryDate).toBe('2026-03-05T15:00:00.000Z');
    });

    test('a collection takes its contact and does not echo it', async () => {
      const contact = { phoneNumber: '+33699999999', email: 'atelier@example.org', name: 'Sacha' };
      const shipping = await created(shop, request({ isCollection: true, collectionContact: contact }));
      expect(shipping.isCollection).toBe(true);
      expect(JSON.stringify(shipping)).not.toContain('+33699999999');
      const read = await server.call(shop, 'GET', `/shipping/${shipping._id}`);
      expect(read.body.shipping.collectionContact).toStrictEqual(contact);
    });

    test('a contact without isCollection is not kept', async () => {
      const contact = { phoneNumber: '+33699999999', email: 'atelier@example.org' };
      const shipping = await created(shop, request({ collectionContact: contact }));
      expect(await rowOf(shipping._id)).not.toContain('+33699999999');
    });

    test('a pickup address of its own serves this shipment and leaves the account’s', async () => {
      const place = { street: '3 quai de la Gare', city: 'Lyon', postalCode: '69002' };
      const located = await created(
        shop,
        request({ pickupAddress: { ...place, country: 'FR', coordinates: { latitude: 45.75, longitude: 4.83 } } }),
      );
      expect(located.pickupAddress).toStrictEqual({
        location: { type: 'Point', coordinates: [4.83, 45.75] },
        ...place,
        country: 'FR',
      });
      const unlocated = await created(shop, request({ pickupAddress: place }));
      expect(unlocated.pickupAddress).toStrictEqual({ location: null, ...place, country: 'France' });
      expect((await server.call(shop, 'GET', '/account')).body.account.pickupAddress.city).toBe('Paris');
      expect((await created(shop, shipmentRequest())).pickupAddress.city).toBe('Paris');
    });

    test('the account’s current pickup address, price and slots apply, however recently they changed', async () => {
      const account = await server.createAccount({ paymentMode: 'deferred' });
      for (const city of ['Lille', 'Nantes', 'Brest']) {
        const body = { street: '1 rue X', city, postalCode: '1', coordinates: { latitude: 45, longitude: 4 } };
        await server.call(account, 'PUT', '/shipping/pickup-address', { body });
        expect((await created(account, shipmentRequest())).pickupAddress.city).toBe(city);
        await change(account, { minimumPrice: city.length, timeSlots: [{ label: `${city} 9h-11h` }] });
        expect((await created(account, shipmentRequest())).price).toBe(city.length);
        const slotted = await created(account, request({ scheduledDate: THURSDAY, timeSlot: `${city} 9h-11h` }));
        expect(slotted.scheduledDelivery.timeSlot).toBe(`${city} 9h-11h`);
      }
    });

    test.each(['A', 'é'.repeat(64)])(
      'a group reference of 1 to 64 characters comes back: %s',
      async (groupReference) => {
        expect((await created(shop, request({ groupReference }))).groupReference).toBe(groupReference);
      },
    );

    test.each([
      { coordinates: { latitude: -90, longitude: 180 }, kept: { latitude: -90, longitude: 180 } },
      { coordinates: { latitude: 0, longitude: 2.5 }, kept: { latitude: 0, longitude: 2.5 } },
      { coordinates: { latitude: 0, longitude: 0 }, kept: null },
      { coordinates: undefined, kept: null },
    ])('coordinates $coordinates are kept as $kept', async ({ coordinates, kept }) => {
      expect((await created(shop, delivery({ coordinates }))).deliveryAddress.coordinates).toStrictEqual(kept);
    });

    test.each(['jürgen@müller.example', '用户@例え.jp'])(
      'an internationalised address is kept as it is: %s',
      async (email) => {
        expect((await created(shop, delivery({ email }))).deliveryAddress.email).toBe(email);
        const contact = { phoneNumber: '+33699999999', email };
        const { _id } = await created(shop, request({ isCollection: true, collectionContact: contact }));
        const read = await server.call(shop, 'GET', `/shipping/${_id}`);
        expect(read.body.shipping.collectionContact.email).toBe(email);
      },
    );

    test('the platform is always api, whatever is sent', async () => {
      const externalReference = { platform: 'shopify', orderId: '2041', shopDomain: 'shop.example.org', other: 'x' };
      const shipping = await created(shop, request({ externalReference }));
      expect(shipping.externalReference).toStrictEqual({
        platform: 'api',
        orderId: '2041',
        shopDomain: 'shop.example.org',
      });
    });

    test('unknown fields are ignored and kept nowhere, nor is a client id in the body', async () => {
      const unknown = {
        status: 'delivered',
        price: 0,
        deliveryCode: 'x-ray',
        surprise: 'x-ray',
        clientId: shop.clientId,
      };
      const body = { ...delivery({ surprise: 'x-ray' }), ...unknown };
      const { status, body: answer } = await callApi(`${server.url}${BASE_PATH}/shipping`, { key: shop.key }, 'POST', {
        body,
      });
      expect(status).toBe(201);
      expect(answer.shipping).toMatchObject({ status: 'created', price: 6.9 });
      const row = await rowOf(answer.shipping._id);
      expect(row).toContain(answer.shipping.referenceNumber);
      expect(row).not.toContain('x-ray');
      expect(row).not.toContain(shop.clientId);
    });

    test('notes and metadata are stored; only notes are returned', async () => {
      const metadata = { basket: [1, { deep: 'x-ray' }], 'é "quoted"': null };
      const { shipping, ...rest } = (await create(shop, request({ notes: '', metadata }))).body;
      expect(rest).toStrictEqual({ success: true });
      expect(shipping.notes).toBe('');
      expect(JSON.stringify(shipping)).not.toContain('x-ray');
      const read = await server.call(shop, 'GET', `/shipping/${shipping._id}`);
      expect(read.body.shipping.metadata).toStrictEqual(metadata);
    });

    test.each([{}, { scheduledDate: '2026-03-07', timeSlot: '18h-20h' }])(
      'what is charged is what POST /rates quotes: %j',
      async (slot) => {
        const { rate } = (await server.call(shop, 'POST', '/rates', { body: { weight: 5.5, ...slot } })).body;
        const shipping = await created(shop, request({ ...slot, parcelDetails: { weight: 5.5, nature: 'Livres' } }));
        expect(shipping.price).toBe(rate.price);
      },
    );
  });

  describe('400 field errors', () => {
    test.each([
      [request({ isCollection: 'true' }), ['isCollection']],
      [request({ isCollection: 1 }), ['isCollection']],
      [request({ isCollection: true }), ['collectionContact.phoneNumber', 'collectionContact.email']],
      [
        request({ isCollection: true, collectionContact: { email: 'a@example.org' } }),
        ['collectionContact.phoneNumber'],
      ],
      [request({ isCollection: true, collectionContact: { phoneNumber: '+336' } }), ['collectionContact.email']],
      [
        request({ collectionContact: { phoneNumber: '', email: 'nobody' } }),
        ['collectionContact.phoneNumber', 'collectionContact.email'],
      ],
      [delivery({ coordinates: { latitude: 48 } }), ['deliveryAddress.coordinates.longitude']],
      [delivery({ coordinates: { longitude: 2 } }), ['deliveryAddress.coordinates.latitude']],
      [delivery({ coordinates: { latitude: 90.1, longitude: 2 } }), ['deliveryAddress.coordinates.latitude']],
      [
        delivery({ coordinates: { latitude: -91, longitude: -180.1 } }),
        ['deliveryAddress.coordinates.latitude', 'deliveryAddress.coordinates.longitude'],
      ],
      [delivery({ coordinates: { latitude: '48', longitude: 2 } }), ['deliveryAddress.coordinates.latitude']],
      [delivery({ email: 'not-an-email' }), ['deliveryAddress.email']],
      [delivery({ email: '' }), ['deliveryAddress.email']],
      [
        delivery({ recipientName: '', street: ' ', city: '', postalCode: '', phoneNumber: '' }),
        ['recipientName', 'street', 'city', 'postalCode', 'phoneNumber'].map((name) => `deliveryAddress.${name}`),
      ],
      [request({ parcelDetails: { weight: 0, nature: 'x' } }), ['parcelDetails.weight']],
      [request({ parcelDetails: { weight: -2, nature: '' } }), ['parcelDetails.weight', 'parcelDetails.nature']],
      [request({ parcelDetails: { weight: '2' } }), ['parcelDetails.nature', 'parcelDetails.weight']],
      [request({ pickupAddress: { street: '1 rue X' } }), ['pickupAddress.city', 'pickupAddress.postalCode']],
      [request({ groupReference: '' }), ['groupReference']],
      [request({ groupReference: 'x'.repeat(65) }), ['groupReference']],
      [request({ groupReference: 7 }), ['groupReference']],
      [request({ metadata: 'text' }), ['metadata']],
      [request({ notes: 5 }), ['notes']],
      [request({ scheduledDate: '2026-02-30', timeSlot: '9h-11h' }), ['scheduledDate']],
      [request({ parcelDetails: undefined }), ['parcelDetails.weight', 'parcelDetails.nature']],
      [request({ parcelDetails: null }), ['parcelDetails.weight', 'parcelDetails.nature']],
      [request({ parcelDetails: 'x' }), ['parcelDetails']],
      [request({ parcelDetails: { weight: null, nature: 'x' } }), ['parcelDetails.weight']],
      [
        delivery({ street: null, coordinates: { latitude: null, longitude: 2 } }),
        ['street', 'coordinates.latitude'].map((name) => `deliveryAddress.${name}`),
      ],
      [{}, REQUIRED],
    ])('%j', async (body, paths) => {
      const answer = await create(shop, body);
      expect(answer).toEqual(fieldErrors('body', ...paths));
    });

    test('all of them at once', async () => {
      const answer = await create(shop, {
        deliveryAddress: { street: '', email: 'x', coordinates: { latitude: 100 } },
        parcelDetails: { weight: -1 },
        isCollection: 'yes',
        groupReference: '',
      });
      const paths = answer.body.errors.map(({ path }: { path: string }) => path);
      expect(answer.status).toBe(400);
      expect(paths.toSorted()).toEqual([
        'deliveryAddress.city',
        'deliveryAddress.coordinates.latitude',
        'deliveryAddress.coordinates.longitude',
        'deliveryAddress.email',
        'deliveryAddress.phoneNumber',
        'deliveryAddress.postalCode',
        'deliveryAddress.recipientName',
        'deliveryAddress.street',
        'groupReference',
        'isCollection',
        'parcelDetails.nature',
        'parcelDetails.weight',
      ]);
    });

    test('an idempotency key of more than 200 characters', async () => {
      const answer = await create(shop, shipmentRequest(), { 'x-idempotency-key': 'k'.repeat(201) });
      expect(answer).toEqual(fieldErrors('headers', 'x-idempotency-key'));
      expect((await create(shop, shipmentRequest(), { 'x-idempotency-key': 'k'.repeat(200) })).status).toBe(201);
    });

    test('metadata nested without reason', async () => {
      const nested = (levels: number): object => (levels === 0 ? {} : { inner: nested(levels - 1) });
      expect((await create(shop, request({ metadata: nested(19) }))).status).toBe(201);
      expect(await create(shop, request({ metadata: nested(20) }))).toEqual(fieldErrors('body', 'metadata'));
    });

    test('they come before anything that is wrong with the account', async () => {
      const blocked = await server.createAccount({ clientType: null });
      expect(await create(blocked, request({ groupReference: '' }))).toEqual(fieldErrors('body', 'groupReference'));
    });
  });

  describe('400 with a message only', () => {
    test.each([
      { scheduledDate: THURSDAY },
      { timeSlot: '14h-16h' },
      { scheduledDate: THURSDAY, timeSlot: 'demain' },
      { scheduledDate: THURSDAY, timeSlot: '16h-14h' },
      { scheduledDate: THURSDAY, timeSlot: '' },
      { scheduledDate: '2026-03-01', timeSlot: '14h-16h' },
      { scheduledDate: '2026-03-02', timeSlot: '8h59-12h' },
    ])('half a schedule, an unknown slot, or one that has started: %j', async (slot) => {
      const before = await numberOfShipments(shop);
      expect(await create(shop, request(slot))).toEqual(messageOnly(400));
      expect(await numberOfShipments(shop)).toBe(before);
    });

    test('a slot that starts this very moment is not past', async () => {
      const shipping = await created(shop, request({ scheduledDate: '2026-03-02', timeSlot: '9h-11h' }));
      expect(shipping.scheduledDelivery.datetime).toBe('2026-03-02T08:00:00.000Z');
    });

    test('a deferred account ships up to its credit limit and not one cent further', async () => {
      const deferred = await server.createAccount({ paymentMode: 'deferred', creditLimit: 17 });
      await created(deferred, shipmentRequest());
      await created(deferred, shipmentRequest());
      expect(await create(deferred, shipmentRequest())).toEqual(messageOnly(400));
      await change(deferred, { creditLimit: 25.49 });
      expect(await create(deferred, shipmentRequest())).toEqual(messageOnly(400));
      await change(deferred, { creditLimit: 25.5 });
      await created(deferred, shipmentRequest());
    });
  });

  describe('403', () => {
    test('an account with every problem gets them one by one, in order, each with exactly its fields', async () => {
      const account = await server.createAccount({
        clientType: null,
        contractSigned: false,
        paymentStatus: 'suspended',
        amountDue: 120.5,
        gracePeriodEndsAt: '2026-02-01T00:00:00Z',
      });
      await removePickup(account);
      const slot = { scheduledDate: THURSDAY, timeSlot: 'never' };
      const message = expect.any(String);
      const refused = async (envelope: object) => {
        const { status, body } = await create(account, request(slot));
        expect({ status, body }).toStrictEqual({ status: 403, body: { success: false, message, ...envelope } });
      };
      const contract = { contractVersion: '2026-01' };
      const payment = { amountDue: 120.5, gracePeriodEndsAt: '2026-02-01T00:00:00.000Z' };

      await refused({ error: 'CLIENT_TYPE_REQUIRED', clientType: null, ...contract });
      await change(account, { clientType: 'shop' });
      await refused({ error: 'CONTRACT_SIGNATURE_REQUIRED', clientType: 'shop', ...contract });
      await change(account, { contractSigned: true });
      await refused({ error: 'PICKUP_ADDRESS_REQUIRED' });
      const place = { street: '1 rue X', city: 'Lyon', postalCode: '69002' };
      await change(account, { pickupAddress: { ...place, coordinates: { latitude: 45, longitude: 4 } } });
      await refused({ error: 'ACCOUNT_SUSPENDED', paymentStatus: 'suspended', ...payment });
      await change(account, { paymentStatus: 'payment_required' });
      await refused({ error: 'PAYMENT_REQUIRED', paymentStatus: 'payment_required', ...payment });
      await change(account, { paymentStatus: 'current' });
      expect(await create(account, request(slot))).toEqual(messageOnly(400)); // now the slot is looked at
      slot.timeSlot = '14h-16h';
      await refused({ error: 'INSUFFICIENT_BALANCE', currentBalance: 0, requiredAmount: 17.5 });
      await addCredit(server.db, account.id, 1750, null);
      await created(account, request(slot));
      await refused({ error: 'INSUFFICIENT_BALANCE', currentBalance: 0, requiredAmount: 17.5 });
      expect(await numberOfShipments(account)).toBe(1);
    });

    test('PICKUP_ADDRESS_REQUIRED even with a pickup address in the body, until the account has one', async () => {
      const account = await server.createAccount({ paymentMode: 'deferred' });
      await removePickup(account);
      const place = { street: '3 quai de la Gare', city: 'Lyon', postalCode: '69002' };
      const here = { ...place, coordinates: { latitude: 45.75, longitude: 4.83 } };
      const refused = await create(account, request({ pickupAddress: here }));
      expect(refused.status).toBe(403);
      expect(refused.body).toStrictEqual({
        success: false,
        error: 'PICKUP_ADDRESS_REQUIRED',
        message: expect.any(String),
      });
      expect((await server.call(account, 'PUT', '/shipping/pickup-address', { body: here })).status).toBe(200);
      expect((await created(account, shipmentRequest())).pickupAddress.city).toBe('Lyon');
    });

    test('a grace period lets shipments through until its very end', async () => {
      const account = await server.createAccount({
        paymentMode: 'deferred',
        paymentStatus: 'grace',
        gracePeriodEndsAt: '2026-03-02T09:00:00Z',
      });
      server.setNow(new Date('2026-03-02T08:59:59.999Z'));
      await created(account, shipmentRequest());
      server.setNow(new Date('2026-03-02T09:00:00Z'));
      const { status, body } = await create(account, shipmentRequest());
      expect(status).toBe(403);
      expect(body).toStrictEqual({
        success: false,
        error: 'PAYMENT_REQUIRED',
        message: expect.any(String),
        amountDue: 8.5,
        paymentStatus: 'grace',
        gracePeriodEndsAt: '2026-03-02T09:00:00.000Z',
      });
    });

    test('a refusal follows changes of the account’s settings at once, in both directions', async () => {
      const account = await server.createAccount({ paymentMode: 'deferred' });
      for (let i = 0; i < 5; i++) {
        await created(account, shipmentRequest());
        await change(account, { paymentStatus: 'suspended' });
        expect((await create(account, shipmentRequest())).body.error).toBe('ACCOUNT_SUSPENDED');
        await change(account, { paymentStatus: 'current' });
      }
    });
  });
});

describe('POST /shipping field errors', () => {
  test('400: one response lists the errors of body and headers', async () => {
    const { status, body } = await create(shop, {}, { 'x-idempotency-key': 'k'.repeat(201) });
    expect(status).toBe(400);
    const reported = body.errors.map(({ path, location }: { path: string; location: string }) => `${location} ${path}`);
    expect(reported).toEqual(
      expect.arrayContaining([...REQUIRED.map((path) => `body ${path}`), 'headers x-idempotency-key']),
    );
  });
});
