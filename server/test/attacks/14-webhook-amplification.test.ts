import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shipMany } from '../dispatched.ts';
import type { TestServer } from '../test-server.ts';
import { withWorker } from '../with-worker.ts';
import { startAttackedServer } from './tenant.ts';

const WEBHOOKS = 20;
const SHIPMENTS = 10;
const IN_FLIGHT = 8;

let server: TestServer;
let target: Server;
let underWay = 0;
let peak = 0;
let arrived = 0;
beforeAll(async () => {
  server = await startAttackedServer({ WEBHOOK_HOST_IN_FLIGHT: String(IN_FLIGHT) });
  target = createServer((request, response) => {
    arrived++;
    peak = Math.max(peak, ++underWay);
    request.resume();
    setTimeout(() => {
      underWay--;
      response.writeHead(200).end();
    }, 20);
  });
  await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  await server.stop();
  target.closeAllConnections();
  target.close();
});

test('one batch of ten reaches a host with a bounded number of requests at a time, and all of them arrive', async () => {
  const account = await server.createAccount({ paymentMode: 'deferred' });
  const { port } = target.address() as AddressInfo;
  const save = (i: number) =>
    server.call(account, 'POST', '/webhooks', {
      body: { url: `http://127.0.0.1:${port}/${i}`, events: ['shipping.created'] },
    });
  for (let i = 0; i < WEBHOOKS; i++) expect((await save(i)).status).toBe(201);
  // No account has more, also with concurrent requests.
  const more = await Promise.all(Array.from({ length: 10 }, (_, i) => save(WEBHOOKS + i)));
  expect(new Set(more.map(({ status }) => status))).toEqual(new Set([400]));

  await withWorker(server, async () => {
    await shipMany(server, account, SHIPMENTS);
    await vi.waitFor(() => expect(arrived).toBe(WEBHOOKS * SHIPMENTS), { timeout: 240_000, interval: 100 });
  });
  expect(peak).toBeLessThanOrEqual(IN_FLIGHT);
});
