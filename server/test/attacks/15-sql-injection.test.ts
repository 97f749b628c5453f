import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies, pathWith, withEachTextReplaced } from './generate.ts';
import { describeOperation, hasPathParameter, type Operation, readOperations } from './operations.ts';
import { createTenant, credentialsOf, startAttackedServer, type Tenant } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

let server: TestServer;
let attacker: Tenant;
let victim: Tenant;
let operations: Operation[];
beforeAll(async () => {
  server = await startAttackedServer();
  attacker = await createTenant(server, 'attacker');
  victim = await createTenant(server, 'canaryvictim');
  operations = await readOperations(server.url);
  await sql`create sequence injected`.execute(server.db); // counts also in a transaction that is rolled back
});
afterAll(() => server.stop());

const INJECTIONS = [
  "'",
  "' or '1'='1",
  "'; select nextval('injected'); --",
  "') union select account_id::text from shipments --",
  "\\'; drop table shipments; --",
  '"; drop table shipments; --',
  "$$; select nextval('injected'); $$",
  "%' or 1=1 --",
  "' || nextval('injected') || '",
  '\u2019 or 1=1 --',
];

/** Every place where an operation takes text: path, query, and each text of its body. */
function attacksOn(operation: Operation): { path: string; body?: string; text: string }[] {
  const own = pathWith(operation, '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60');
  return INJECTIONS.flatMap((text) => {
    const inPath = hasPathParameter(operation) ? [{ path: pathWith(operation, text), text }] : [];
    const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
    const inQuery = queries.map(({ name }) => ({ path: `${own}?${name}=${encodeURIComponent(text)}`, text }));
    const bodies = fittingBodies(operation, 1).flatMap((body) => withEachTextReplaced(body, text));
    return [...inPath, ...inQuery, ...bodies.map((body) => ({ path: own, body: JSON.stringify(body), text }))];
  });
}

test('SQL in any path, query or text of a body is only text: no failure, no effect, nothing of others', async () => {
  const attacks = operations.flatMap((operation) => attacksOn(operation).map((attack) => ({ operation, ...attack })));
  const faults: string[] = [];
  await crowd(8, attacks, async ({ operation, path, body, text }, i) => {
    const headers = { ...credentialsOf(attacker, operation.api, i), ...freshAddress() };
    const answer = await sendRaw(server.url, {
      method: operation.method,
      path,
      headers,
      body: operation.changes ? (body ?? '{}') : undefined,
    });
    const leaks = operation.api !== 'console' && answer.body.includes(victim.canary); // staff read every tenant
    const broken = answer.status >= 500 || leaks;
    if (broken) faults.push(`${describeOperation(operation)} ${text}: ${answer.status} ${answer.body.slice(0, 200)}`);
  });
  expect(faults.slice(0, 5)).toEqual([]);
  const { rows } = await sql`select is_called as "isUsed" from injected`.execute(server.db);
  expect(rows).toEqual([{ isUsed: false }]);
  // A failure that the contract reports as a 400 would still be in the log.
  expect(server.logged()).toBe('');
  expect(
    await server.db.selectFrom('shipments').select('id').where('account_id', '=', victim.account.id).execute(),
  ).not.toEqual([]);
  expect(attacks.length).toBeGreaterThan(1_000);
});
