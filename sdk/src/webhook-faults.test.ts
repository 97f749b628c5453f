import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../server/test/broken-invariants.ts';
import { ship } from '../../server/test/dispatched.ts';
import { eventually } from '../../server/test/eventually.ts';
import { subscribe } from '../../server/test/subscribe.ts';
import type { TestAccount, TestServer } from '../../server/test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../server/test/test-worker.ts';
import { createTwin } from '../../server/test/twin.ts';
import type { Received, WebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { startWebhookServer, type WebhookServer } from '../../server/test/webhook-server.ts';
import { receiveWebhooks, verifyWebhook } from './index.ts';

let started: WebhookServer;
let server: TestServer;
let receiver: WebhookReceiver;
let worker: TestWorker;
let twin: TestAccount;
let live: TestAccount;
beforeAll(async () => {
  started = await startWebhookServer();
  ({ server, receiver } = started);
  worker = await startTestWorker(server);
  live = await server.createAccount({ paymentMode: 'deferred' });
  twin = await createTwin(server, live);
});
afterAll(async () => {
  await worker.stop();
  await started.stop();
});

const setFault = (account: TestAccount, id: string, fault: string) =>
  server.call(account, 'PUT', `/test/webhooks/${id}`, { body: { fault } });

/** A webhook of the twin with this fault, at a path of its own. */
async function faulty(fault: string, events = ['shipping.created']) {
  const path = `/${fault}`;
  const webhook = await subscribe(server, receiver, twin, path, events);
  const { status, body } = await setFault(twin, webhook._id, fault);
  expect([status, body.webhook]).toEqual([200, { _id: webhook._id, fault }]);
  return { path, id: webhook._id, secret: webhook.secret };
}
const subjectsAt = (path: string) =>
  receiver.to(path).map(({ body }) => {
    const { event, data } = JSON.parse(body.toString());
    return `${event} ${data.id}`;
  });

/** The SDK's verdict on a request. */
const judge = (request: Received, secret: string) =>
  verifyWebhook({ headers: request.headers, rawBody: request.body }, { secrets: secret }).then(
    () => 'accepted',
    (error: { slug?: string }) => error.slug,
  );
const judgeAll = (path: string, secret: string) =>
  Promise.all(receiver.to(path).map((request) => judge(request, secret)));
/** Waits for the end of the shipment's deliveries to this webhook; returns their attempts. */
async function settled(webhookId: string, shipmentId: string) {
  return eventually(async () => {
    const rows = await server.db
      .selectFrom('webhook_deliveries as d')
      .innerJoin('events as e', 'e.id', 'd.event_id')
      .select(['e.type', 'd.status', 'd.attempts'])
      .where('d.webhook_id', '=', webhookId)
      .where('e.shipment_id', '=', shipmentId)
      .where('d.settled_at', 'is not', null)
      .orderBy('e.id')
      .execute();
    expect(rows).not.toEqual([]);
    return rows;
  });
}

describe('a webhook of a test account sends an event', () => {
  test('twice: both requests are verified, and the SDK’s receiver handles one', async () => {
    const { path, id, secret } = await faulty('twice');
    const { _id } = await ship(server, twin);
    expect(await settled(id, _id)).toEqual([{ type: 'shipping.created', status: 'delivered', attempts: 2 }]);
    expect(subjectsAt(path)).toEqual(Array(2).fill(`shipping.created ${_id}`));
    expect(await judgeAll(path, secret)).toEqual(['accepted', 'accepted']);
    const handled: string[] = [];
    const webhooks = receiveWebhooks({
      secrets: secret,
      handlers: { 'shipping.created': ({ data }) => handled.push(data.id) },
      onError: (error) => expect.fail(String(error)),
    });
    for (const { headers, body } of receiver.to(path)) {
      const request = new Request(receiver.url, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
      });
      expect((await webhooks.fetch(request)).status).toBe(200);
    }
    await webhooks.idle();
    expect(handled).toEqual([_id]);
  });

  test('out of order: a later event of the shipment arrives first', async () => {
    const { path, id, secret } = await faulty('out_of_order', ['shipping.created', 'shipping.cancelled']);
    const { _id } = await ship(server, twin);
    await server.call(twin, 'PUT', `/shipping/${_id}/cancel`);
    await eventually(async () => expect(await settled(id, _id)).toHaveLength(2));
    expect(subjectsAt(path)).toEqual([`shipping.cancelled ${_id}`, `shipping.created ${_id}`]);
    expect(await judgeAll(path, secret)).toEqual(['accepted', 'accepted']);
    await setFault(twin, id, 'none'); // the other tests' events have no successor to wait for
  });

  test('late: ten seconds after it happened, with a signature of the time of sending', async () => {
    const { path, id, secret } = await faulty('late');
    const { _id } = await ship(server, twin);
    await settled(id, _id);
    expect(await judgeAll(path, secret)).toEqual(['accepted']);
    const [{ headers, body } = expect.fail('nothing arrived')] = receiver.to(path);
    const happenedAt = Date.parse(JSON.parse(body.toString()).timestamp);
    expect(Date.parse(String(headers['x-service-timestamp'])) - happenedAt).toBeGreaterThanOrEqual(9_900);
  });

  test('with a bad signature: the SDK refuses each of the three attempts of a receiver that checks it', async () => {
    const { path, id, secret } = await faulty('bad_signature');
    receiver.behave(path, ({ faults }, response) => response.writeHead(faults.length > 0 ? 401 : 200).end());
    const { _id } = await ship(server, twin);
    expect(await settled(id, _id)).toEqual([{ type: 'shipping.created', status: 'dropped', attempts: 3 }]);
    expect(receiver.to(path).map(({ faults }) => faults)).toEqual(Array(3).fill(['signature is of the raw body']));
    expect(await judgeAll(path, secret)).toEqual(Array(3).fill('webhook_signature'));
  });

  test('with an old timestamp: correctly signed, and refused by the SDK as expired', async () => {
    const { path, id, secret } = await faulty('old_timestamp');
    const { _id } = await ship(server, twin);
    await settled(id, _id);
    expect(receiver.to(path).map(({ faults }) => faults)).toEqual([['timestamp is of now']]);
    expect(await judgeAll(path, secret)).toEqual(['webhook_expired']);
  });

  test('that counts as failed three times although the receiver answered 200', async () => {
    const { path, id, secret } = await faulty('three_failures');
    const { _id } = await ship(server, twin);
    expect(await settled(id, _id)).toEqual([{ type: 'shipping.created', status: 'dropped', attempts: 3 }]);
    expect(await judgeAll(path, secret)).toEqual(['accepted', 'accepted', 'accepted']);
    const attempts = await server.db
      .selectFrom('webhook_attempts')
      .select(['status', 'error'])
      .where('webhook_id', '=', id)
      .execute();
    expect(attempts).toEqual(Array(3).fill({ status: null, error: 'TEST_FAULT' }));
  });
});

