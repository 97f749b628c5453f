import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { revokeAnyKey } from '../../src/features/api-keys/index.ts';
import { SLOW_REQUEST_LIMITS } from '../../src/http/slow-request-limits.ts';
import { holdBody } from '../held-request.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies, pathWith } from './generate.ts';
import { type Api, describeOperation, hasPathParameter, type Operation, readOperations } from './operations.ts';
import { createTenant, credentialsOf, idsOf, snapshot, startAttackedServer, type Tenant } from './tenant.ts';
import { freshAddress, sendRaw } from './wire.ts';

const APIS = ['merchant', 'dashboard', 'driver', 'console'] as const;
// A thousand requests at once would wait so long for a connection to the database that the service ends them.
const AT_ONCE = 5;

let server: TestServer;
let operations: Operation[];
const tenants = new Map<Api, Tenant>();
beforeAll(async () => {
  // Hundreds of bodies are held while callers lose their permission, which takes longer than a slow body may.
  server = await startAttackedServer({}, { slowRequestLimits: { ...SLOW_REQUEST_LIMITS, bodyMs: 240_000 } });
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
    const held = await inGroups(attacks, async ({ operation, path }, i) => {
      const body = fittingBodies(operation, 1)[0];
      return {
        operation,
        request: await holdBody(server, operation.method, path, { headers: headersOf(i), body }),
      };
    });
    await withdraw(tenant);
    await vi.waitFor(async () => expect((await probeAs(0)).status).toBe(401), { timeout: 240_000 });
    const before = await snapshot(server);

    const answers = await inGroups(
      held,
      async ({ operation, request }) => `${describeOperation(operation)}: ${(await request.finish()).status}`,
    );
    expect([...new Set(answers)].filter((answer) => !answer.endsWith(' 401'))).toEqual([]);
    expect(await snapshot(server)).toEqual(before);
    expect(new Set(answers).size).toBe(attacked.length);
  },
);

async function inGroups<T, R>(items: T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += AT_ONCE) {
    const group = items.slice(i, i + AT_ONCE).map((item, nth) => work(item, i + nth));
    results.push(...(await Promise.all(group)));
  }
  return results;
}
