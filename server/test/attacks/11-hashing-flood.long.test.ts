import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestMember, signInAs, TEST_PASSWORD } from '../dashboard.ts';
import type { TestServer } from '../test-server.ts';
import { timeLimitMs } from '../time-limit.ts';
import { type Operation, readOperations } from './operations.ts';
import { startAttackedServer } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

const { hashing } = vi.hoisted(() => ({ hashing: { total: 0 } }));
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof import('@node-rs/argon2')>();
  const counted =
    <A extends unknown[], R>(compute: (...args: A) => R) =>
    (...args: A): R => {
      hashing.total++;
      return compute(...args);
    };
  return { ...original, hash: counted(original.hash), verify: counted(original.verify) };
});

const BUDGET = 60; // failures per minute of one address

let server: TestServer;
let open: Operation[];
beforeAll(async () => {
  server = await startAttackedServer();
  open = (await readOperations(server.url)).filter(({ isOpen, changes }) => isOpen && changes);
});
afterAll(() => server.stop());
beforeEach(() => {
  hashing.total = 0;
});

const BODY = {
  email: 'nobody@example.org',
  password: TEST_PASSWORD,
  token: `navette_reset_${'x'.repeat(43)}`,
  name: 'x',
  language: 'fr',
};
const flood = (count: number, { method, path }: Operation, address: () => Record<string, string>) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const headers = { 'content-type': 'application/json', ...address() };
      return (await sendRaw(server.url, { method, path, headers, body: JSON.stringify(BODY) })).status;
    }),
  );

test('of 150 requests at once from one address to any operation before sign-in, few are hashed', async () => {
  for (const operation of open) {
    hashing.total = 0;
    const address = freshAddress();
    const statuses = await flood(150, operation, () => address);
    expect([operation.path, statuses.filter((status) => status >= 500)]).toEqual([operation.path, []]);
    expect([operation.path, hashing.total <= BUDGET + 1]).toEqual([operation.path, true]); // once the decoy's
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(BUDGET);
    expect(statuses.includes(429) || !operation.responses.has(401)).toBe(true);
  }
});

test('an invented token is looked up, not hashed for', async () => {
  const operations = open.filter(({ responses }) => responses.has(410));
  expect(operations.length).toBeGreaterThan(1);
  for (const operation of operations) await flood(60, operation, freshAddress);
  expect(hashing.total).toBe(0);
});

test('while others flood from many addresses, a member’s sign-in is refused at once or served, never left waiting', async () => {
  const member = await createTestMember(server, (await server.createAccount()).id);
  const session = open.find(({ api, path }) => api === 'dashboard' && path.endsWith('/session')) as Operation;
  const flooding = flood(300, session, freshAddress);
  const began = performance.now();
  await signInAs(server.url, member.email, TEST_PASSWORD).catch(() => {}); // refused: the queue is full
  expect(performance.now() - began).toBeLessThan(timeLimitMs(10_000));
  const statuses = await flooding;
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // Afterwards every member can sign in again.
  await signInAs(server.url, member.email, TEST_PASSWORD);
});
