import { afterAll, beforeAll, expect, test } from 'vitest';
import { Navette } from '../../sdk/src/index.ts';
import { eventually } from '../../server/test/eventually.ts';
import { timeLimitMs } from '../../server/test/time-limit.ts';
import { startWebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { isRunning, postmasterOf, useOwnFolders } from '../test/emulator-process.ts';
import { API_KEY, CLIENT_ID, WEBHOOK_SECRET } from './fixed-values.ts';
import { type Emulator, startEmulator } from './index.ts';

const RESET_WITHIN_MS = timeLimitMs(1_000);

const ORDER = {
  deliveryAddress: {
    recipientName: 'Camille Durand',
    street: '8 avenue de l’Opéra',
    city: 'Paris',
    postalCode: '75001',
    phoneNumber: '+33612345678',
    email: 'camille@example.org',
  },
  parcelDetails: { weight: 2.5, nature: 'Vêtements' },
};

const folders = useOwnFolders();
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let emulator: Emulator;
let navette: Navette;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  receiver.expectSecret('/navette', WEBHOOK_SECRET);
  emulator = await startEmulator({ webhook: `${receiver.url}/navette` });
  navette = new Navette({ url: emulator.url, apiKey: API_KEY, clientId: CLIENT_ID });
});
afterAll(async () => {
  await emulator.stop();
  await receiver.stop();
  await folders.remove();
});

const changeTest = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${API_KEY}`, 'x-client-id': CLIENT_ID, 'content-type': 'application/json' };
  const url = `${emulator.url}/pro/api/v1/test${path}`;
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
};

async function deliver(orderId: string): Promise<string> {
  const { shipment } = await navette.shipments.create(ORDER, { idempotencyKey: { orderId } });
  await emulator.until(shipment._id, 'delivered');
  return shipment._id;
}

const eventsOf = (shipmentId: string) =>
  receiver.received
    .map(({ body, faults }) => ({ ...JSON.parse(body.toString()), faults }))
    .filter(({ data }) => data.id === shipmentId)
    .map(({ event, faults }) => [event, ...faults].join(' '));

test('a shipment is delivered by a robot, webhooks arrive on loopback, messages are recorded, and the label is drawn', async () => {
  const id = await deliver('2041');
  await eventually(() => {
    expect(eventsOf(id).sort()).toEqual([
      ...['shipping.assigned', 'shipping.created', 'shipping.delivered', 'shipping.picked_up'],
    ]);
  });
  const messages = await emulator.messages();
  const sms = messages.find(({ channel }) => channel === 'sms');
  expect(sms).toMatchObject({ shipmentId: id, to: '+33612345678' });
  const link = /http\S+/.exec(sms?.text ?? '')?.[0] ?? '';
  expect(link).toContain(emulator.url);
  expect((await fetch(link)).status).toBe(200);
  expect(
    Buffer.from(await navette.labels.pdf(id))
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  expect((await fetch(`${emulator.url}/readyz`)).status).toBe(200);
});

test('the clock of the test account moves to a slot, and a reset sets it back', async () => {
  const scheduledDate = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  const { shipment } = await navette.shipments.create({ ...ORDER, scheduledDate, timeSlot: '14h-16h' });
  expect(shipment.status).toBe('programmed');
  await emulator.moveClock(new Date(`${scheduledDate}T14:00:00+02:00`));
  expect((await navette.shipments.get(shipment._id)).status).toBe('created');
  await emulator.reset();
  const { shipment: next } = await navette.shipments.create(ORDER);
  expect(Date.parse(next.createdAt)).toBeLessThan(Date.now() + 600_000);
});

test('a reset takes less than a second and forgets everything; key and webhook work again', async () => {
  const before = await deliver('2042');
  await changeTest('/account', { paymentStatus: 'suspended' });
  await expect(navette.shipments.create(ORDER)).rejects.toMatchObject({ slug: 'ACCOUNT_SUSPENDED' });
  await emulator.reset(); // first call of the function
  await deliver('2042');
  const from = performance.now();
  await emulator.reset();
  expect(performance.now() - from).toBeLessThan(RESET_WITHIN_MS);

  expect((await navette.shipments.list().pages().next()).value?.total).toBe(0);
  await expect(navette.shipments.get(before)).rejects.toMatchObject({ slug: 'not_found' });
  expect(await emulator.messages()).toEqual([]);
  expect((await navette.webhooks.list()).map(({ url }) => url)).toEqual([`${receiver.url}/navette`]);
  const id = await deliver('2042');
  expect(id).not.toBe(before);
  await eventually(() => expect(eventsOf(id)).toContain('shipping.delivered'));
});

test('resets while shipments are under way leave a consistent service', async () => {
  await changeTest('/courier', { mode: 'auto', secondsPerStep: 1 });
  for (let i = 0; i < 3; i++) {
    await Promise.all(Array.from({ length: 10 }, () => navette.shipments.create(ORDER)));
    await emulator.reset();
    expect((await navette.shipments.list().pages().next()).value?.total).toBe(0);
  }
  await eventually(() => deliver('2043'));
});

test('a page of another site can neither stop nor reset it', async () => {
  for (const path of ['stop', 'reset']) {
    const headers = { origin: 'https://elsewhere.example' };
    expect((await fetch(`${emulator.url}/emulator/${path}`, { method: 'POST', headers })).status).toBe(403);
  }
});

test('a stopped emulator leaves no process and no file', async () => {
  const [folder = ''] = folders.runFolders();
  const pid = postmasterOf(folder);
  expect(isRunning(pid)).toBe(true);
  await emulator.stop();
  expect(isRunning(pid)).toBe(false);
  expect(folders.runFolders()).toEqual([]);
});
