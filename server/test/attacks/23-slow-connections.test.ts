import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount, TestServer } from '../test-server.ts';
import { timeLimitMs } from '../time-limit.ts';
import { startAttackedServer } from './tenant.ts';

const CONNECTIONS = 200;
const ENDED_WITHIN_MS = timeLimitMs(30_000); // 15 s for a small body or the headers, and the interval of the check

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startAttackedServer();
  account = await server.createAccount();
});
afterAll(() => server.stop());

/** A connection that sends a byte now and then; the promise resolves with the time until the server ended it. */
function trickle(start: string, byte: string): { socket: Socket; ended: Promise<number> } {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const began = performance.now();
  socket.on('error', () => {});
  socket.resume();
  socket.write(start);
  const dripping = setInterval(() => socket.write(byte), 2_000);
  const ended = new Promise<number>((resolve) => {
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(performance.now() - began);
    });
  });
  return { socket, ended };
}

test('slow headers and small bodies are disconnected, with or without a session, while others are served', async () => {
  const json = 'Host: x\r\nContent-Type: application/json\r\n';
  const key = `Authorization: Bearer ${account.key}\r\nX-Client-Id: ${account.clientId}\r\n`;
  const kinds: [start: string, byte: string][] = [
    ['GET /pro/api/v1/account HTTP/1.1\r\nHost: x\r\n', 'x-a: b\r\n'],
    [`POST /dashboard/api/session HTTP/1.1\r\n${json}Content-Length: 4000\r\n\r\n{`, ' '],
    [`POST /dashboard/api/session HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, '1\r\n \r\n'],
    [`POST /pro/api/v1/shipping HTTP/1.1\r\n${json}${key}Content-Length: 60000\r\n\r\n{`, ' '],
  ];
  const connections = Array.from({ length: CONNECTIONS }, (_, i) =>
    trickle(...(kinds[i % kinds.length] as [string, string])),
  );
  const times: number[] = [];
  const all = Promise.all(connections.map(({ ended }) => ended));
  for (let i = 0; i < 20; i++) {
    const began = performance.now();
    expect((await server.call(account, 'GET', '/account')).status).toBe(200);
    times.push(performance.now() - began);
  }
  const endings = await all;
  expect(Math.max(...endings)).toBeLessThan(ENDED_WITHIN_MS);
  expect(Math.max(...times)).toBeLessThan(timeLimitMs(15_000)); // they are served, not left waiting
});
