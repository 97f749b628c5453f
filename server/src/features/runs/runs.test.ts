import { DRIVER_ENDPOINTS, type DriverEndpoint, type DriverEndpointName, isSocketCommand } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { callApi } from '../../../test/call-api.ts';
import { faultsIn } from '../../../test/contract-faults.ts';
import { crowd } from '../../../test/crowd.ts';
import { factsOf, ship } from '../../../test/dispatched.ts';
import {
  type ConnectedApp,
  connectApp,
  createTestDriver,
  overHttp,
  type SendCommand,
  type TestDriver,
} from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { type NavetteProcess, runNavette, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { assignAnyShipment } from '../dispatch/index.ts';
import { signReference } from '../shipments/signed-reference.ts';

let server: TestServer;
let other: NavetteProcess;
let shop: TestAccount;
let ana: TestDriver;
let bob: TestDriver;
let app: ConnectedApp;
let http: SendCommand;
beforeAll(async () => {
  server = await startTestServer();
  other = await startNavette(['api'], server.environment);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  [ana, bob] = [await createTestDriver(server.db), await createTestDriver(server.db)];
  app = await connectApp(other.url, ana);
  http = overHttp(server.url, ana);
});
afterAll(async () => {
  app.close();
  await other.stop();
  await server.stop();
});

async function assigned(changes: Parameters<typeof ship>[2] = {}, driver = ana) {
  const shipping = await ship(server, shop, changes);
  const context = { db: server.db, jobs: server.jobs, config: server.config, now: new Date() };
  expect(await assignAnyShipment(context, shipping.referenceNumber, driver.id)).toMatchObject({ outcome: 'done' });
  return { ...shipping, code: (await factsOf(server, shipping._id)).code };
}
const wrongOf = (code: string, i = 1) => String((Number(code) + i) % 1_000_000).padStart(6, '0');
const collection = {
  isCollection: true,
  collectionContact: { phoneNumber: '+33698765432', email: 'contact@example.org', name: 'Léa' },
};

describe('a run', () => {
  test('over HTTP: every step returns the shipment and sends an event, except the departure', async () => {
    const { _id: id, code } = await assigned({ notes: 'Sonner deux fois' });
    expect((await http('listShipments')).body.shippings).toMatchObject([{ id, status: 'assigned' }]);
    expect(await http('pickUp', { id })).toMatchObject({ status: 200, body: { shipping: { status: 'picked_up' } } });
    expect(await http('depart', { id })).toMatchObject({ status: 200, body: { shipping: { status: 'in_transit' } } });
    const done = await http('deliver', { id, deliveryCode: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
    expect(done).toMatchObject({ status: 200, body: { shipping: { status: 'delivered' } } });
    expect((await factsOf(server, id)).events).toEqual([
      'shipping.created',
      'shipping.assigned',
      'shipping.picked_up',
      'shipping.delivered',
    ]);
    expect((await http('listShipments')).body.shippings).toEqual([]);
  });

  test('over the socket, on another process: the same responses, and no events', async () => {
    const { _id: id, code } = await assigned();
    expect(await app.send('pickUp', { id })).toMatchObject({
      status: 200,
      body: { shipping: { status: 'picked_up' } },
    });
    expect(await app.send('depart', { id })).toMatchObject({ status: 200 });
    expect(await app.send('deliver', { id, deliveryCode: code })).toMatchObject({ status: 200 });
    expect(await factsOf(server, id)).toMatchObject({
      history: ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'],
      events: ['shipping.created', 'shipping.assigned'],
    });
  });

  test('over the socket, twelve at once: commands that waited in the queue send no events either', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await assigned())._id));
    const answers = await Promise.all(ids.map((id) => app.send('pickUp', { id })));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const facts = await Promise.all(ids.map((id) => factsOf(server, id)));
    expect(facts.map(({ events }) => events)).toEqual(ids.map(() => ['shipping.created', 'shipping.assigned']));
    for (const id of ids) await http('depart', { id });
  });

  test('repeating a step is no error and changes nothing', async () => {
    const { _id: id, code } = await assigned();
    for (const name of ['pickUp', 'depart', 'deliver'] as const) {
      expect(await http(name, { id, deliveryCode: code })).toMatchObject({ status: 200 });
      expect(await http(name, { id, deliveryCode: code })).toMatchObject({ status: 200 });
    }
    expect((await factsOf(server, id)).events).toHaveLength(4);
    expect(await http('pickUp', { id })).toMatchObject({ status: 409, body: { error: 'NOT_ALLOWED_NOW' } });
    expect(await http('abandon', { id })).toMatchObject({ status: 409, body: { error: 'NOT_ALLOWED_NOW' } });
  });

  test('shows its driver the addresses, and no code, price, e-mail or merchant’s data', async () => {
    const changes = { ...collection, metadata: { secret: 'cost 12' }, notes: 'Code porte 12B', groupReference: 'G-1' };
    const { _id: id, code } = await assigned(changes);
    const { body } = await http('readShipment', { id });
    expect(faultsIn({ ...DRIVER_ENDPOINTS.readShipment } as never, 200, body)).toEqual([]);
    expect(body.shipping).toMatchObject({
      delivery: { recipientName: 'Camille Durand', phoneNumber: '+33612345678', coordinates: { latitude: 48.8638 } },
      collectionContact: { name: 'Léa', phoneNumber: '+33698765432' },
      notes: 'Code porte 12B',
      assignedAt: expect.any(String),
    });
    for (const answer of [body, (await app.send('readShipment', { id })).body])
      expect(JSON.stringify(answer)).not.toMatch(
        new RegExp(`\\b${code}\\b|\\b8[.]5\\b|@example|cost 12|G-1|${shop.id}`),
      );
  });
});

