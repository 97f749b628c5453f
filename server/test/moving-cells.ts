import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';
import { MOVED_TABLES, type MoveRequest } from '../src/features/account-move/index.ts';
import { createTestMember, type TestMember } from './dashboard.ts';
import { createTestDriver, type TestDriver } from './driver-app.ts';
import { fillShipments } from './fill-shipments.ts';
import { closeSampleMonths } from './invoicing.ts';
import { moveShipment } from './move-shipment.ts';
import { NO_DIRECTORY } from './no-directory.ts';
import { shipmentRequest } from './shipment-request.ts';
import { subscribe } from './subscribe.ts';
import { startTestServer, type TestAccount, type TestServer } from './test-server.ts';
import { workDone } from './test-worker.ts';
import { createTwin } from './twin.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';
import { withWorker } from './with-worker.ts';

export interface MovingCells {
  source: TestServer;
  target: TestServer;
  stop(): Promise<void>;
}

/** Two servers with a database each: the cells of a move. */
export async function startMovingCells(): Promise<MovingCells> {
  const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const [source, target] = await Promise.all([startTestServer(settings), startTestServer(settings)]);
  // The numbers of bank references are unique in the company: each cell has its own range.
  await sql`alter sequence account_references_number_seq restart with 1000001`.execute(target.db);
  return { source, target, stop: async () => void (await Promise.all([source.stop(), target.stop()])) };
}

export interface MovedShop {
  account: TestAccount;
  twin: TestAccount;
  member: TestMember;
  driver: TestDriver;
  /** Its driver search starts in two days. */
  scheduled: string;
}

export const FILLED = 300;

/** An account with shipments in every state that a move allows, a webhook, messages, a member, invoices, and a twin. */
export async function openMovedShop({ source }: MovingCells, receiver: WebhookReceiver): Promise<MovedShop> {
  const account = await source.createAccount({ paymentMode: 'deferred' });
  await closeSampleMonths(source.db, account.id);
  await fillShipments(source.db, account.id, FILLED);
  await subscribe(source, receiver, account, '/live');
  const member = await createTestMember(source, account.id);
  const twin = await createTwin(source, account);
  const driver = await createTestDriver(source.db, { available: false });
  const slot = { scheduledDate: new Date(Date.now() + 2 * 86_400_000).toISOString(), timeSlot: '14h-16h' };
  const delivered = await create(source, account, {}, `key of ${account.id}`);
  const cancelled = await create(source, account);
  const scheduled = await create(source, account, slot);
  await create(source, account);
  await create(source, twin);
  await moveShipment(source, account, delivered, 'assign', { driverId: driver.id });
  for (const step of ['pick_up', 'depart', 'deliver'] as const) await moveShipment(source, account, delivered, step);
  await cancel(source, account, cancelled);
  await withWorker(source, () => workDone(source));
  return { account, twin, member, driver, scheduled };
}

export async function create(
  server: TestServer,
  account: TestAccount,
  changes: Parameters<typeof shipmentRequest>[0] = {},
  key?: string,
): Promise<string> {
  const headers = key ? { 'x-idempotency-key': key } : {};
  const answer = await server.call(account, 'POST', '/shipping', { body: shipmentRequest(changes), headers });
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.shipping._id;
}

export async function cancel(server: TestServer, account: TestAccount, id: string): Promise<void> {
  const { status, body } = await server.call(account, 'PUT', `/shipping/${id}/cancel`, { body: { reason: 'test' } });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}

export const requestFor = (
  { source, target }: MovingCells,
  accountId: string,
  changes: Partial<MoveRequest> = {},
): MoveRequest => ({
  accountId,
  source: { name: 'paris', url: source.config.databaseDirectUrl },
  target: { name: 'lyon', url: target.config.databaseDirectUrl },
  directory: NO_DIRECTORY,
  wait: false,
  drainSeconds: 60,
  onProgress: () => {},
  ...changes,
});

/** The number of rows of the accounts in each moved table that has some. */
export async function countRows(db: Database, ids: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, rows: condition } of MOVED_TABLES) {
    const text = condition.replaceAll('$1', `'{${ids.join(',')}}'::uuid[]`);
    const { rows } = await sql<{ many: number }>`
      select count(*)::int as many from ${sql.table(name)} t where ${sql.raw(text)}`.execute(db);
    if (rows[0]?.many) counts[name] = rows[0].many;
  }
  return counts;
}

/** Foreign keys that rows of the database do not meet: the copy runs without checking them. */
export async function brokenForeignKeys(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string; query: string }>`
    select c.conname as name, format('select from %s t where %s and not exists (select from %s r where %s) limit 1',
      c.conrelid::regclass, string_agg(format('t.%I is not null', a.attname), ' and '), c.confrelid::regclass,
      string_agg(format('r.%I = t.%I', f.attname, a.attname), ' and ')) as query
    from pg_constraint c
    cross join lateral unnest(c.conkey, c.confkey) as k (own, other)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
    join pg_attribute f on f.attrelid = c.confrelid and f.attnum = k.other
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace
    group by c.conname, c.conrelid, c.confrelid`.execute(db);
  const broken = await Promise.all(
    rows.map(async ({ name, query }) => ((await sql.raw(query).execute(db)).rows.length > 0 ? [name] : [])),
  );
  return broken.flat();
}

/** Triggers, publications, slots and subscriptions of moves in the server of a database. */
export async function leftovers(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct tgname::text as name from pg_trigger where tgname like 'account_move%'
    union all select pubname::text from pg_publication
    union all select subname::text from pg_subscription where subdbid = (select oid from pg_database where datname = current_database())
    union all select slot_name::text from pg_replication_slots where database = current_database()`.execute(db);
  return rows.map(({ name }) => name);
}
