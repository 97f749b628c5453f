import { randomUUIDv7 } from 'node:crypto';
import { BASE_PATH, type ShipmentRequest, WebhookEventBody } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsIn } from '../../../test/contract-faults.ts';
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

const create = async (changes: Partial<ShipmentRequest> = {}, headers = {}) =>
  (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes), headers })).body.shipping;
const eventsOf = (id: string) =>
  server.db.selectFrom('events').selectAll().where('shipment_id', '=', id).orderBy('created_at').execute();
const SLOT = { scheduledDate: '2031-03-05', timeSlot: '14h-16h' };

describe('shipping.created', () => {
  test('is written once with a creation, with exactly the fields of the whitelist', async () => {
    const shipping = await create({ externalReference: { orderId: '2041' }, notes: 'n', metadata: { m: 1 } });
    const events = await eventsOf(shipping._id);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ account_id: shop.id, type: 'shipping.created' });
    expect(JSON.parse(events[0]?.body ?? '')).toStrictEqual({
      event: 'shipping.created',
      timestamp: shipping.createdAt,
      data: {
        id: shipping._id,
        professionalId: shop.id,
        referenceNumber: shipping.referenceNumber,
        status: 'created',
        price: 8.5,
        externalReference: { platform: 'api', orderId: '2041', shopDomain: null },
        createdAt: shipping.createdAt,
        updatedAt: shipping.updatedAt,
        pickupAddress: { street: '1 rue de Rivoli', city: 'Paris', postalCode: '75001', country: 'France' },
        deliveryAddress: {
          recipientName: 'Camille Durand',
          street: '8 avenue de l’Opéra',
          city: 'Paris',
          postalCode: '75001',
          country: 'France',
          phoneNumber: '+33612345678',
        },
        deliverer: null,
      },
    });
  });

  test('and every later event is as the contract describes it', async () => {
    const externalReference = { orderId: '2041', cart: { id: 7 } };
    const { _id } = await create({ externalReference });
    await moveShipment(server, shop, _id, 'assign', { driverId: randomUUIDv7() });
    await moveShipment(server, shop, _id, 'deliver');
    const events = await eventsOf(_id);
    expect(events.map(({ type }) => type)).toContain('shipping.delivered');
    for (const { body } of events)
      expect(faultsIn({ answers: { 200: WebhookEventBody } }, 200, JSON.parse(body ?? ''))).toEqual([]);
  });

  test('has the status programmed, and is not repeated when the shipment becomes created', async () => {
    const { _id } = await create(SLOT);
    const [before] = await eventsOf(_id);
    expect(JSON.parse(before?.body ?? '').data.status).toBe('programmed');
    expect(await moveShipment(server, shop, _id, 'activate')).toMatchObject({ to: 'created' });
    expect(await eventsOf(_id)).toEqual([before]);
  });

  test('is immutable: later changes do not alter its bytes', async () => {
    const { _id } = await create();
    const [before] = await eventsOf(_id);
    await moveShipment(server, shop, _id, 'assign', { driverId: randomUUIDv7() });
    await moveShipment(server, shop, _id, 'deliver');
    expect((await eventsOf(_id)).filter(({ type }) => type === 'shipping.created')).toEqual([before]);
  });

  test('cannot exist twice for a shipment: the database refuses', async () => {
    const { _id } = await create();
    const [event] = await eventsOf(_id);
    if (!event) throw new Error('no event');
    const second = server.db.insertInto('events').values({ ...event, id: randomUUIDv7() });
    await expect(second.execute()).rejects.toThrow('one_created_event_per_shipment');
  });

  test('comes with a batch too, one for each shipment, and none for what was refused', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const shippings = [shipmentRequest(), {}, shipmentRequest(SLOT)];
    await server.call(account, 'POST', '/shipping/batch', { body: { shippings } });
    const events = await server.db.selectFrom('events').select('body').where('account_id', '=', account.id).execute();
    expect(events).toHaveLength(2);
    const statuses = events.map(({ body }) => JSON.parse(body ?? '').data.status);
    expect(new Set(statuses)).toEqual(new Set(['created', 'programmed']));
  });
});

