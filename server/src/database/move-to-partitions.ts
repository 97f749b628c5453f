import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { LOGS_KEPT_DAYS } from '../config.ts';
import { giveWay } from './give-way.ts';
import { whileLocked, withConnections } from './migrate.ts';
import { copyOf, createCopy, DAILY_TABLE_NAMES, type DailyTable, daysAfter, isPartitioned } from './partitions.ts';

const MOVING_LOCK = 7_261_935; // any number that no other advisory lock of this database uses
const COPY_LOCK = 7_261_936; // with a number per table: a batch waits for deletions, and they for it
const COPY_LOCK_TIMEOUT_MS = 200;
const COPY_RETRY_MS = 20;
const VERIFIED_BATCHES = 10; // batches per comparison
const REST = 0.5; // of the time that a batch took, left to requests

export interface MoveProgress {
  table: DailyTable;
  /** The finished step. `drop`: of the table without partitions. */
  step: 'prepare' | 'copy' | 'verify' | 'swap' | 'drop';
  /** Rows so far, of this step. */
  rows: number;
  /** Rows of the table, as PostgreSQL estimates. */
  of: number;
}

export interface MoveOptions {
  /** Rows per transaction. */
  batch: number;
  onProgress: (progress: MoveProgress) => void;
}

interface Move extends MoveOptions {
  db: Kysely<unknown>;
  table: DailyTable;
  columns: string[];
  key: string[];
  of: number;
}

/**
 * Copies the tables that have rows from before their partitions into partitioned ones, while the service runs. Every step
 * is a transaction, or batches of which each is one together with its progress: killed at any moment, the next call continues.
 * Returns the tables that it moved.
 *
 * 1. A trigger repeats each change in the partitioned copy from now on.
 * 2. Rows that were there before are copied in the order of their key.
 * 3. Both tables are compared range by range, each range in one snapshot, so that changes meanwhile make no difference.
 * 4. The two swap names, in one short transaction.
 * 5. The table without partitions is dropped: erasures would not reach it.
 */
export async function moveToPartitions(databaseUrl: string, options: MoveOptions): Promise<DailyTable[]> {
  return withConnections(databaseUrl, (db) =>
    db.connection().execute((session) =>
      whileLocked(
        session,
        async () => {
          const moved: DailyTable[] = [];
          for (const table of DAILY_TABLE_NAMES) if (await moveTable(db, table, options)) moved.push(table);
          return moved;
        },
        MOVING_LOCK,
      ),
    ),
  );
}

/** Removes what an unfinished move has copied, so that the next one begins again. Tables that are partitioned stay so. */
export async function forgetMoves(databaseUrl: string): Promise<void> {
  await withConnections(databaseUrl, (db) =>
    db.connection().execute((session) =>
      whileLocked(
        session,
        async () => {
          for (const table of DAILY_TABLE_NAMES) {
            if (await isPartitioned(db, table)) continue;
            await giveWay(() => db.transaction().execute((tx) => forgetMove(tx, table)));
          }
        },
        MOVING_LOCK,
      ),
    ),
  );
}

/** One transaction: a copy without its trigger misses changes, so its progress must not outlive the trigger. */
async function forgetMove(tx: Kysely<unknown>, table: DailyTable): Promise<void> {
  await sql`drop trigger if exists copy_to_partitions on ${sql.id(table)}`.execute(tx);
  await sql`drop table if exists ${sql.id(copyOf(table))}`.execute(tx);
  await sql`delete from partition_moves where table_name = ${table}`.execute(tx);
}

async function moveTable(db: Kysely<unknown>, table: DailyTable, options: MoveOptions): Promise<boolean> {
  const state = await readState(db, table);
  if (state ? state.step === 'done' : await isPartitioned(db, table)) return false;
  const move = { ...options, db, table, ...(await describe(db, table)) };
  if (!state) await prepare(move);
  else if (state.step !== 'drop') await requireTrigger(db, table);
  for (;;) {
    const { step, position = null } = (await readState(db, table)) ?? {};
    if (step === 'copy') await copyBatch(move, position);
    else if (step === 'verify') await verifyRange(move, position);
    else if (step === 'swap') await swap(move);
    else if (step === 'drop') await drop(move);
    else return true;
  }
}