describe('a collection', () => {
  test('is picked up with the QR code of its contact: signed, for this shipment, and used once', async () => {
    const [one, two] = [await assigned(collection), await assigned(collection)];
    const tokenOf = ({ referenceNumber }: { referenceNumber: string }, purpose: 'pick-up' | 'track' = 'pick-up') =>
      signReference(server.config.linkSecrets, purpose, referenceNumber);
    const pickUp = (pickupToken?: string) =>
      app.send('pickUp', { id: one._id, ...(pickupToken ? { pickupToken } : {}) });
    expect(await pickUp()).toMatchObject({ status: 403, body: { error: 'PICKUP_TOKEN_REQUIRED' } });
    const forged = [tokenOf(two), tokenOf(one, 'track'), `${one.referenceNumber}AAAAAAAAAAAAAAAA`, 'x'];
    for (const token of forged)
      expect(await pickUp(token)).toMatchObject({ status: 403, body: { error: 'WRONG_PICKUP_TOKEN' } });
    expect((await factsOf(server, one._id)).status).toBe('assigned');
    expect(await pickUp(tokenOf(one))).toMatchObject({ status: 200, body: { shipping: { status: 'picked_up' } } });
    await http('depart', { id: one._id });
    expect(await pickUp(tokenOf(one))).toMatchObject({ status: 409, body: { error: 'NOT_ALLOWED_NOW' } });
  });
});

describe('the recipient’s code', () => {
  test('five wrong ones lock the shipment: then even the right one is refused, and the operator confirms', async () => {
    const { _id: id, code, referenceNumber } = await assigned();
    for (const left of [4, 3, 2, 1]) {
      const answer = await (left % 2 === 0 ? http : app.send)('deliver', { id, deliveryCode: wrongOf(code, left) });
      expect(answer).toMatchObject({ status: 403, body: { error: 'WRONG_DELIVERY_CODE', attemptsLeft: left } });
    }
    for (const deliveryCode of [wrongOf(code), code])
      expect(await http('deliver', { id, deliveryCode })).toMatchObject({
        status: 403,
        body: { error: 'DELIVERY_CODE_LOCKED' },
      });
    expect(await factsOf(server, id)).toMatchObject({ status: 'assigned', wrongCodes: 5 });

    // A reassignment does not reset the count.
    const context = { db: server.db, jobs: server.jobs, config: server.config, now: new Date() };
    await assignAnyShipment(context, referenceNumber, bob.id);
    const theirs = await overHttp(server.url, bob)('deliver', { id, deliveryCode: code });
    expect(theirs).toMatchObject({ status: 403, body: { error: 'DELIVERY_CODE_LOCKED' } });

    const confirm = (...args: string[]) =>
      runNavette(['shipment', 'confirm-delivery', referenceNumber, ...args], server.environment);
    expect(await confirm()).toMatchObject({ code: 2 });
    expect(await confirm('--reason', 'Vu avec le destinataire')).toMatchObject({ code: 0 });
    expect((await factsOf(server, id)).events.at(-1)).toBe('shipping.delivered');
    const kept = await server.db
      .selectFrom('shipments')
      .select('delivery_reason')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(kept).toEqual({ delivery_reason: 'Vu avec le destinataire' });
  });

  test('of a hundred and twenty concurrent guesses over both channels and two processes, five are compared', async () => {
    const guesser = await createTestDriver(server.db);
    const { _id: id, code } = await assigned({}, guesser);
    const sockets = await Promise.all(
      [server.url, other.url].flatMap((url) => [1, 2, 3, 4].map(() => connectApp(url, guesser))),
    );
    const senders = [
      ...sockets.map(({ send }) => send),
      ...[server.url, other.url].map((url) => overHttp(url, guesser)),
    ];
    // The right code is among them: if more than five were compared, it could succeed.
    const guesses = Array.from({ length: 120 }, (_, i) => (i === 60 ? code : wrongOf(code, i + 1)));
    const answers = await crowd(40, guesses, (deliveryCode, i) =>
      (senders[i % senders.length] as SendCommand)('deliver', { id, deliveryCode }),
    );
    const count = (error: string) => answers.filter(({ body }) => body.error === error).length;
    expect(count('WRONG_DELIVERY_CODE')).toBe(4);
    expect(count('DELIVERY_CODE_LOCKED')).toBe(116);
    expect(await factsOf(server, id)).toMatchObject({ status: 'assigned', wrongCodes: 5 });
    for (const socket of sockets) socket.close();
  });

  test('uses up no attempt on a shipment that cannot be delivered now', async () => {
    const { _id: id, code } = await assigned();
    await server.call(shop, 'PUT', `/shipping/${id}/cancel`);
    const answer = await http('deliver', { id, deliveryCode: wrongOf(code) });
    expect(answer).toMatchObject({ status: 409, body: { error: 'NOT_ALLOWED_NOW' } });
    expect((await factsOf(server, id)).wrongCodes).toBe(0);
  });
});