describe('without a fault', () => {
  test('a webhook next to one with a fault, and one whose fault was removed, send once and correctly', async () => {
    const plain = await subscribe(server, receiver, twin, '/plain', ['shipping.created']);
    await setFault(twin, plain._id, 'bad_signature');
    await setFault(twin, plain._id, 'none');
    expect((await server.call(twin, 'GET', `/test/webhooks/${plain._id}`)).body.webhook.fault).toBe('none');
    const { _id } = await ship(server, twin);
    expect(await settled(plain._id, _id)).toEqual([{ type: 'shipping.created', status: 'delivered', attempts: 1 }]);
    expect(receiver.to('/plain').map(({ faults }) => faults)).toEqual([[]]);
  });

  test('a live account can have none: the endpoint is unknown and the database refuses it', async () => {
    const { _id } = await subscribe(server, receiver, live, '/live');
    expect((await setFault(live, _id, 'twice')).status).toBe(404);
    expect((await setFault(twin, _id, 'twice')).status).toBe(404);
    const bypass = server.db.updateTable('webhooks').set({ test_fault: 'twice' }).where('id', '=', _id).execute();
    await expect(bypass).rejects.toThrow('has no fault');
  });

  test('every invariant holds afterwards', async () => {
    await workDone(server);
    expect(await brokenInvariants(server)).toEqual([]);
  });
});
