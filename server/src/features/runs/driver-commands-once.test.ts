import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { sql } from 'kysely';
import decodeQR from 'qr/decode.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { factsOf, ship } from '../../../test/dispatched.ts';
import {
  type ConnectedApp,
  connectApp,
  createTestDriver,
  overHttp,
  type SendCommand,
  type TestDriver,
} from '../../../test/driver-app.ts';
import { type NavetteProcess, startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { assignAnyShipment, explainAnyShipment } from '../dispatch/index.ts';
import { judgeDeliveryQr, signDeliveryQr, signReference } from '../shipments/index.ts';

let server: TestServer;
let other: NavetteProcess;
let shop: TestAccount;
let ana: TestDriver;
let http: SendCommand;
let elsewhere: SendCommand;
let socket: ConnectedApp;
beforeAll(async () => {
  server = await startTestServer();
  other = await startNavette(['api'], server.environment);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  ana = await createTestDriver(server.db);
  [http, elsewhere] = [overHttp(server.url, ana), overHttp(other.url, ana)];
  socket = await connectApp(other.url, ana);
});
afterAll(async () => {
  socket.close();
  await other.stop();
  await server.stop();
});

async function assigned(driver = ana) {
  const shipping = await ship(server, shop);
  const context = { db: server.db, jobs: server.jobs, config: server.config, now: new Date() };
  await assignAnyShipment(context, shipping.referenceNumber, driver.id);
  return { ...shipping, id: shipping._id, code: (await factsOf(server, shipping._id)).code };
}
const START = Date.now();
/** Minutes after the runs were assigned. */
const minute = (minutes: number) => new Date(START + minutes * 60_000);
/** Runs the work on a server whose clock shows this minute. */
async function inMinute<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  server.setNow(minute(minutes));
  return work().finally(() => server.setNow(null));
}
const command = (doneAt?: Date) => ({ commandId: randomUUID(), ...(doneAt ? { doneAt: doneAt.toISOString() } : {}) });
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const timesOf = async (id: string) =>
  (
    await sql<{ picked: Date; departed: Date; delivered: Date; updated: Date; history: { at: string }[] }>`
      select picked_up_at as picked, departed_at as departed, delivered_at as delivered, updated_at as updated,
             status_history as history
      from shipments where id = ${id}`.execute(server.db)
  ).rows[0];

describe('a command with an id', () => {
  test('is applied once, however often it arrives, over both channels and by two processes at once', async () => {
    const { id, code } = await assigned();
    const step = { id, ...command() };
    const sends = [http, elsewhere, socket.send, http, elsewhere, socket.send];
    const answers = await Promise.all(sends.map((send) => send('pickUp', step)));
    expect(answers.map(({ status }) => status)).toEqual(sends.map(() => 200));
    for (const name of ['depart', 'deliver'] as const) {
      const next = { id, ...command(), ...(name === 'deliver' ? { deliveryCode: code } : {}) };
      for (const send of sends) expect(await send(name, next)).toMatchObject({ status: 200 });
    }
    // The first step again, long after the last one: still the same result, and nothing moves back.
    expect(await http('pickUp', step)).toMatchObject({ status: 200, body: { shipping: { status: 'delivered' } } });
    expect(await factsOf(server, id)).toMatchObject({
      history: ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'],
    });
  });

  test('counts a wrong code once, and repeats its refusal', async () => {
    const { id, code } = await assigned();
    const guess = { id, ...command(), deliveryCode: wrongOf(code) };
    const refused = { status: 403, body: { error: 'WRONG_DELIVERY_CODE', attemptsLeft: 4 } };
    const answers = await Promise.all([http, elsewhere, socket.send].map((send) => send('deliver', guess)));
    for (const answer of [...answers, await http('deliver', guess)]) expect(answer).toMatchObject(refused);
    expect(await factsOf(server, id)).toMatchObject({ wrongCodes: 1, status: 'assigned' });
  });

  test('is refused under the id of another command or parcel, and judged again after a refusal that changed nothing', async () => {
    const [one, two] = [await assigned(), await assigned()];
    const used = command();
    await http('pickUp', { id: one.id, ...used });
    const reused = { status: 409, body: { error: 'COMMAND_ID_REUSED' } };
    expect(await http('pickUp', { id: two.id, ...used })).toMatchObject(reused);
    expect(await http('depart', { id: one.id, ...used })).toMatchObject(reused);
    const early = { id: two.id, ...command() };
    expect(await http('depart', early)).toMatchObject({ status: 409, body: { error: 'NOT_ALLOWED_NOW' } });
    await http('pickUp', { id: two.id, ...command() });
    expect(await http('depart', early)).toMatchObject({ status: 200, body: { shipping: { status: 'in_transit' } } });
  });

  test('is another driver’s own: two drivers may use the same id', async () => {
    const bob = await createTestDriver(server.db);
    const [mine, his] = [await assigned(), await assigned(bob)];
    const same = command();
    expect(await http('pickUp', { id: mine.id, ...same })).toMatchObject({ status: 200 });
    expect(await overHttp(server.url, bob)('pickUp', { id: his.id, ...same })).toMatchObject({ status: 200 });
    expect(await overHttp(server.url, bob)('depart', { id: mine.id, ...command() })).toMatchObject({ status: 404 });
  });

  test('applies to availability too', async () => {
    const away = { available: false, ...command() };
    expect(await http('setAvailability', away)).toMatchObject({ body: { driver: { available: false } } });
    await http('setAvailability', { available: true });
    expect(await elsewhere('setAvailability', away)).toMatchObject({ body: { driver: { available: true } } });
  });
});

