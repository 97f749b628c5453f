import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import { ship } from '../dispatched.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { startAttackedServer } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

let server: TestServer;
let account: TestAccount;
let path: string;
beforeAll(async () => {
  server = await startAttackedServer();
  account = await server.createAccount({ paymentMode: 'deferred' });
  const { _id } = await ship(server, account);
  const { body } = await server.call(account, 'GET', `/shipping/${_id}`);
  path = body.shipping.pdfUrl;
});
afterAll(() => server.stop());

test('a thousand guesses at the suffix of a known reference find nothing, and most cause no look-up', async () => {
  const reference = path.replace(/_[0-9a-f]{32}\.pdf$/, '');
  const guesses = Array.from({ length: 1_000 }, () => `${reference}_${randomBytes(16).toString('hex')}.pdf`);
  const address = freshAddress();
  server.setNow(new Date()); // the minute of the limit does not end
  const answers = await crowd(20, guesses, (guess) =>
    sendRaw(server.url, { method: 'GET', path: guess, headers: address }),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses).not.toContain(200);
  expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(40);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(960);
  server.setNow(null);
  // Another client with the right link is served meanwhile.
  expect((await sendRaw(server.url, { method: 'GET', path, headers: freshAddress() })).status).toBe(200);
});

test('no path traversal leaves the label folder or lists it', async () => {
  const tricks = [
    '/pdfs/',
    '/pdfs',
    '/pdfs/..',
    '/pdfs/../healthz',
    '/pdfs/%2e%2e/%2e%2e/etc/passwd',
    '/pdfs/..%2f..%2fetc%2fpasswd',
    '/pdfs/%00',
    `${path}%00.txt`,
    `${path}/..`,
    path.toUpperCase(),
    path.replace('.pdf', ''),
    `/pdfs//${path.slice(6)}`,
  ];
  for (const trick of tricks) {
    const { status, body } = await sendRaw(server.url, { method: 'GET', path: trick, headers: freshAddress() });
    expect([trick, status]).toEqual([trick, 404]);
    expect(body).not.toMatch(/root:|%PDF|bordereau_/);
  }
});

test('a label is excluded from search engines, shared caches and other pages', async () => {
  const { headers } = await sendRaw(server.url, { method: 'GET', path, headers: freshAddress() });
  expect(headers['x-robots-tag']).toContain('noindex');
  expect(headers['cache-control']).toMatch(/private|no-store/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['access-control-allow-origin']).toBeUndefined();
});
