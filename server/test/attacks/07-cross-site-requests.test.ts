import { CSRF_HEADER } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies, pathWith } from './generate.ts';
import { describeOperation, hasPathParameter, type Operation, readOperations } from './operations.ts';
import {
  changedTables,
  createTenant,
  credentialsOf,
  idsOf,
  snapshot,
  startAttackedServer,
  type Tenant,
} from './tenant.ts';
import { sendRaw } from './wire.ts';

let server: TestServer;
let tenant: Tenant;
let changes: Operation[];
let ids: string[];
beforeAll(async () => {
  server = await startAttackedServer();
  tenant = await createTenant(server, 'tenant');
  changes = (await readOperations(server.url)).filter(
    (operation) => ['dashboard', 'console'].includes(operation.api) && operation.changes,
  );
  ids = await idsOf(server, tenant);
});
afterAll(() => server.stop());

/** Sends each change with the session's cookie, as a browser does from another page; returns the requests that were not refused, and the changed tables. */
async function faultsOf(operations: Operation[], variants: Record<string, string>[]): Promise<string[]> {
  const before = await snapshot(server);
  const attacks = operations.flatMap((operation) =>
    variants.flatMap((variant) => (hasPathParameter(operation) ? ids : ['']).map((id) => ({ operation, variant, id }))),
  );
  const faults: string[] = [];
  await crowd(8, attacks, async ({ operation, variant, id }, i) => {
    const headers = { ...credentialsOf(tenant, operation.api, i), ...variant };
    const body = JSON.stringify(fittingBodies(operation, 1)[0]);
    const { status, body: answer } = await sendRaw(server.url, {
      method: operation.method,
      path: pathWith(operation, id),
      headers,
      body,
    });
    if (status !== 403) faults.push(`${describeOperation(operation)} ${JSON.stringify(variant)}: ${status} ${answer}`);
  });
  return [...faults, ...changedTables(before, await snapshot(server))];
}

test('a page of another origin changes nothing, whatever cookie and token its request carries', async () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: server.url.replace(/:\d+$/, ':1') },
    { origin: `${server.url}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[];
  expect(await faultsOf(changes, foreign)).toEqual([]);
});

test('a request without the token of its own session changes nothing', async () => {
  const guarded = changes.filter(({ isOpen }) => !isOpen);
  const tokens = ['', 'wrong', tenant.account.clientId].map((token) => ({ [CSRF_HEADER]: token }));
  expect(await faultsOf(guarded, tokens)).toEqual([]);
});

test('a form cannot send a change: bodies that need no preflight are refused', async () => {
  const before = await snapshot(server);
  for (const operation of changes.filter(({ body }) => body)) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { ...credentialsOf(tenant, operation.api), 'content-type': type };
      const body = JSON.stringify(fittingBodies(operation, 1)[0]);
      const path = pathWith(operation, ids[0] ?? '');
      const { status } = await sendRaw(server.url, { method: operation.method, path, headers, body });
      expect([describeOperation(operation), type, status]).toEqual([describeOperation(operation), type, 415]);
    }
  }
  expect(await snapshot(server)).toEqual(before);
});

test('no page of another origin can read a response with a session’s data', async () => {
  const operations = await readOperations(server.url);
  for (const { api, method, path } of operations.filter((operation) => !operation.changes)) {
    const headers = { ...credentialsOf(tenant, api), origin: 'https://evil.example' };
    const { headers: answered } = await sendRaw(server.url, { method, path, headers });
    expect([path, answered['access-control-allow-origin'], answered['access-control-allow-credentials']]).toEqual([
      path,
      undefined,
      undefined,
    ]);
  }
});
