import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { revokeAnyKey } from '../../src/features/api-keys/index.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies, pathWith } from './generate.ts';
import { type Api, describeOperation, hasPathParameter, type Operation, readOperations } from './operations.ts';
import { createTenant, credentialsOf, idsOf, snapshot, startAttackedServer, type Tenant } from './tenant.ts';
import { freshAddress, holdBody, sendRaw } from './wire.ts';

const APIS = ['merchant', 'dashboard', 'driver', 'console'] as const;

let server: TestServer;
let operations: Operation[];
const tenants = new Map<Api, Tenant>();
beforeAll(async () => {
  server = await startAttackedServer();
  for (const api of APIS) tenants.set(api, await createTenant(server, `held${api}`));
  operations = (await readOperations(server.url)).filter(({ isOpen, changes }) => changes && !isOpen);
});
afterAll(() => server.stop());

/** How the callers of each API lose their permission, and a request that shows when the service has noticed. */
const WITHDRAWALS: Record<Api, { probe: string; withdraw: (tenant: Tenant) => Promise<unknown> }> = {
  merchant: {
    probe: '/pro/api/v1/account',
    withdraw: async ({ account }) => {
      const keys = await server.db.selectFrom('api_keys').select('id').where('account_id', '=', account.id).execute();
      for (const { id } of keys) await revokeAnyKey(server.db, id);
    },
  },
  dashboard: {
    probe: '/dashboard/api/session',
    withdraw: async ({ owners }) => {
      const [last, ...removed] = owners;
      for (const { id } of removed) {
        expect(await last?.call('removeMember', { params: { id } })).toMatchObject({ status: 200 });
      }
    },
  },
  console: {
    probe: '/console/api/session',
    withdraw: async ({ staff }) => {
      const [last, ...removed] = staff;
      for (const { id } of removed) {
        expect(await last?.call('removeStaff', { params: { id } })).toMatchObject({ status: 200 });
      }
    },
  },
  driver: {
    probe: '/driver/api/v1/session',
    withdraw: ({ driver }) =>
      server.db.updateTable('drivers').set({ disabled_at: new Date() }).where('id', '=', driver.id).execute(),
  },
};

test.each(APIS)(
  'the %s API refuses every change whose caller lost their permission before its body arrived',
  async (api) => {
    const tenant = tenants.get(api) as Tenant;
    const { probe, withdraw } = WITHDRAWALS[api];
    // The first owner removes the others.
    const headersOf = (i: number) => ({
      ...credentialsOf(tenant, api, 1 + (i % (tenant.owners.length - 1))),
      ...freshAddress(),
    });
    const probeAs = (i: number) => sendRaw(server.url, { method: 'GET', path: probe, headers: headersOf(i) });
    const ids = await idsOf(server, tenant);
    const attacked = operations.filter((operation) => operation.api === api);
    // With every id of the tenant's in turn, so that each operation would find its target.
    const attacks = attacked.flatMap((operation) =>
      (hasPathParameter(operation) ? ids : ['']).map((id) => ({ operation, path: pathWith(operation, id) })),
    );
    const held = await Promise.all(
      attacks.map(async ({ operation, path }, i) => {
        const body = JSON.stringify(fittingBodies(operation, 1)[0]);
        return {
          operation,
          request: await holdBody(server.url, { method: operation.method, path, headers: headersOf(i), body }),
        };
      }),
    );
    // Queued after the look-ups of the held requests: once it has a response, they are authenticated.
    expect((await probeAs(1)).status).toBe(200);
    await withdraw(tenant);
    await vi.waitFor(async () => expect((await probeAs(0)).status).toBe(401), { timeout: 240_000 });
    const before = await snapshot(server);

    const answers = await Promise.all(
      held.map(async ({ operation, request }) => `${describeOperation(operation)}: ${await request.finish()}`),
    );
    expect([...new Set(answers)].filter((answer) => !answer.endsWith(' 401'))).toEqual([]);
    expect(await snapshot(server)).toEqual(before);
    expect(new Set(answers).size).toBe(attacked.length);
  },
);
