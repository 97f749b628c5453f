import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type RawBuilder, sql } from 'kysely';
import type { FileStore } from '../adapters/files/file-store.ts';
import type { Database } from '../database/database.ts';
import { firstIdAt, isUuid } from '../database/uuid.ts';
import { readLines } from '../features/archive/index.ts';
import { referenceOfFile } from '../features/labels/index.ts';
import { listCreations, type RequestLog } from '../features/requests/index.ts';

export interface VerifyContext {
  db: Database;
  requestLog: RequestLog;
  store: FileStore;
  /** Has the files of archived shipments. */
  proofStore: FileStore;
  /** Logs of api processes, as files or `-` for standard input. */
  logs: string[];
}

export interface Verification {
  /** The kind of record, and where it is remembered that callers received an acknowledgement for it. */
  source: string;
  checked: number;
  missing: number;
  /** The first few that do not exist. */
  examples: string[];
}

const BATCH = 1_000;
const MAX_EXAMPLES = 20;

/**
 * Compares the acknowledgements that callers received since then with the rows that exist. After a restore or a failover the database may be
 * consistent and still lack the newest changes, which `navette audit` cannot see. Logs, Redis and the label store are
 * not restored with the database, so they remember.
 */
export async function verifyAcknowledged(context: VerifyContext, since: Date): Promise<Verification[]> {
  const { db, logs, store } = context;
  const first = firstIdAt(since);
  return [
    await lookUp('shipments in the logs of api processes', createdInLogs(logs, since), (ids) => missingIds(db, ids)),
    await lookUp('shipments in the request log', createdInRequestLog(context, since), (ids) => missingIds(db, ids)),
    await lookUp('labels in the label store', referencesOf(store, since), (references) =>
      missingReferences(db, references),
    ),
    await checkRows(db, 'shipments of idempotency keys', 'idempotency_keys', 'every_shipment', {
      broken: sql`k.shipment_id`,
      since: sql`k.shipment_id >= ${first}`,
      match: sql`(s.account_id, s.id) = (k.account_id, k.shipment_id)`,
    }),
    await checkRows(db, 'shipments of ledger entries', 'ledger_entries', 'every_shipment', {
      broken: sql`k.shipment_id`,
      since: sql`k.shipment_id >= ${first}`,
      match: sql`(s.account_id, s.id) = (k.account_id, k.shipment_id)`,
    }),
    await checkRows(db, 'shipments of events', 'events', 'every_shipment', {
      broken: sql`k.shipment_id`,
      since: sql`k.id >= ${first}`,
      match: sql`(s.account_id, s.id) = (k.account_id, k.shipment_id)`,
    }),
    await checkRows(db, 'events of webhook deliveries', 'webhook_deliveries', 'events', {
      broken: sql`k.event_id`,
      since: sql`k.event_id >= ${first}`,
      match: sql`(s.account_id, s.id) = (k.account_id, k.event_id)`,
    }),
    await checkRows(db, 'deliveries of webhook attempts', 'webhook_attempts', 'webhook_deliveries', {
      broken: sql`k.event_id`,
      since: sql`k.event_id >= ${first}`,
      match: sql`(s.account_id, s.webhook_id, s.event_id) = (k.account_id, k.webhook_id, k.event_id)`,
    }),
    await checkArchive(context, since),
  ];
}

interface Reference {
  broken: RawBuilder<unknown>;
  since: RawBuilder<unknown>;
  match: RawBuilder<unknown>;
}

/** Rows of one table that refer to another one, which must exist. */
async function checkRows(
  db: Database,
  source: string,
  table: string,
  target: string,
  { broken, since, match }: Reference,
): Promise<Verification> {
  const { rows } = await sql<{ checked: number; missing: string[] | null }>`
    select count(*) as checked, array_agg(distinct ${broken}::text) filter (where s.account_id is null) as missing
    from ${sql.table(table)} k left join ${sql.table(target)} s on ${match}
    where ${since}`.execute(db);
  const missing = rows[0]?.missing ?? [];
  return { source, checked: rows[0]?.checked ?? 0, missing: missing.length, examples: missing.slice(0, MAX_EXAMPLES) };
}

/** Files that shipments were moved to since then: the file store may be restored to an earlier time than the database. */
async function checkArchive({ db, proofStore }: VerifyContext, since: Date): Promise<Verification> {
  const files = await db
    .selectFrom('archive_files')
    .select(['file_name as name', 'sha256'])
    .where('archived_at', '>=', since)
    .execute();
  const missing: string[] = [];
  for (const file of files) await readLines(proofStore, file).catch(() => missing.push(file.name));
  return {
    source: 'files of archived shipments',
    checked: files.length,
    missing: missing.length,
    examples: missing.slice(0, MAX_EXAMPLES),
  };
}

/** Looks names up in batches; a name that occurs twice counts once. */
async function lookUp(
  source: string,
  names: AsyncIterable<string>,
  findMissing: (names: string[]) => Promise<string[]>,
): Promise<Verification> {
  const seen = new Set<string>();
  const missing: string[] = [];
  let batch: string[] = [];
  const check = async () => {
    missing.push(...(await findMissing(batch)));
    batch = [];
  };
  for await (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    batch.push(name);
    if (batch.length === BATCH) await check();
  }
  await check();
  return { source, checked: seen.size, missing: missing.length, examples: missing.slice(0, MAX_EXAMPLES) };
}

/** An account and its shipment, as one text. */
const pair = (accountId: string, shipmentId: string) => `${accountId}/${shipmentId}`;

/** Lines of access-log.ts. Other lines are skipped: a log may hold those of other programs. */
async function* createdInLogs(files: string[], since: Date): AsyncGenerator<string> {
  for (const file of files) {
    const input = file === '-' ? process.stdin : createReadStream(file);
    for await (const line of createInterface({ input })) {
      if (!line.includes('"shipments":')) continue;
      const { time, account, shipments } = parseLine(line);
      if (time >= since.getTime() && isUuid(account)) yield* shipments.filter(isUuid).map((id) => pair(account, id));
    }
  }
}

const NO_CREATION = { time: 0, account: '', shipments: [] as string[] };

function parseLine(line: string): typeof NO_CREATION {
  try {
    return { ...NO_CREATION, ...(JSON.parse(line.slice(line.indexOf('{'))) as Partial<typeof NO_CREATION>) };
  } catch {
    return NO_CREATION;
  }
}

async function* createdInRequestLog({ db, requestLog }: VerifyContext, since: Date): AsyncGenerator<string> {
  for (const { id } of await db.selectFrom('accounts').select('id').execute()) {
    for (const shipmentId of await listCreations(requestLog, id, since)) yield pair(id, shipmentId);
  }
}

async function* referencesOf(store: FileStore, since: Date): AsyncGenerator<string> {
  for await (const name of store.list(since)) {
    const reference = referenceOfFile(name);
    if (reference) yield reference;
  }
}

async function missingIds(db: Database, pairs: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select split_part(acknowledged.pair, '/', 2) as id from unnest(${pairs}::text[]) as acknowledged (pair)
    where not exists (
      select from every_shipment s
      where (s.account_id, s.id) = (split_part(acknowledged.pair, '/', 1)::uuid, split_part(acknowledged.pair, '/', 2)::uuid)
    )`.execute(db);
  return rows.map(({ id }) => id);
}

async function missingReferences(db: Database, references: string[]): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select reference from unnest(${references}::text[]) as acknowledged (reference)
    where not exists (select from every_shipment s where s.reference_number = acknowledged.reference)`.execute(db);
  return rows.map(({ reference }) => reference);
}
