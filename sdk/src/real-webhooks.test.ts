import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { startTestServer, type TestServer } from '../../server/test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../server/test/test-worker.ts';
import { Navette, receiveWebhooks, type WebhookEvent, type WebhookReceiver } from './index.ts';

let server: TestServer;
let worker: TestWorker;
let navette: Navette;
let webhooks: WebhookReceiver;
const handled: [WebhookEvent, origin: string][] = [];
const errors: unknown[] = [];
const merchant = Fastify();

beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'error' });
  worker = await startTestWorker(server);
  const account = await server.createAccount({ paymentMode: 'deferred' });
  navette = new Navette({ url: server.url, apiKey: account.key, clientId: account.clientId });
  const handle = (event: WebhookEvent, { origin }: { origin: string }) => handled.push([event, origin]);
  webhooks = receiveWebhooks({
    secrets: 'the secret of this test',
    handlers: { 'shipping.created': handle, 'shipping.cancelled': handle },
    onError: (error) => errors.push(error),
  });
  await merchant.register(webhooks.fastify, { url: '/navette' });
  const url = `${await merchant.listen({ host: '127.0.0.1', port: 0 })}/navette`;
  await navette.webhooks.create({ url, events: ['shipping.created'], secret: 'the secret of this test' });
});
afterAll(async () => {
  await worker.stop();
  await merchant.close();
  await server.stop();
});

test('the worker’s request is verified, and reconcile adds only the event that was not sent', async () => {
  const deliveryAddress = { ...shipmentRequest().deliveryAddress, recipientName: 'Zoé 👍 \u2028 "Durand"' };
  const { shipment } = await navette.shipments.create(
    shipmentRequest({ deliveryAddress, externalReference: { orderId: 'é' } }),
  );
  await eventually(() => expect(handled).toHaveLength(1));
  const [[event, origin] = []] = handled;
  expect(origin).toBe('webhook');
  expect(event).toMatchObject({
    event: 'shipping.created',
    timestamp: shipment.createdAt,
    data: { id: shipment._id, deliveryAddress: { recipientName: deliveryAddress.recipientName } },
  });

  await navette.shipments.cancel(shipment._id); // nobody has subscribed to this event
  const since = new Date(Date.parse(shipment.createdAt) - 1_000);
  expect(await navette.reconcile({ since, webhooks })).toMatchObject({ changed: 1, handled: 1, failed: 0 });
  expect(handled.map(([{ event }, origin]) => [event, origin])).toEqual([
    ['shipping.created', 'webhook'],
    ['shipping.cancelled', 'reconcile'],
  ]);
  expect(errors).toEqual([]);
});