describe('another driver’s shipment', () => {
  const commands = Object.entries<DriverEndpoint>(DRIVER_ENDPOINTS).filter(([, endpoint]) => endpoint.findsOne);
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
  const FIELDS: Partial<Record<DriverEndpointName, object>> = {
    reportIncident: { kind: 'other' },
    addProof: { kind: 'photo', content: PIXEL },
  };

  test.each(commands)(
    '%s returns 404 over its channels, as for a shipment that does not exist',
    async (name, endpoint) => {
      const { _id: id, code } = await assigned({}, bob);
      for (const send of isSocketCommand(endpoint) ? [http, app.send] : [http]) {
        const command = name as DriverEndpointName;
        const fields = { deliveryCode: code, ...FIELDS[command] };
        const foreign = await send(command, { ...fields, id });
        expect(foreign).toEqual({ status: 404, body: { success: false, message: expect.any(String) } });
        for (const unknown of ['01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60', 'x', "1' or 1=1", '../session', undefined])
          expect(await send(command, { ...fields, id: unknown })).toEqual(foreign);
      }
      expect(await factsOf(server, id)).toMatchObject({ status: 'assigned', driver: bob.id, wrongCodes: 0 });
    },
  );

  test('is in no list', async () => {
    const { _id } = await assigned({}, bob);
    for (const send of [http, app.send]) expect(JSON.stringify((await send('listShipments')).body)).not.toContain(_id);
  });
});

describe('credentials', () => {
  test('a driver’s token is refused by every merchant route, and a merchant’s key by every command', async () => {
    const asMerchant = { key: ana.token, clientId: shop.clientId };
    for (const path of ['/account', '/shipping', '/shipping/stats', '/shipping/auth/test'])
      expect(await server.call(asMerchant, 'GET', path)).toMatchObject({
        status: 401,
        body: { error: 'INVALID_API_KEY' },
      });
    for (const path of ['/shipping', '/rates', '/shipping/batch'])
      expect(await server.call(asMerchant, 'POST', path, { body: {} })).toMatchObject({ status: 401 });
    const impostor = overHttp(server.url, { token: shop.key });
    for (const name of Object.keys(DRIVER_ENDPOINTS) as DriverEndpointName[]) {
      if ((DRIVER_ENDPOINTS[name] as DriverEndpoint).open) continue;
      expect(await impostor(name, { id: 'x' })).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
    }
    await expect(connectApp(server.url, { token: shop.key })).rejects.toMatchObject({
      data: { error: 'INVALID_TOKEN' },
    });
    const url = `${server.url}/driver/api/v1/session`;
    expect(await callApi(url, {}, 'GET')).toMatchObject({ status: 401, body: { error: 'MISSING_TOKEN' } });
  });
});

test('afterwards every invariant holds, and no log line holds a code, a name or a token', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
  const codes = await server.db.selectFrom('shipments').select('delivery_code').execute();
  const logged = server.logged();
  expect(logged).toContain(ana.id);
  for (const secret of [ana.token, bob.token, shop.key, 'Camille', 'Leroy', '+336'])
    expect(logged).not.toContain(secret);
  for (const { delivery_code } of codes) expect(logged).not.toMatch(new RegExp(`"${delivery_code}"`));
  await eventually(() => expect(other.logged()).toContain('/driver/api/v1/shippings/:id/deliver'));
  expect(other.logged()).not.toContain(ana.token);
});
