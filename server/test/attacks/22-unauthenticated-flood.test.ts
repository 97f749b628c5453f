import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { describeOperation, type Operation, readOperations } from './operations.ts';
import { startAttackedServer } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

let server: TestServer;
let account: TestAccount;
let operations: Operation[];
beforeAll(async () => {
  server = await startAttackedServer();
  account = await server.createAccount();
  operations = await readOperations(server.url);
});
afterAll(() => server.stop());

test('the public port shows no metrics and no details of health', async () => {
  const get = (path: string) => sendRaw(server.url, { method: 'GET', path });
  expect((await get('/metrics')).status).toBe(404);
  for (const path of ['/healthz', '/readyz']) {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body).not.toMatch(/redis|postgres|database|node|version|pid/i);
  }
});

test('before sign-in no operation reads a body of more than a few kilobytes', async () => {
  for (const operation of operations.filter(({ isOpen, body }) => isOpen && body)) {
    const headers = { 'content-type': 'application/json', ...freshAddress() };
    const body = JSON.stringify({ email: 'x'.repeat(9_000) });
    const { status } = await sendRaw(server.url, { method: operation.method, path: operation.path, headers, body });
    expect([describeOperation(operation), status]).toEqual([describeOperation(operation), 413]);
  }
});

test('without credentials no operation reads a body at all', async () => {
  const megabyte = 'x'.repeat(2 ** 20 - 100);
  for (const operation of operations.filter(({ isOpen, body }) => !isOpen && body)) {
    const headers = { 'content-type': 'application/json', ...freshAddress() };
    const path = operation.path.replaceAll(/\{\w+\}/g, '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60');
    const answer = sendRaw(server.url, {
      method: operation.method,
      path,
      headers,
      body: JSON.stringify({ notes: megabyte }),
    });
    const status = await answer.then(
      ({ status }) => status,
      () => 401,
    ); // closed while the body was being sent
    expect([describeOperation(operation), status]).toEqual([describeOperation(operation), 401]);
  }
});

test('one address that only fails is refused, whatever it fails at', async () => {
  const address = freshAddress();
  const wrong = { ...address, authorization: `Bearer ${account.key}`, 'x-client-id': 'nvc_somebody_else' };
  const requests = Array.from({ length: 500 });
  server.setNow(new Date()); // the minute of the limit does not end
  const answers = await crowd(20, requests, () =>
    sendRaw(server.url, { method: 'GET', path: '/pro/api/v1/account', headers: wrong }),
  );
  server.setNow(null);
  expect(answers.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(300);
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(200);
  // The tenant's own requests, from elsewhere, go on.
  expect((await server.call(account, 'GET', '/account')).status).toBe(200);
});
