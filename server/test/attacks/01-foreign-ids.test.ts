import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies, pathWith, withEachTextReplaced } from './generate.ts';
import { describeOperation, hasPathParameter, type Operation, readOperations } from './operations.ts';
import { createTenant, credentialsOf, idsOf, snapshot, startAttackedServer, type Tenant } from './tenant.ts';
import { sendRaw } from './wire.ts';

const AT_ONCE = 8;

let server: TestServer;
let attacker: Tenant;
let victim: Tenant;
let operations: Operation[];
let victimIds: string[];
let sent = 0;
beforeAll(async () => {
  server = await startAttackedServer();
  attacker = await createTenant(server, 'attacker');
  victim = await createTenant(server, 'canaryvictim');
  // Staff act on every tenant.
  operations = (await readOperations(server.url)).filter(({ isOpen, api }) => !isOpen && api !== 'console');
  victimIds = await idsOf(server, victim);
});
afterAll(() => server.stop());

/** Sends it with the attacker's credentials, and removes the parts that differ for each request. */
async function attack(operation: Operation, path: string, body?: unknown): Promise<{ status: number; body: string }> {
  const text = operation.changes ? JSON.stringify(body ?? {}) : undefined;
  const headers = credentialsOf(attacker, operation.api, sent++);
  const { status, body: answer } = await sendRaw(server.url, { method: operation.method, path, headers, body: text });
  return { status, body: answer };
}

/** An unused id of the same form. */
const unknownLike = (id: string): string => (id.includes('-') ? randomUUIDv7() : id.split('').toReversed().join(''));

interface Attack {
  operation: Operation;
  id: string;
  body: Record<string, unknown>;
}

test('an id of another tenant in a path gets the response of an unknown id, and changes nothing', async () => {
  const withId = operations.filter(hasPathParameter);
  const attacks: Attack[] = withId.flatMap((operation) =>
    victimIds.map((id, i) => ({ operation, id, body: fittingBodies(operation, 3)[i % 3] ?? {} })),
  );
  const before = await snapshot(server);
  const faults: string[] = [];
  const statuses = new Set<number>();
  await crowd(AT_ONCE, attacks, async ({ operation, id, body }) => {
    const foreign = await attack(operation, pathWith(operation, id), body);
    const unknown = await attack(operation, pathWith(operation, unknownLike(id)), body);
    statuses.add(foreign.status);
    const limited = [foreign.status, unknown.status].includes(429); // one of the two was throttled
    const same = limited || (foreign.status === unknown.status && foreign.body === unknown.body);
    if (!same || foreign.status < 400 || foreign.body.includes(victim.canary)) {
      faults.push(`${describeOperation(operation)} ${id}: ${foreign.status} ${foreign.body}, not as ${unknown.status}`);
    }
  });
  expect(faults).toEqual([]);
  expect(await snapshot(server)).toEqual(before);
  expect(attacks.length).toBeGreaterThan(500);
  expect([...statuses]).toContain(404);
});

test('an id of another tenant in a body or query reveals nothing and changes nothing of theirs', async () => {
  const theirRows = async () =>
    (await server.db.selectFrom('shipments').selectAll().where('account_id', '=', victim.account.id).execute()).map(
      (row) => JSON.stringify(row),
    );
  const before = await theirRows();
  const attacks = operations.flatMap((operation) => {
    const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
    const bodies = fittingBodies(operation, 3).flatMap((body) => withEachTextReplaced(body, '{id}'));
    return [
      ...queries.map(({ name }) => ({ operation, query: `?${name}={id}`, body: {} as unknown })),
      ...bodies.slice(0, 12).map((body) => ({ operation, query: '', body })),
    ];
  });
  const ownIds = await idsOf(server, attacker);
  const faults: string[] = [];
  await crowd(AT_ONCE, attacks, async ({ operation, query, body }, i) => {
    const id = victimIds[i % victimIds.length] ?? '';
    const own = ownIds[i % ownIds.length] ?? '';
    if (ENDS_SESSION.includes(operation.name)) return;
    const filled: unknown = JSON.parse(JSON.stringify(body).replaceAll('{id}', id));
    const { status, body: answer } = await attack(
      operation,
      pathWith(operation, own) + query.replace('{id}', id),
      filled,
    );
    if (status >= 500 || answer.includes(victim.canary))
      faults.push(`${describeOperation(operation)}${query}: ${status} ${answer.slice(0, 200)}`);
  });
  expect(faults).toEqual([]);
  expect(await theirRows()).toEqual(before);
  expect(attacks.length).toBeGreaterThan(150);
});

test('lists and files of one tenant hold nothing of another', async () => {
  const reads = operations.filter((operation) => !operation.changes && !hasPathParameter(operation));
  const seen = await crowd(AT_ONCE, reads, async (operation) => {
    const { status, body } = await attack(operation, operation.path);
    return { operation: describeOperation(operation), ok: status < 300, leaks: body.includes(victim.canary) };
  });
  expect(seen.filter(({ leaks }) => leaks)).toEqual([]);
  expect(seen.filter(({ ok }) => ok).length).toBeGreaterThan(15);
});

/** Operations that would end the attacker's own sessions or accounts, and with them the attack. */
const ENDS_SESSION = ['signOut', 'signOutEverywhere', 'closeSession', 'removeMember', 'changeRole', 'changePassword'];