describe('the time of a step', () => {
  test('is when the driver did it; the history and the event have the time of arrival', async () => {
    const { id, code } = await assigned();
    await inMinute(30, async () => {
      await http('pickUp', { id, ...command(minute(10)) });
      await http('depart', { id, ...command(minute(15)) });
      await http('deliver', { id, ...command(minute(25)), deliveryCode: code });
    });
    const times = await timesOf(id);
    expect(times).toMatchObject({
      picked: minute(10),
      departed: minute(15),
      delivered: minute(25),
      updated: minute(30),
    });
    expect(times?.history.slice(2).map(({ at }) => at)).toEqual(Array(3).fill(minute(30).toISOString()));
    const { body } = await server.call(shop, 'GET', `/shipping/${id}`);
    expect(body.shipping).toMatchObject({
      pickupTime: minute(10).toISOString(),
      deliveryTime: minute(25).toISOString(),
      updatedAt: minute(30).toISOString(),
    });
  });

  test('of a phone whose clock is ten minutes wrong is the arrival, and the operator reads why', async () => {
    const { id, code, referenceNumber } = await assigned();
    await inMinute(5, () => http('pickUp', { id, ...command(minute(15)) }));
    await inMinute(6, () => http('depart', { id, ...command() }));
    await inMinute(7, () => http('deliver', { id, ...command(minute(-3)), deliveryCode: code }));
    expect(await timesOf(id)).toMatchObject({ picked: minute(5), departed: minute(6), delivered: minute(7) });
    const lines = (await explainAnyShipment(server.db, referenceNumber))?.lines.map(({ text }) => text).join('\n');
    expect(lines).toMatch(/for “picked up”. It was not used, because it is in the future/);
    expect(lines).toMatch(/for “delivered”. It was not used, because it is before the previous step/);
  });
});

/** Draws the strokes of the page's QR code, four pixels for each module, and decodes the picture. */
function readQr(page: string): string {
  const [, modules = '0', strokes = ''] = /class="qr" viewBox="0 0 (\d+) .*?<path [^>]*d="([^"]+)"/s.exec(page) ?? [];
  const size = 4 * Number(modules);
  const data = new Uint8ClampedArray(4 * size * size).fill(255);
  for (const [, x, y, length] of strokes.matchAll(/M(\d+) (\d+)[.]5h(\d+)/g))
    for (let row = 4 * Number(y); row < 4 * Number(y) + 4; row++)
      for (let column = 4 * Number(x); column < 4 * (Number(x) + Number(length)); column++)
        data.fill(0, 4 * (row * size + column), 4 * (row * size + column) + 3);
  return decodeQR({ width: size, height: size, data });
}

describe('the QR code of the recipient’s page', () => {
  const qrFor = (referenceNumber: string, at = new Date()) =>
    signDeliveryQr(server.config.linkSecrets, referenceNumber, at);
  const HOUR = 60; // minutes

  test('delivers its parcel when it was scanned in time, also when that arrives after it has expired', async () => {
    const { id, referenceNumber } = await assigned();
    const deliveryQr = qrFor(referenceNumber, minute(-34 * HOUR)); // it expires 2 hours after now at the latest
    const [scanned, arrived] = [minute(-34 * HOUR + 24 * HOUR), 3 * HOUR];
    await inMinute(arrived, async () => {
      const now = { id, deliveryQr, ...command() };
      expect(await http('deliver', now)).toMatchObject({ status: 403, body: { why: 'expired' } });
    });
    expect(judgeDeliveryQr(server.config.linkSecrets, deliveryQr, referenceNumber, scanned)).toBe('valid');
    const fresh = qrFor(referenceNumber);
    const late = { id, deliveryQr: fresh, ...command(minute(HOUR)) };
    await inMinute(24 * HOUR, async () => {
      expect(await http('deliver', late)).toMatchObject({ status: 200, body: { shipping: { status: 'delivered' } } });
    });
  });

  test('is refused when it is forged or another parcel’s; no attempt is counted', async () => {
    const [{ id }, another] = [await assigned(), await assigned()];
    const foreign = qrFor(another.referenceNumber);
    const forged = foreign.replace(another.referenceNumber, 'K7M2P9XW4B');
    expect(await http('deliver', { id, deliveryQr: foreign })).toMatchObject({ body: { why: 'other_parcel' } });
    expect(await http('deliver', { id, deliveryQr: forged })).toMatchObject({ body: { why: 'forged' } });
    expect(await http('deliver', { id })).toMatchObject({ status: 403, body: { error: 'DELIVERY_CODE_REQUIRED' } });
    expect(await factsOf(server, id)).toMatchObject({ wrongCodes: 0, status: 'assigned' });
  });

  test('is on the recipient’s page, and a phone has the key that verifies it', async () => {
    const { referenceNumber } = await assigned();
    const { deliveryKeys } = (await http('readSession')).body;
    const token = qrFor(referenceNumber);
    const [content, signature] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)];
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: deliveryKeys[0] }, format: 'jwk' });
    expect(verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64url'))).toBe(true);
    const page = await fetch(`${server.url}/t/${signReference(server.config.linkSecrets, 'track', referenceNumber)}`);
    expect(readQr(await page.text())).toBe(qrFor(referenceNumber));
  });
});

test('every invariant holds afterwards', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
