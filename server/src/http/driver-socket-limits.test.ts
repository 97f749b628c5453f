import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { Server } from 'socket.io';
import { expect, test } from 'vitest';
import { createTokenBucket } from '../concurrency/token-bucket.ts';
import { type Connection, limitDriverSockets } from './driver-socket-limits.ts';

test('a connection whose client does not read is closed, so that memory stays bounded', async () => {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const io = new Server(http);
  limitDriverSockets(io, 720, pino({ level: 'silent' }) as FastifyBaseLogger);
  const opened = once(io.engine, 'connection') as Promise<[Connection]>;
  const client = connect((http.address() as AddressInfo).port, '127.0.0.1');
  client.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n' +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n',
  );
  const [connection] = await opened;
  client.pause();
  let sent = 0;
  while (connection.readyState === 'open' && sent < 20_000) {
    connection.write('x'.repeat(10_000));
    if (++sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(connection.readyState).not.toBe('open');
  expect(sent).toBeGreaterThan(500); // the network's own buffers, then five hundred
  client.destroy();
  await io.close();
});

test('an app is not throttled in a day of positions, manual commands, and fifty queued commands every five minutes', () => {
  let now = 0;
  const bucket = createTokenBucket({ burst: 200, perMinute: 720 }, () => now);
  let refused = 0;
  for (let second = 0; second < 86_400; second++) {
    now = second * 1_000;
    const commands = (second % 5 === 0 ? 1 : 0) + (second % 2 === 0 ? 1 : 0) + (second % 300 === 0 ? 50 : 0);
    for (let i = 0; i < commands; i++) if (!bucket.take()) refused++;
  }
  expect(refused).toBe(0);
});

test('a bucket allows its burst at once and its rate in the long run, also when it refuses often', () => {
  let now = 0;
  const bucket = createTokenBucket({ burst: 200, perMinute: 720 }, () => now);
  let passed = 0;
  for (; now < 600_000; now += 10) for (let i = 0; i < 5; i++) if (bucket.take()) passed++;
  expect(passed).toBeGreaterThan(200 + 7_200 - 2);
  expect(passed).toBeLessThanOrEqual(200 + 7_200);
});
