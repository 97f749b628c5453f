import { readFileSync } from 'node:fs';
import { BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ship } from '../dispatched.ts';
import { type NavetteProcess, startNavette } from '../navette-process.ts';
import { shipmentRequest } from '../shipment-request.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies } from './generate.ts';
import { describeOperation, type Operation, readOperations, type Schema } from './operations.ts';
import { createTenant, credentialsOf, startAttackedServer, type Tenant } from './tenant.ts';
import { sendRaw } from './wire.ts';

const MEGABYTE = 2 ** 20;
const DOCUMENTS = 40;
const READERS = 10;
const MOST_MEMORY = 300 * MEGABYTE; // of 400 megabytes that are read at once

let server: TestServer;
let own: NavetteProcess;
let tenant: Tenant;
let operations: Operation[];
beforeAll(async () => {
  server = await startAttackedServer();
  own = await startNavette(['api'], server.environment);
  tenant = await createTenant(server, 'tenant');
  operations = await readOperations(server.url);
});
afterAll(async () => {
  await own.stop();
  await server.stop();
});

/** Objects in a body whose content no schema names: a caller may write anything there. */
function freeObjects(schema: Schema | null, path: string[] = []): string[][] {
  if (!schema) return [];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => freeObjects(part, [...path, name]));
  const isFree = [schema.type].flat().includes('object') && !schema.properties && path.length > 0;
  return isFree ? [path] : inner;
}

test('no object that a caller fills freely takes more than 16 KiB', async () => {
  const attacks = operations.flatMap((operation) => freeObjects(operation.body).map((path) => ({ operation, path })));
  expect(attacks.map(({ path }) => path.join('.'))).toContain('metadata');
  for (const { operation, path } of attacks) {
    const [fitting] = fittingBodies(operation, 1);
    const base =
      operation.path.endsWith('/shipping') || operation.path.endsWith('/shipments') ? shipmentRequest() : fitting;
    const body = structuredClone(base) as Record<string, unknown>;
    body[path[0] ?? ''] = { text: 'x'.repeat(17 * 1_024) };
    const headers = credentialsOf(tenant, operation.api);
    const { status, body: answer } = await sendRaw(server.url, {
      method: operation.method,
      path: operation.path,
      headers,
      body: JSON.stringify(body),
    });
    expect([describeOperation(operation), path, status, answer.includes(path[0] ?? '')]).toEqual([
      describeOperation(operation),
      path,
      400,
      true,
    ]);
  }
});

test('pages of large documents from before the limit do not exhaust the process, and another tenant is served', async () => {
  const { account } = tenant;
  const other = await server.createAccount();
  for (let i = 0; i < DOCUMENTS; i++) await ship(server, account);
  await server.db
    .updateTable('shipments')
    .set({ metadata: JSON.stringify({ text: 'x'.repeat(MEGABYTE) }) as never })
    .where('account_id', '=', account.id)
    .execute();
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${own.process.pid}/status`, 'utf8'))?.[1]) * 1_024;
  const headers = { authorization: `Bearer ${account.key}`, 'x-client-id': account.clientId };
  const before = memory();
  let peak = before;
  const reading = Promise.all(
    Array.from({ length: READERS }, async () => {
      const response = await fetch(`${own.url}${BASE_PATH}/shipping?limit=100`, { headers });
      let bytes = 0;
      for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
      return { status: response.status, bytes };
    }),
  );
  const state = { reading: true };
  void reading.finally(() => {
    state.reading = false;
  });
  const statuses = new Set<number>();
  while (state.reading) {
    const { status } = await fetch(`${own.url}${BASE_PATH}/account`, {
      headers: { authorization: `Bearer ${other.key}`, 'x-client-id': other.clientId },
    });
    statuses.add(status);
    peak = Math.max(peak, memory());
  }
  for (const { status, bytes } of await reading)
    expect({ status, whole: bytes > DOCUMENTS * MEGABYTE }).toEqual({ status: 200, whole: true });
  expect(statuses).toEqual(new Set([200]));
  expect(peak - before).toBeLessThan(MOST_MEMORY);
});
