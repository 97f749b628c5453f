import { randomUUIDv7 } from 'node:crypto';
import { DASHBOARD_ENDPOINTS, type DashboardEndpoint } from '@navette/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import { createTestMember, type TestMember } from '../dashboard.ts';
import { createTestDriver } from '../driver-app.ts';
import { importFile, importLine } from '../import-file.ts';
import type { TestAccount, TestServer } from '../test-server.ts';
import { workDone } from '../test-worker.ts';
import { createTwin, switchMode } from '../twin.ts';
import { withWorker } from '../with-worker.ts';
import { fittingBodies, pathWith } from './generate.ts';
import { describeOperation, hasPathParameter, type Operation, readOperations } from './operations.ts';
import { credentialsOf, idsOf, shipEverything, snapshot, startAttackedServer, type Tenant } from './tenant.ts';
import { sendRaw } from './wire.ts';

const AT_ONCE = 8;
const OWNERS = 4;

let server: TestServer;
let modes: { live: Tenant; test: Tenant };
let operations: Operation[];
let sent = 0;

/** Members, their sessions and invitations belong to the live account in both modes. */
const OF_PEOPLE: readonly string[] = ['Session', 'Profile', 'Team'];
const isOfPeople = ({ api, name }: Operation) =>
  api === 'dashboard' &&
  OF_PEOPLE.includes((DASHBOARD_ENDPOINTS as Record<string, DashboardEndpoint>)[name]?.section ?? '');

beforeAll(async () => {
  server = await startAttackedServer();
  const account = await server.createAccount({ name: 'both', email: 'both@example.org', paymentMode: 'deferred' });
  const driver = await createTestDriver(server.db);
  const live = await fill({ account, mode: 'live', canary: 'canarylive' });
  const twin = await createTwin(server, account);
  const tested = await fill({ account: twin, mode: 'test', canary: 'canarytest' });
  modes = { live: { ...live, driver }, test: { ...tested, driver } };
  await withWorker(server, () => workDone(server));
  operations = (await readOperations(server.url)).filter(
    (operation) => !operation.isOpen && ['merchant', 'dashboard'].includes(operation.api) && !isOfPeople(operation),
  );

  async function fill({ account: own, mode, canary }: { account: TestAccount; mode: 'live' | 'test'; canary: string }) {
    const owners: TestMember[] = [];
    for (let i = 0; i < OWNERS; i++) {
      const member = await createTestMember(server, account.id, 'owner');
      owners.push(mode === 'test' ? await switchMode(server, member, 'test') : member);
    }
    await shipEverything(server, own, canary);
    const lines = [importLine(canary, { Destinataire: canary })];
    const file = { filename: `${canary}.csv`, text: importFile(lines) };
    const preview = await owners[0]?.call('previewImport', { body: file });
    const key = await owners[0]?.call('createKey', { body: { name: canary, scopes: ['read'] } });
    expect([preview?.status, key?.status]).toEqual([201, 201]);
    return { canary, account: own, owners, staff: [] };
  }
});
afterAll(() => server.stop());

async function attack(from: Tenant, operation: Operation, path: string, body?: unknown) {
  const text = operation.changes ? JSON.stringify(body ?? {}) : undefined;
  const headers = credentialsOf(from, operation.api, sent++);
  return sendRaw(server.url, { method: operation.method, path, headers, body: text });
}

const unknownLike = (id: string): string => (id.includes('-') ? randomUUIDv7() : id.split('').toReversed().join(''));

/** Ids of rows of this mode. Sessions and people have the id of the live account, so they are no ids of either mode. */
async function idsOnlyOf(mode: 'live' | 'test'): Promise<string[]> {
  const other = mode === 'live' ? 'test' : 'live';
  const [ids, shared] = [await idsOf(server, modes[mode]), await idsOf(server, modes[other])];
  const people = await server.db.selectFrom('members').select('id').execute();
  const leftOut = new Set([...shared, ...people.map(({ id }) => id)]);
  return ids.filter((id) => !leftOut.has(id));
}

for (const [from, to] of [
  ['test', 'live'],
  ['live', 'test'],
] as const) {
  test(`an id of ${to} mode gets the response of an unknown id in ${from} mode, and changes nothing`, async () => {
    const ids = await idsOnlyOf(to);
    const attacks = operations
      .filter(hasPathParameter)
      .flatMap((operation) => ids.map((id, i) => ({ operation, id, body: fittingBodies(operation, 3)[i % 3] ?? {} })));
    const before = await snapshot(server);
    const faults: string[] = [];
    await crowd(AT_ONCE, attacks, async ({ operation, id, body }) => {
      const foreign = await attack(modes[from], operation, pathWith(operation, id), body);
      const unknown = await attack(modes[from], operation, pathWith(operation, unknownLike(id)), body);
      const limited = [foreign.status, unknown.status].includes(429);
      const same = limited || (foreign.status === unknown.status && foreign.body === unknown.body);
      if (!same || foreign.status < 400 || foreign.body.includes(modes[to].canary))
        faults.push(
          `${describeOperation(operation)} ${id}: ${foreign.status} ${foreign.body}, not as ${unknown.status}`,
        );
    });
    expect(faults).toEqual([]);
    expect(await snapshot(server)).toEqual(before);
    expect(attacks.length).toBeGreaterThan(300);
  });

  test(`lists and files of ${from} mode hold nothing of ${to} mode`, async () => {
    const reads = operations.filter((operation) => !operation.changes && !hasPathParameter(operation));
    const seen = await crowd(AT_ONCE, reads, async (operation) => {
      const { status, body } = await attack(modes[from], operation, operation.path);
      const leaks = body.includes(modes[to].canary);
      return {
        operation: describeOperation(operation),
        ok: status < 300,
        leaks,
        own: body.includes(modes[from].canary),
      };
    });
    expect(seen.filter(({ leaks }) => leaks)).toEqual([]);
    expect(seen.filter(({ ok }) => ok).length).toBeGreaterThan(10);
    expect(seen.filter(({ own }) => own).length).toBeGreaterThan(5);
  });
}

test('keys and client ids of one mode do not open the other', async () => {
  const { live, test: tested } = modes;
  const crossed = [
    { key: live.account.key, clientId: tested.account.clientId },
    { key: tested.account.key, clientId: live.account.clientId },
  ];
  for (const credentials of crossed) {
    const { status } = await server.call(credentials, 'GET', '/shipping');
    expect(status).toBe(403);
  }
});
