import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { connectionOptions, createPool } from './database.ts';
import { giveWay, LOCK_TIMEOUT_MS } from './give-way.ts';
import { type MigrationFile, readMigrationFiles, splitStatements } from './migration-files.ts';
import { addPartitions, DAYS_AHEAD_OF_UPGRADE } from './partitions.ts';
import { type PlannedStatement, planMigrations } from './plan-migrations.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505'; // the error of a CREATE DATABASE that lost a race
const MIGRATION_LOCK = 7_261_933; // any number that no other advisory lock of this database uses
const LOCK_RETRY_MS = 200;

/** Brings the schema up to date and returns the names of the migrations that it ran. Processes take turns. */
export async function migrateDatabase(databaseUrl: string, folder = FOLDER): Promise<string[]> {
  await createDatabaseIfMissing(databaseUrl);
  const files = await readMigrationFiles(folder);
  return withConnections(databaseUrl, (db) =>
    db.connection().execute((session) =>
      whileLocked(session, async () => {
        const ran = await runPending(db, session, files);
        if (folder === FOLDER) await giveWay(() => addPartitions(db, new Date(), DAYS_AHEAD_OF_UPGRADE));
        return ran;
      }),
    ),
  );
}

export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const files = await readMigrationFiles(FOLDER);
  return withConnections(databaseUrl, (db) => namesOfPending(db, files));
}

/** Nothing is changed. The tables must exist: of a new database all statements would be quick. */
export async function planPending(databaseUrl: string): Promise<PlannedStatement[]> {
  const files = await readMigrationFiles(FOLDER);
  return withConnections(databaseUrl, async (db) => {
    const pending = new Set(await namesOfPending(db, files));
    return planMigrations(
      db,
      files.filter(({ name }) => pending.has(name)),
    );
  });
}

/**
 * Each file runs in a transaction of its own, so that few tables are locked at a time. A file without a transaction is
 * recorded once all of its statements succeeded, so that it is run again after a failure.
 */
async function runPending(db: Kysely<unknown>, session: Kysely<unknown>, files: MigrationFile[]): Promise<string[]> {
  const pending = new Set(await namesOfPending(db, files));
  await sql`set lock_timeout = 0`.execute(session); // a concurrent index build waits for all older transactions
  for (const [i, file] of files.entries()) {
    if (!pending.has(file.name)) continue;
    const statements = file.inTransaction ? [] : splitStatements(file.text);
    for (const statement of statements) await sql.raw(statement).execute(session);
    await runInTransaction(db, files.slice(0, i + 1)); // or only records the file
  }
  return [...pending];
}

async function runInTransaction(db: Kysely<unknown>, files: MigrationFile[]): Promise<void> {
  await giveWay(async () => {
    const { error } = await createMigrator(db, files).migrateToLatest();
    if (error) throw error;
  });
}

async function namesOfPending(db: Kysely<unknown>, files: MigrationFile[]): Promise<string[]> {
  const migrations = await createMigrator(db, files).getMigrations();
  return migrations.filter((migration) => !migration.executedAt).map((migration) => migration.name);
}

/** For a file without a transaction, Kysely only records that it ran. */
function createMigrator(db: Kysely<unknown>, files: MigrationFile[]): Migrator {
  const migrations = files.map(({ name, text, inTransaction }) => [
    name,
    { up: async (tx: Kysely<unknown>) => void (inTransaction && (await sql.raw(text).execute(tx))) },
  ]);
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(migrations) } });
}

/**
 * One process migrates at a time. A waiting process polls: blocked inside `pg_advisory_lock` it would hold a snapshot, a
 * concurrent index build waits for older snapshots, and the two would deadlock.
 */
export async function whileLocked<T>(
  session: Kysely<unknown>,
  run: () => Promise<T>,
  key = MIGRATION_LOCK,
): Promise<T> {
  const lock = sql<{ locked: boolean }>`select pg_try_advisory_lock(${key}) as locked`;
  while (!(await lock.execute(session)).rows[0]?.locked) await sleep(LOCK_RETRY_MS);
  try {
    return await run();
  } finally {
    await sql`select pg_advisory_unlock(${key})`.execute(session);
  }
}

export async function withConnections<T>(databaseUrl: string, use: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const pool = createPool({ databaseUrl, size: 3, lockTimeoutMs: LOCK_TIMEOUT_MS });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

export async function createDatabaseIfMissing(databaseUrl: string): Promise<void> {
  const target = new URL(databaseUrl);
  const name = decodeURIComponent(target.pathname.slice(1));
  target.pathname = '/postgres';
  const client = new pg.Client({ connectionString: target.href, ...connectionOptions() });
  try {
    await client.connect();
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    const lostRace =
      error instanceof pg.DatabaseError && [DUPLICATE_DATABASE, UNIQUE_VIOLATION].includes(error.code ?? '');
    if (!lostRace) throw error;
  } finally {
    await client.end();
  }
}
