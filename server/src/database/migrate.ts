import { readdir, readFile } from 'node:fs/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, type MigrationInfo, Migrator } from 'kysely/migration';
import pg from 'pg';

const FOLDER = new URL('./migrations/', import.meta.url);
const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505'; // what a CREATE DATABASE that lost a race gets

/** Plain SQL files in the order of their names. Kysely takes an advisory lock: ten processes may start at once. */
async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  const entries = files.map(async (file) => {
    const text = await readFile(new URL(file, FOLDER), 'utf8');
    return [
      file.replace('.sql', ''),
      { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function withMigrator<T>(databaseUrl: string, use: (migrator: Migrator) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, connectionTimeoutMillis: 5_000 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await use(new Migrator({ db, provider: { getMigrations: readMigrations } }));
  } finally {
    await db.destroy();
  }
}

/** Brings the schema up to date and returns the names of what it ran. */
export async function migrateDatabase(databaseUrl: string): Promise<string[]> {
  await createDatabaseIfMissing(databaseUrl);
  return withMigrator(databaseUrl, async (migrator) => {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    return results.map((result) => result.migrationName);
  });
}

export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  return withMigrator(databaseUrl, async (migrator) => {
    const migrations: readonly MigrationInfo[] = await migrator.getMigrations();
    return migrations.filter((migration) => !migration.executedAt).map((migration) => migration.name);
  });
}

async function createDatabaseIfMissing(databaseUrl: string): Promise<void> {
  const target = new URL(databaseUrl);
  const name = decodeURIComponent(target.pathname.slice(1));
  target.pathname = '/postgres';
  const client = new pg.Client({ connectionString: target.href, connectionTimeoutMillis: 5_000 });
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
