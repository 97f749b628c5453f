import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ship } from '../dispatched.ts';
import { subscribe } from '../subscribe.ts';
import type { TestServer } from '../test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts';
import { withWorker } from '../with-worker.ts';
import { startAttackedServer } from './tenant.ts';

let server: TestServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await startAttackedServer();
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const MEGABYTE = 2 ** 20;
const BOMB = gzipSync(Buffer.alloc(200 * MEGABYTE));

test('answers without end, bombs, header floods and redirects cost bounded memory and time, and delay no other webhook', async () => {
  const hostile = await server.createAccount({ paymentMode: 'deferred' });
  const honest = await server.createAccount({ paymentMode: 'deferred' });
  let elsewhere = 0;
  receiver.behave('/elsewhere', (_request, response) => {
    elsewhere++;
    response.end();
  });
  receiver.behave(
    '/redirects',
    (_request, response) => void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end(),
  );
  receiver.behave(
    '/bomb',
    (_request, response) => void response.writeHead(500, { 'content-encoding': 'gzip' }).end(BOMB),
  );
  receiver.behave('/endless', (_request, response) => {
    response.writeHead(500);
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });
  receiver.behave('/headers', (_request, response) => {
    const { socket } = response;
    socket?.write('HTTP/1.1 500 no\r\n');
    const pour = () => {
      while (socket && !socket.destroyed && socket.write(`x-a: ${'b'.repeat(8_000)}\r\n`));
      if (socket && !socket.destroyed) socket.once('drain', pour);
    };
    pour();
  });
  receiver.behave('/continue', (_request, response) => {
    const { socket } = response;
    const pour = () => {
      while (socket && !socket.destroyed && socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)));
      if (socket && !socket.destroyed) socket.once('drain', pour);
    };
    pour();
  });
  const paths = ['/redirects', '/bomb', '/endless', '/headers', '/continue'];
  for (const path of paths) await subscribe(server, receiver, hostile, path, ['shipping.created']);
  await subscribe(server, receiver, honest, '/honest', ['shipping.created']);

  const before = process.memoryUsage().rss;
  await withWorker(server, async () => {
    await ship(server, hostile);
    await ship(server, honest);
    await vi.waitFor(() => expect(receiver.to('/honest')).toHaveLength(1), { timeout: 240_000 });
    const pending = () =>
      server.db.selectFrom('webhook_deliveries').select('status').where('account_id', '=', hostile.id).execute();
    await vi.waitFor(
      async () => {
        const statuses = (await pending()).map(({ status }) => status);
        expect(statuses).toEqual(paths.map(() => 'dropped'));
      },
      { timeout: 240_000, interval: 200 },
    );
  });
  // The receiver runs in this process too; its unsent data is part of the figure.
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MEGABYTE);
  expect(elsewhere).toBe(0);
  const answers = await server.db
    .selectFrom('webhook_attempts')
    .select('answer')
    .where('account_id', '=', hostile.id)
    .execute();
  expect(Math.max(...answers.map(({ answer }) => answer?.length ?? 0))).toBeLessThanOrEqual(1_024);
});
