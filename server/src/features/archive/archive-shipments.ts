import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Database, Tx } from '../../database/database.ts';
import { daysAfter } from '../../database/partitions.ts';
import { keepFile, listUntilKept } from '../proofs/index.ts';

const compress = promisify(gzip);

/** Shipments in a file: enough to compress well, few enough to read one of them in milliseconds. */
export const PER_FILE = 100;
const LONGEST_RUN_MS = 3_600_000;

export interface ArchivingContext {
  db: Database;
  store: FileStore;
  log: Pick<FastifyBaseLogger, 'info'>;
}

interface Group {
  accountId: string;
  first: number;
  last: number;
}

/**
 * Moves shipments to files: of each account the oldest ones, in the order of their numbers, a whole file at a time. They have
 * ended and their personal data was erased, so no file contains any.
 *
 * A file is written before the transaction that deletes its rows. Until then `proof_files_to_delete` lists it: after a crash
 * in between, the rows stay and the file goes. The transaction compares the rows once more with the file, so what it deletes
 * is what was written.
 */
export async function archiveShipments(
  { db, store, log }: ArchivingContext,
  afterDays: number,
  now: () => Date,
  perFile = PER_FILE,
): Promise<number> {
  const before = daysAfter(now(), -afterDays);
  const stopAt = performance.now() + LONGEST_RUN_MS;
  let archived = 0;
  for (const accountId of await findDueAccounts(db, before, perFile)) {
    while (performance.now() < stopAt) {
      const group = await findNextGroup(db, accountId, perFile);
      if (!(await archiveGroup({ db, store }, group, before, now))) break;
      archived += perFile;
    }
  }
  log.info({ archived }, 'shipments archived');
  return archived;
}

/** Erased means ended. */
const isDue = (before: Date): RawBuilder<boolean> =>
  sql`(s.personal_data_erased_at is not null and s.updated_at < ${before})`;

const NEXT_NUMBER = sql`(select coalesce(max(last_number), 0) + 1 from archive_files where account_id = a.id)`;

