import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { subscribe } from '../../server/test/subscribe.ts';
import type { TestAccount, TestServer } from '../../server/test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../server/test/test-worker.ts';
import { createTwin } from '../../server/test/twin.ts';
import type { WebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { startWebhookServer, type WebhookServer } from '../../server/test/webhook-server.ts';
import { environmentOf, runCli } from '../test/run-cli.ts';

let both: WebhookServer;
let server: TestServer;
let receiver: WebhookReceiver;
let worker: TestWorker;
let twin: TestAccount;

beforeAll(async () => {
  both = await startWebhookServer();
  ({ server, receiver } = both);
  worker = await startTestWorker(server);
  twin = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
  await subscribe(server, receiver, twin, '/hook');
});
afterAll(async () => {
  await worker.stop();
  await both.stop();
});

const run = (...args: string[]) => runCli(args, environmentOf(server, twin));
const typesOf = (shipmentId: string) =>
  receiver
    .to('/hook')
    .filter(({ body }) => JSON.parse(body.toString()).data.id === shipmentId)
    .map(({ headers }) => String(headers['x-service-event']))
    .toSorted((a, b) => a.localeCompare(b));

test('trigger causes each event, with a real shipment behind it', async () => {
  const delivered = await run('trigger', 'shipping.delivered', '--order-id', '2041', '--json');
  expect(delivered).toMatchObject({ code: 0, stderr: '' });
  const { shipmentId, status } = JSON.parse(delivered.stdout);
  expect(status).toBe('delivered');
  const expected = ['assigned', 'created', 'delivered', 'picked_up'].map((name) => `shipping.${name}`);
  await eventually(() => expect(typesOf(shipmentId)).toEqual(expected));
  const { body } = await server.call(twin, 'GET', `/shipping/${shipmentId}`);
  expect(body.shipping.externalReference.orderId).toBe('2041');

  const created = JSON.parse((await run('trigger', 'shipping.created', '--json')).stdout);
  expect(created.status).toBe('created');
  const cancelled = await run('trigger', 'shipping.cancelled', '--shipment', created.shipmentId);
  expect(cancelled.stdout).toContain(`shipping.cancelled: shipment ${created.shipmentId}`);
  await eventually(() => expect(typesOf(created.shipmentId)).toEqual(['shipping.cancelled', 'shipping.created']));
  expect((await run('trigger', 'shipping.delivered', '--shipment', created.shipmentId)).code).toBe(1);
});

test('events resend sends the same body again, with another signature', async () => {
  const { shipmentId } = JSON.parse((await run('trigger', 'shipping.created', '--json')).stdout);
  await eventually(() => expect(typesOf(shipmentId)).toHaveLength(1));
  const { id } = await server.db
    .selectFrom('events')
    .select('id')
    .where('account_id', '=', twin.id)
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  await eventually(async () => {
    const delivery = await server.db
      .selectFrom('webhook_deliveries')
      .select('status')
      .where('account_id', '=', twin.id)
      .where('event_id', '=', id)
      .executeTakeFirst();
    expect(delivery?.status).toBe('delivered');
  });
  const resent = await run('events', 'resend', id);
  expect(resent).toMatchObject({ code: 0, stdout: 'sent to 1 webhook again.' });
  await eventually(() => expect(typesOf(shipmentId)).toHaveLength(2));
  const [first, second] = receiver.to('/hook').filter(({ body }) => body.toString().includes(shipmentId));
  expect(second?.body).toEqual(first?.body);
  expect(second?.headers['x-service-signature']).not.toBe(first?.headers['x-service-signature']);
  expect(receiver.received.flatMap(({ faults }) => faults)).toEqual([]);
  expect(await run('events', 'resend', shipmentId)).toMatchObject({ code: 1 }); // a shipment is no event
});

test('both commands refuse a live key before they change anything', async () => {
  const live = await server.createAccount({ paymentMode: 'deferred' });
  for (const args of [
    ['trigger', 'shipping.created'],
    ['events', 'resend', twin.id],
  ]) {
    const { code, stderr } = await runCli(args, environmentOf(server, live));
    expect([code, stderr]).toEqual([2, expect.stringContaining('navette_test_')]);
  }
  expect((await server.call(live, 'GET', '/shipping')).body.pagination.total).toBe(0);
  expect((await run('trigger', 'shipping.lost')).code).toBe(2);
});
