import { type Kysely, sql } from 'kysely';
import { LOGS_KEPT_DAYS } from '../config.ts';
import { firstIdAt, instantOf } from './uuid.ts';

/**
 * Tables that are partitioned by the UTC day of a UUIDv7. Old days are dropped: deleting their rows would cost as much as
 * inserting them did. docs/decisions/partitions.md
 */
export const DAILY_TABLES = {
  webhook_deliveries: {
    column: 'event_id',
    storage: 'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000',
  },
  webhook_attempts: { column: 'event_id', storage: 'fillfactor = 100' },
} as const;

export type DailyTable = keyof typeof DAILY_TABLES;
export const DAILY_TABLE_NAMES = Object.keys(DAILY_TABLES) as DailyTable[];

/** Days after today that must exist. A week without a worker, or with a job that fails, does no harm. */
export const DAYS_AHEAD = 7;
/** Days that `navette migrate` and `navette partition` add: the release before serves that long after a downgrade. */
export const DAYS_AHEAD_OF_UPGRADE = 30;
/** Fewer are reported: by the audit, `navette doctor` and an alert. */
export const FEWEST_DAYS_AHEAD = 3;
/** The partition of all days before the first one. */
const EARLIER = 'earlier';
const DAY_MS = 86_400_000;
const ADDING_LOCK = 7_261_934; // any number that no other advisory lock of this database uses

// biome-ignore lint/suspicious/noExplicitAny: works on the catalogue, so for any schema
type AnyDatabase = Kysely<any>;

export interface Partition {
  name: string;
  /** The first instant of its day; null for the partition of all earlier days. */
  day: Date | null;
  /** False for one whose removal was interrupted. */
  isAttached: boolean;
}

export const startOfDay = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);
export const daysAfter = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_MS);

const nameOf = (table: string, day: Date) => `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
const earlierOf = (table: string) => `${table}_${EARLIER}`;
/** While `navette partition` copies a table, its partitions belong to this one. */
export const copyOf = (table: DailyTable) => `${table}_by_day`;
const inSchema = (name: string) => sql.id('partitions', name);

/** The partitioned table that has this table's days: itself, its copy while it is being copied, or none yet. */
async function findParent(db: AnyDatabase, table: DailyTable): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'p' and relnamespace = 'public'::regnamespace and relname = any(${[table, copyOf(table)]})
    `.execute(db);
  return rows[0]?.name;
}

export const isPartitioned = async (db: AnyDatabase, table: DailyTable): Promise<boolean> =>
  (await findParent(db, table)) === table;

/** The partitions of a table, oldest first; those of earlier days come first. */
export async function listPartitions(db: AnyDatabase, table: DailyTable): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; isAttached: boolean }>`
    select c.relname as name, i.inhrelid is not null and not i.inhdetachpending as "isAttached"
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where c.relnamespace = 'partitions'::regnamespace and c.relkind = 'r'
      and c.relname ~ ${`^${table}_(${EARLIER}|[0-9]{8})$`}`.execute(db);
  return rows
    .map(({ name, isAttached }) => ({ name, day: dayIn(name), isAttached }))
    .sort((a, b) => (a.day?.getTime() ?? 0) - (b.day?.getTime() ?? 0));
}

function dayIn(name: string): Date | null {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return year ? new Date(`${year}-${month}-${day}T00:00:00Z`) : null;
}

/**
 * Adds the days that are missing among those kept and those ahead, of all partitioned tables. Blocks neither reads nor
 * writes. Ids are made by the real clock, also those of test accounts whose clock is ahead, so `now` is the real time.
 */
export async function addPartitions(db: AnyDatabase, now: Date, ahead = DAYS_AHEAD): Promise<void> {
  for (const table of DAILY_TABLE_NAMES) {
    const parent = await findParent(db, table);
    if (!parent) continue;
    const days = { first: daysAfter(startOfDay(now), -1), keptSince: daysAfter(now, -LOGS_KEPT_DAYS) };
    const last = daysAfter(startOfDay(now), ahead);
    const isComplete = (await findMissing(db, table, days.keptSince, last))?.length === 0;
    if (!isComplete) await db.transaction().execute((tx) => addDays(tx, table, parent, { ...days, last }));
  }
}

interface DaysToAdd {
  /** The first day of a table that has no partitions yet. */
  first: Date;
  /** Of a table that has some, earlier days are not added: they were dropped. */
  keptSince: Date;
  last: Date;
}

async function addDays(tx: AnyDatabase, table: DailyTable, parent: string, { first, keptSince, last }: DaysToAdd) {
  await sql`select pg_advisory_xact_lock(${ADDING_LOCK})`.execute(tx);
  let missing = await findMissing(tx, table, keptSince, last); // another process may have added some meanwhile
  if (!missing) {
    await add(tx, table, parent, earlierOf(table), sql`minvalue`, first);
    missing = listDays(first, last);
  }
  for (const day of missing) await add(tx, table, parent, nameOf(table, day), boundAt(day), daysAfter(day, 1));
}