/** Found by the last shipment of the next file of each account: one index entry. Test twins are emptied instead. */
async function findDueAccounts(db: Database, before: Date, perFile: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from accounts a
    join shipments s on s.account_id = a.id and s.number = ${NEXT_NUMBER} + ${perFile - 1} and ${isDue(before)}
    where a.moved_to is null and a.live_account_id is null order by a.id`.execute(db);
  return rows.map(({ id }) => id);
}

async function findNextGroup(db: Database, accountId: string, perFile: number): Promise<Group> {
  const { rows } = await sql<{
    first: number;
  }>`select ${NEXT_NUMBER} as first from accounts a where a.id = ${accountId}`.execute(db);
  const first = rows[0]?.first ?? 1;
  return { accountId, first, last: first + perFile - 1 };
}

/** False when a shipment of the group is not due yet. */
async function archiveGroup(
  { db, store }: Omit<ArchivingContext, 'log'>,
  group: Group,
  before: Date,
  now: () => Date,
): Promise<boolean> {
  const rows = await readGroup(db, group, before);
  if (rows.length < group.last - group.first + 1 || rows.some((row) => !row.isDue)) return false;
  const bytes = await compress(rows.map(({ line }) => line).join('\n'));
  // Each attempt has a name of its own: the file of an earlier one may just be deleted.
  const fileName = `archive_${group.accountId}_${group.first}_${randomBytes(16).toString('hex')}.gz`;
  await listUntilKept(db, fileName, now());
  await store.write(fileName, bytes, { isSynced: true });
  const file = { name: fileName, sha256: createHash('sha256').update(bytes).digest() };
  await db
    .transaction()
    .setIsolationLevel('repeatable read') // deletes what it has read, and fails when another transaction changed it
    .execute((tx) => replaceRows(tx, group, rows, file, { before, now: now() }));
  return true;
}

interface ArchivedRow {
  id: string;
  line: string;
  isDue: boolean;
}

async function replaceRows(
  tx: Tx,
  group: Group,
  rows: ArchivedRow[],
  file: { name: string; sha256: Buffer },
  { before, now }: { before: Date; now: Date },
): Promise<void> {
  const { accountId, first, last } = group;
  const inGroup = sql`s.account_id = ${accountId} and s.number between ${first} and ${last}`;
  await sql`select from shipments s where ${inGroup} order by s.id for update`.execute(tx);
  const current = await readGroup(tx, group, before);
  if (current.length !== rows.length || current.some(({ line }, i) => line !== rows[i]?.line)) {
    throw new Error(`shipments ${first} to ${last} of account ${accountId} changed while they were archived`);
  }
  await keepFile(tx, file.name, now);
  await sql`
    insert into archive_files (account_id, first_number, last_number, file_name, sha256, last_ended_at, archived_at)
    select ${accountId}, ${first}, ${last}, ${file.name}, ${file.sha256},
      max(greatest(s.delivered_at, s.cancelled_at, s.returned_at)), ${now}
    from shipments s where ${inGroup}`.execute(tx);
  await sql`
    insert into archived_shipments (account_id, number, id, reference_number, status, price_cents, driver_id,
      driver_pay_cents, created_at, delivered_at, slot_starts_at, estimated_delivery_at)
    select account_id, number, id, reference_number, status, price_cents, driver_id, driver_pay_cents, created_at,
      delivered_at, slot_starts_at, estimated_delivery_at
    from shipments s where ${inGroup}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await sql`
    delete from shipment_keys
    where account_id = ${accountId} and newest_first between ${-last} and ${-first}`.execute(tx);
  for (const ofShipment of Object.values(PARTS)) {
    for (const { table, condition = sql`true` } of ofShipment) {
      await sql`
        delete from ${sql.table(table)} t
        where t.account_id = ${accountId} and t.shipment_id = any(${ids}::uuid[]) and ${condition}`.execute(tx);
    }
  }
  await sql`delete from shipments s where ${inGroup}`.execute(tx);
}

interface Part {
  table: string;
  /** Of a partial index. */
  condition?: RawBuilder<boolean>;
}

/** The rows that go with a shipment, by their names in a line. Ledgers, idempotency keys and occurrences stay. */
const PARTS: Record<string, Part[]> = {
  events: [
    { table: 'events', condition: sql`t.type = 'shipping.created'` },
    { table: 'events', condition: sql`t.type <> 'shipping.created'` },
  ],
  messages: [{ table: 'messages' }],
  incidents: [{ table: 'incidents' }],
  decisions: [{ table: 'dispatch_decisions' }],
  dispatch: [{ table: 'dispatch_summaries' }],
};

const rowsOf = (parts: Part[]) =>
  sql`array(${sql.join(
    parts.map(
      ({ table, condition = sql`true` }) => sql`
      select row_to_json(t) from ${sql.table(table)} t
      where t.account_id = s.account_id and t.shipment_id = s.id and ${condition}`,
    ),
    sql` union all `,
  )})`;

/** In the order of the numbers. JSON has line breaks between values only, so that they can be replaced. */
async function readGroup(db: Database | Tx, { accountId, first, last }: Group, before: Date): Promise<ArchivedRow[]> {
  const parts = Object.entries(PARTS).map(([name, tables]) => sql`${sql.lit(name)}, ${rowsOf(tables)}`);
  const { rows } = await sql<ArchivedRow>`
    select s.id, ${isDue(before)} and not exists (
        select from driver_searches q where q.account_id = s.account_id and q.shipment_id = s.id) as "isDue",
      replace(json_build_object('shipment', row_to_json(s), ${sql.join(parts)})::text, chr(10), ' ') as line
    from shipments s where s.account_id = ${accountId} and s.number between ${first} and ${last}
    order by s.number`.execute(db);
  return rows;
}