describe('secrets', () => {
  test('appear in no other response, event, job or log', async () => {
    const canaries = {
      code: 'canary-code-4711',
      email: 'canary.mail@example.org',
      phone: '+33canary-phone',
      contactEmail: 'canary.contact@example.org',
      contactPhone: '+33canary-contact',
      metadata: 'canary-metadata',
      notes: 'canary-notes',
      key: `canary-key-${randomUUIDv7()}`,
      reason: 'canary-reason',
    };
    const { deliveryAddress } = shipmentRequest();
    const body = shipmentRequest({
      ...SLOT,
      deliveryAddress: { ...deliveryAddress, email: canaries.email, phoneNumber: canaries.phone },
      isCollection: true,
      collectionContact: { email: canaries.contactEmail, phoneNumber: canaries.contactPhone },
      metadata: { canary: canaries.metadata },
      notes: canaries.notes,
    });
    const account = await server.createAccount({ paymentMode: 'deferred' });
    const answers: Record<string, string> = {};
    const call = async (name: string, method: string, path: string, payload?: unknown, headers = {}) => {
      const response = await fetch(`${server.url}${BASE_PATH}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${account.key}`,
          'x-client-id': account.clientId,
          ...(payload ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(payload ? { body: JSON.stringify(payload) } : {}),
      });
      expect(response.status).toBeLessThan(300);
      answers[name] = await response.text();
      return JSON.parse(answers[name]);
    };

    const withKey = { 'x-idempotency-key': canaries.key };
    const { shipping } = await call('creation', 'POST', '/shipping', body, withKey);
    await server.db
      .updateTable('shipments')
      .set({ delivery_code: canaries.code })
      .where('id', '=', shipping._id)
      .execute();
    await call('replay', 'POST', '/shipping', body, withKey);
    await call('document', 'GET', `/shipping/${shipping._id}`);
    await call('by reference', 'GET', `/shipping/reference/${shipping.referenceNumber}`);
    await call('list', 'GET', '/shipping');
    await call('export', 'GET', '/shipping/labels');
    await call('tracking', 'GET', `/shipping/tracking/${shipping.referenceNumber}`);
    await call('stats', 'GET', '/shipping/stats');
    await call('account', 'GET', '/account');
    await moveShipment(server, account, shipping._id, 'assign', { driverId: randomUUIDv7() });
    await call('cancellation', 'PUT', `/shipping/${shipping._id}/cancel`, { reason: canaries.reason });
    await call('batch', 'POST', '/shipping/batch', { shippings: [body] });

    const projections = ['creation', 'replay', 'cancellation', 'batch'];
    const documents = ['document', 'by reference', 'list', 'export'];
    const events = await server.db
      .selectFrom('events')
      .select(['type', 'body'])
      .where('account_id', '=', account.id)
      .execute();
    expect(events.length).toBeGreaterThanOrEqual(4);
    const jobs = await sql<{ data: string }>`select data::text as data from pgboss.job`.execute(server.db);
    const places: Record<string, string> = {
      ...answers,
      ...Object.fromEntries(events.map(({ type, body: text }, i) => [`event ${type} ${i}`, text])),
      jobs: jobs.rows.map(({ data }) => data).join(),
      logs: server.logged(),
    };
    const eventPlaces = Object.keys(places).filter((place) => place.startsWith('event'));
    const allowed: Record<keyof typeof canaries, string[]> = {
      code: [],
      email: [...projections, ...documents],
      phone: [...projections, ...documents, ...eventPlaces],
      contactEmail: documents,
      contactPhone: documents,
      metadata: documents,
      notes: [...projections, ...documents],
      key: documents,
      reason: [],
    };
    for (const [name, canary] of Object.entries(canaries)) {
      const found = Object.keys(places).filter((place) => places[place]?.includes(canary));
      expect({ [name]: found.sort() }).toEqual({ [name]: allowed[name as keyof typeof canaries].sort() });
    }
    expect(places.logs).toContain('"route":"/pro/api/v1/shipping"'); // the log was written, without them
    expect(places.jobs).toContain(shipping._id);
  });

  test('appear neither in the log nor in the response when a creation fails', async () => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    await sql`alter table shipments add constraint refuses_canaries check (notes <> 'canary-failure')`.execute(
      server.db,
    );
    try {
      const body = shipmentRequest({ notes: 'canary-failure', metadata: { canary: 'canary-inside' } });
      const answer = await server.call(account, 'POST', '/shipping', { body });
      expect(answer.status).toBe(400);
      expect(answer.body).toStrictEqual({ success: false, message: expect.any(String) });
      expect(answer.body.message).toContain(answer.headers.get('x-request-id'));
      expect(JSON.stringify(answer.body)).not.toMatch(/canar|constraint|shipments/);
    } finally {
      await sql`alter table shipments drop constraint refuses_canaries`.execute(server.db);
    }
    const line = server
      .logged()
      .split('\n')
      .find((text) => text.includes('request failed'));
    expect(line).toContain('refuses_canaries'); // the name of the rule helps the operator
    expect(server.logged()).not.toMatch(/canary-failure|canary-inside/);
    const stats = await server.call(account, 'GET', '/shipping/stats');
    expect(stats.body.stats.total).toBe(0);
  });
});
