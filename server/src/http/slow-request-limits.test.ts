import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { DRIVER_SOCKET_PATH } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { Server } from 'socket.io';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../observability/create-log.ts';
import { refuse } from '../refusals/refusal.ts';
import { createHttpServer } from './server.ts';
import type { SlowRequestLimits } from './slow-request-limits.ts';

const LIMITS = { headersMs: 1_000, bodyMs: 500, bodyBytes: 1_000, requestMs: 60_000, checkEveryMs: 20 };

const lines: string[] = [];
let app: FastifyInstance;
beforeAll(async () => {
  app = await listen(LIMITS);
});
afterAll(() => app.close());

async function listen(limits?: SlowRequestLimits): Promise<FastifyInstance> {
  const server = createHttpServer(
    readConfig({}),
    createLog('info', { write: (line) => void lines.push(line) }),
    limits,
  );
  server.post('/length', async ({ body }) => ({ length: JSON.stringify(body).length }));
  server.post('/slow', () => sleep(4 * LIMITS.bodyMs, { answered: true }));
  const onRequest = async () => refuse('INVALID_API_KEY');
  server.post('/refused', { onRequest }, () => ({}));
  server.get('/read', () => ({ read: true }));
  const io = new Server(server.server, { path: DRIVER_SOCKET_PATH });
  server.addHook('preClose', () => io.engine.close());
  await server.listen({ host: '127.0.0.1', port: 0 });
  return server;
}

/** A client that the test writes through; `answer` is everything received until the server ends the connection. */
function open(start: string, { server } = app): { socket: Socket; answer: Promise<string> } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}); // the server may end the connection during a write
  onTestFinished(() => void socket.destroy());
  socket.write(start);
  const answer = text(socket);
  answer.catch(() => {}); // awaited by some tests only
  return { socket, answer };
}

/** Writes one byte after another until the server ends the connection. */
async function trickle(socket: Socket, next: () => string): Promise<void> {
  while (socket.writable && !socket.destroyed) {
    socket.write(next());
    await sleep(20);
    await setImmediate(); // reads the end of the connection before the next write, which would fail
  }
}

const post = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');
const sized = (path: string, bytes: number) => post(path, `Content-Length: ${bytes}`);
const chunked = (path: string) => post(path, 'Transfer-Encoding: chunked', 'Connection: close');
const chunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`;

const LATE = /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*\r\n\r\n\{"success":false,"message":"[^"]+"\}$/;

describe('a body that arrives too slowly', () => {
  test.each([
    ['of a small size', sized('/length', 900), () => ' '],
    ['of a large size', sized('/length', 500_000), () => ' '],
    ['of unknown size', chunked('/length'), () => chunk(' ')],
    ['to an unknown path', sized('/nothing', 900), () => ' '],
  ])('%s is answered 408 message only, and the connection ends', async (_name, head, next) => {
    const { socket, answer } = open(head);
    await trickle(socket, next);
    expect(await answer).toMatch(LATE);
  });

  test('is logged as the 408 that was sent', async () => {
    lines.length = 0;
    const { answer } = open(post('/length', 'Content-Length: 900', 'X-Request-Id: late-body-1'));
    expect(await answer).toContain('x-request-id: late-body-1');
    expect(lines.filter((line) => line.includes('late-body-1'))).toEqual([expect.stringContaining('"status":408')]);
  });

  test.each([
    ['refused before its body', '401 Unauthorized', sized('/refused', 900)],
    ['whose body is not read', '200 OK', 'GET /read HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n'],
  ])('of a request %s is answered at once, and the connection ends', async (_name, status, head) => {
    const { answer } = open(head);
    expect(await answer).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n[^]*\r\n\r\n[^\r]+$`)); // exactly one response
  });
});

test('a body that arrives too slowly at the drivers’ socket is answered 408, and the connection ends', async () => {
  const { port } = app.server.address() as AddressInfo;
  const path = `${DRIVER_SOCKET_PATH}/?EIO=4&transport=polling`;
  const handshake = await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const { answer } = open(sized(`${path}&sid=${JSON.parse(handshake.slice(1)).sid}`, 900));
  expect(await answer).toMatch(LATE);
});

describe('a body that arrives fast enough', () => {
  const content = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;

  test.each([
    ['of a large size', sized('/length', 50_000), content(50_000).slice(0, 40_000), content(50_000).slice(40_000)],
    [
      'of unknown size',
      chunked('/length'),
      chunk(content(50_000).slice(0, 40_000)),
      `${chunk(content(50_000).slice(40_000))}0\r\n\r\n`,
    ],
  ])('%s gets further periods', async (_name, head, first, rest) => {
    const arrived = once(app.server, 'request');
    const { socket } = open(head);
    await arrived;
    socket.write(first);
    await sleep(3 * LIMITS.bodyMs);
    socket.write(rest);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('HTTP/1.1 200 OK');
    expect(String(answer)).toContain('{"length":50000}');
  });

  test('is ended when the whole request takes too long', async () => {
    const impatient = await listen({ ...LIMITS, requestMs: 1_500 });
    onTestFinished(() => impatient.close());
    const arrived = once(impatient.server, 'request');
    const { socket, answer } = open(sized('/length', 500_000), impatient);
    await arrived;
    socket.write(' '.repeat(400_000));
    expect(await answer).toMatch(LATE);
  });
});

test('a handler may take longer than a body', async () => {
  const { socket } = open(`${sized('/slow', 2)}{}`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('{"answered":true}');
});

test('the timeouts of the next request of a connection start with that request', async () => {
  const { socket } = open(`${sized('/length', 2)}{}`);
  expect(String((await once(socket, 'data'))[0])).toContain('{"length":2}');
  await sleep(3 * LIMITS.bodyMs); // longer than body or headers may take
  socket.write(`${sized('/length', 2)}{}`);
  expect(String((await once(socket, 'data'))[0])).toContain('{"length":2}');
});

test.each(['', 'POST /length HTTP/1.1\r\n', 'POST /length HTTP/1.1\r\nHost: x\r\nX-Slow: '])(
  'headers that arrive too slowly (%j) are answered 408, and the connection ends',
  async (start) => {
    const { socket, answer } = open(start);
    await trickle(socket, () => (start.endsWith(': ') ? 'x' : ''));
    expect(await answer).toMatch(LATE);
  },
);

test('by default headers and small bodies have 15 s and larger bodies 5 minutes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const usual = await listen();
  onTestFinished(() => usual.close());
  expect(usual.server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 300_000 });
  const begin = async (bytes: number) => {
    const arrived = once(usual.server, 'request');
    const { socket, answer } = open(sized('/length', 500_000), usual);
    const [incoming] = (await arrived) as [IncomingMessage];
    const before = incoming.socket.bytesRead;
    socket.write(' '.repeat(bytes));
    while (incoming.socket.bytesRead < before + bytes) await setImmediate();
    return { answer, isAwaited: () => incoming.listenerCount('data') > 0 };
  };
  const [small, large] = [await begin(65_535), await begin(65_536)];
  vi.advanceTimersByTime(14_999);
  expect([small.isAwaited(), large.isAwaited()]).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  expect(await small.answer).toMatch(LATE);
  expect(large.isAwaited()).toBe(true);
  vi.advanceTimersByTime(15_000);
  expect(await large.answer).toMatch(LATE);
});