/**
 * The days without a partition, also between others: a clock that was ahead, or a pause of weeks, leaves a gap. Undefined for
 * a table without any partition.
 */
async function findMissing(
  db: AnyDatabase,
  table: DailyTable,
  keptSince: Date,
  last: Date,
): Promise<Date[] | undefined> {
  const endOfEarlier = await findEndOfEarlier(db, table);
  if (!endOfEarlier) return undefined;
  const first = startOfDay(keptSince > endOfEarlier ? keptSince : endOfEarlier);
  const known = new Set((await listPartitions(db, table)).map(({ day }) => day?.getTime()));
  return listDays(first, last).filter((day) => !known.has(day.getTime()));
}

function listDays(first: Date, last: Date): Date[] {
  const days = Math.round((last.getTime() - first.getTime()) / DAY_MS) + 1;
  return Array.from({ length: Math.max(days, 0) }, (_, i) => daysAfter(first, i));
}

/** Where the partition of all earlier days ends. */
async function findEndOfEarlier(db: AnyDatabase, table: DailyTable): Promise<Date | undefined> {
  const { rows } = await sql<{ id: string }>`
    select substring(pg_get_expr(relpartbound, oid) from $$TO \\('([^']+)'\\)$$) as id from pg_class
    where relnamespace = 'partitions'::regnamespace and relname = ${earlierOf(table)}`.execute(db);
  return rows[0] && instantOf(rows[0].id);
}

/** The partitioned copy of a table, without rows, with its days since `first`. Does nothing when it exists. */
export async function createCopy(db: AnyDatabase, table: DailyTable, first: Date, now: Date): Promise<void> {
  if (await findParent(db, table)) return;
  await db.transaction().execute(async (tx) => {
    await sql`select create_partitioned(${table}, ${DAILY_TABLES[table].column})`.execute(tx);
    const last = daysAfter(startOfDay(now), DAYS_AHEAD_OF_UPGRADE);
    await addDays(tx, table, copyOf(table), { first: startOfDay(first), keptSince: first, last });
  });
}

const boundAt = (day: Date) => sql.lit(firstIdAt(day));

/** `create table … partition of` would lock the parent against all others; attaching an empty table does not. */
async function add(
  tx: AnyDatabase,
  table: DailyTable,
  parent: string,
  name: string,
  from: ReturnType<typeof boundAt>,
  until: Date,
) {
  const partition = inSchema(name);
  const storage = sql.raw(DAILY_TABLES[table].storage);
  await sql`create table ${partition} (like ${sql.id(parent)} including all) with (${storage})`.execute(tx);
  await sql`alter table ${sql.id(parent)} attach partition ${partition} for values from (${from}) to (${boundAt(until)})
    `.execute(tx);
  await sql`select own_as(${`partitions.${name}`}::regclass, ${parent}::regclass)`.execute(tx);
}

/**
 * Drops the days of a table that ended before an instant, and returns how many. Detaching waits for every transaction that
 * has used the table, such as a dump, and lets others pass meanwhile: `db` must have no time limit. Interrupted, the next
 * call ends what was begun.
 */
export async function dropPartitions(db: AnyDatabase, table: DailyTable, before: Date): Promise<number> {
  const ended = (await listPartitions(db, table)).filter(({ day }) => day && daysAfter(day, 1) <= before);
  for (const { name, isAttached } of ended) {
    const partition = inSchema(name);
    const parent = sql.id(table);
    if (isAttached) await sql`alter table ${parent} detach partition ${partition} concurrently`.execute(db);
    else if (await isDetaching(db, name))
      await sql`alter table ${parent} detach partition ${partition} finalize`.execute(db);
    await sql`drop table ${partition}`.execute(db);
  }
  return ended.length;
}

/** Days are dropped by this time: a worker whose clock is ahead would drop days that are in use. */
export async function readDatabaseTime(db: AnyDatabase): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return (rows[0] as { now: Date }).now;
}

async function isDetaching(db: AnyDatabase, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_inherits where inhrelid = ${`partitions.${name}`}::regclass and inhdetachpending`.execute(db);
  return rows.length > 0;
}

/** The table with rows to delete one by one: those of earlier days, or all while the table is not partitioned. */
export const earlierPart = async (db: AnyDatabase, table: DailyTable) =>
  (await isPartitioned(db, table)) ? inSchema(earlierOf(table)) : sql.id(table);

/**
 * Days after today for which each table has partitions, without a gap; -1 without one for today. Empty for tables that are
 * not partitioned yet.
 */
export async function daysAhead(db: AnyDatabase, now: Date): Promise<Map<DailyTable, number>> {
  const days = await Promise.all(
    DAILY_TABLE_NAMES.map(async (table) => {
      if (!(await isPartitioned(db, table))) return [];
      const attached = (await listPartitions(db, table)).filter(({ isAttached }) => isAttached);
      const known = new Set(attached.map(({ day }) => day?.getTime()));
      let ahead = -1;
      while (known.has(daysAfter(startOfDay(now), ahead + 1).getTime())) ahead++;
      return [[table, ahead] as const];
    }),
  );
  return new Map(days.flat());
}