/** Without the trigger, the copy has missed changes since. */
async function requireTrigger(db: Kysely<unknown>, table: DailyTable): Promise<void> {
  const { rows } = await sql`
    select from pg_trigger where tgrelid = ${table}::regclass and tgname = 'copy_to_partitions'`.execute(db);
  if (rows.length > 0) return;
  throw new Error(
    `${table}: the unfinished copy has missed changes, since its trigger is gone. ` +
      'The table is unchanged and in use. `navette partition --restart` copies it again.',
  );
}

interface State {
  step: 'copy' | 'verify' | 'swap' | 'drop' | 'done';
  position: string[] | null;
  copied: number;
  verified: number;
}

async function readState(db: Kysely<unknown>, table: DailyTable): Promise<State | undefined> {
  const { rows } = await sql<State>`
    select step, position, copied, verified from partition_moves where table_name = ${table}`.execute(db);
  return rows[0];
}

async function describe(db: Kysely<unknown>, table: DailyTable) {
  const { rows } = await sql<{ columns: string[]; key: string[]; of: number }>`
    select array(select attname::text from pg_attribute
                 where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns,
           array(select a.attname::text from pg_index i
                 cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, nth)
                 join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
                 where i.indrelid = c.oid and i.indisprimary order by k.nth) as key,
           greatest(c.reltuples, 0)::float8 as of
    from pg_class c where c.oid = ${table}::regclass`.execute(db);
  return rows[0] as { columns: string[]; key: string[]; of: number };
}

const list = (names: string[], prefix = '') => sql.join(names.map((name) => sql.raw(`${prefix}"${name}"`)));
const lockId = (table: DailyTable) => DAILY_TABLE_NAMES.indexOf(table);

/** From the commit of the trigger on, no change is missed: creating it waits for transactions that have written before. */
async function prepare({ db, table, columns, key, onProgress, of }: Move): Promise<void> {
  const now = new Date();
  await createCopy(db, table, daysAfter(now, -LOGS_KEPT_DAYS - 1), now);
  const copy = sql.id(copyOf(table));
  const repeat = sql.id(repeaterOf(table));
  await giveWay(() =>
    db.transaction().execute(async (tx) => {
      await sql`
        create or replace function ${repeat}() returns trigger language plpgsql as $repeat$
        begin
          if tg_op = 'DELETE' then
            perform pg_advisory_xact_lock_shared(${sql.lit(COPY_LOCK)}, ${sql.lit(lockId(table))});
            delete from ${copy} where (${list(key)}) = (${list(key, 'old.')});
          else
            insert into ${copy} (${list(columns)}) values (${list(columns, 'new.')})
            on conflict (${list(key)}) do update set (${list(columns)}) = row(${list(columns, 'excluded.')});
          end if;
          return null;
        end $repeat$`.execute(tx);
      await sql`create trigger copy_to_partitions after insert or update or delete on ${sql.id(table)}
        for each row execute function ${repeat}()`.execute(tx);
      await sql`insert into partition_moves (table_name) values (${table})`.execute(tx);
    }),
  );
  onProgress({ table, step: 'prepare', rows: 0, of });
}

const repeaterOf = (table: DailyTable) => `copy_${table}_to_partitions`;
const isAfter = ({ key }: Move, position: string[] | null): RawBuilder<unknown> =>
  position ? sql`(${list(key)}) > (${sql.join(position)})` : sql`true`;

/**
 * A row that another transaction is changing is copied first or repeated first; the second of both waits, and the change
 * wins. Deletions and batches exclude each other: otherwise a deleted row could come back. The batch waits for less time
 * than PostgreSQL waits before it looks for deadlocks, so that it gives way, and no request fails.
 */
async function copyBatch(move: Move, position: string[] | null): Promise<void> {
  const { db, table, columns, key, batch, onProgress, of } = move;
  const start = performance.now();
  const copied = await giveWay(
    () =>
      db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(COPY_LOCK_TIMEOUT_MS)}`.execute(tx);
        await sql`set local synchronous_commit = off`.execute(tx); // rows and progress are lost together, or neither
        await sql`select pg_advisory_xact_lock(${COPY_LOCK}, ${lockId(table)})`.execute(tx);
        const { rows } = await sql<{ rows: number; last: string[] | null }>`
          with batch as materialized (
            select * from ${sql.id(table)} where ${isAfter(move, position)} order by ${list(key)} limit ${batch}
          ), copied as (
            insert into ${sql.id(copyOf(table))} (${list(columns)}) select ${list(columns)} from batch
            on conflict do nothing
          )
          select count(*)::int as rows, (
            select array[${sql.join(key.map((name) => sql`${sql.id(name)}::text`))}] from batch
            order by ${sql.join(key.map((name) => sql`${sql.id(name)} desc`))} limit 1) as last
          from batch`.execute(tx);
        const { rows: count = 0, last = null } = rows[0] ?? {};
        const isLast = count < batch;
        const { rows: written } = await sql<{ copied: number }>`
          update partition_moves set copied = copied + ${count}, position = ${isLast ? null : last},
            step = ${isLast ? 'verify' : 'copy'}
          where table_name = ${table} returning copied`.execute(tx);
        return written[0]?.copied ?? 0;
      }),
    COPY_RETRY_MS,
  );
  onProgress({ table, step: 'copy', rows: copied, of });
  await sleep((performance.now() - start) * REST);
}

/** Compares the number of rows and a sum over their contents. */
async function verifyRange(move: Move, position: string[] | null): Promise<void> {
  const { db, table, onProgress, of } = move;
  const start = performance.now();
  const { before, after, last } = await db.transaction().execute((tx) => readRange(tx, move, position));
  if (before !== after) {
    throw new Error(
      `${table}: the copy differs after ${position?.join(' ') ?? 'the start'} (rows and sum ${before}, copied ${after}). ` +
        'The table is unchanged and in use. `navette partition --restart` copies it again.',
    );
  }
  const count = Number(/^\((\d+),/.exec(before)?.[1]);
  const { rows: written } = await sql<{ verified: number }>`
    update partition_moves set verified = verified + ${count}, position = ${last}, step = ${last ? 'verify' : 'swap'}
    where table_name = ${table} returning verified`.execute(db);
  onProgress({ table, step: 'verify', rows: written[0]?.verified ?? 0, of });
  await sleep((performance.now() - start) * REST);
}

interface Range {
  /** Number of rows and the sum over their contents, of the table and of the copy. */
  before: string;
  after: string;
  /** Key of the last row. Null in the last range, which has no end. */
  last: string[] | null;
}

/** By index. PostgreSQL expects a quarter of the table between two keys, and would read all of it for each range. */
async function readRange(tx: Kysely<unknown>, move: Move, position: string[] | null): Promise<Range> {
  const { table, key, batch } = move;
  await sql`set local enable_seqscan = off`.execute(tx);
  await sql`set local jit = off`.execute(tx); // it compiles for longer than a range takes
  const { rows: ends } = await sql<{ last: string[] }>`
    select array[${sql.join(key.map((name) => sql`${sql.id(name)}::text`))}] as last
    from ${sql.id(table)} where ${isAfter(move, position)}
    order by ${list(key)} offset ${batch * VERIFIED_BATCHES} limit 1`.execute(tx);
  const last = ends[0]?.last ?? null;
  const range = sql`${isAfter(move, position)} and ${last ? sql`(${list(key)}) <= (${sql.join(last)})` : sql`true`}`;
  const contents = (name: string) => sql`
    (select row(count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0))::text from ${sql.id(name)} t where ${range})`;
  const { rows } = await sql<Omit<Range, 'last'>>`
    select ${contents(table)} as before, ${contents(copyOf(table))} as after`.execute(tx);
  return { ...(rows[0] as Omit<Range, 'last'>), last };
}

/** Statements that wait for the lock, and prepared ones, find the partitioned table by its name afterwards. */
async function swap({ db, table, onProgress, of }: Move): Promise<void> {
  await giveWay(() => sql`analyze ${sql.id(copyOf(table))}`.execute(db));
  await giveWay(() =>
    db.transaction().execute(async (tx) => {
      await sql`select swap_partitioned(${table})`.execute(tx);
      await sql`update partition_moves set step = 'drop', position = null where table_name = ${table}`.execute(tx);
    }),
  );
  onProgress({ table, step: 'swap', rows: of, of });
}

async function drop({ db, table, onProgress, of }: Move): Promise<void> {
  await giveWay(() =>
    db.transaction().execute(async (tx) => {
      await sql`drop table ${sql.id(`${table}_unpartitioned`)}`.execute(tx);
      await sql`drop function ${sql.id(repeaterOf(table))}()`.execute(tx);
      await sql`update partition_moves set step = 'done', finished_at = clock_timestamp() where table_name = ${table}
        `.execute(tx);
    }),
  );
  onProgress({ table, step: 'drop', rows: of, of });
}
