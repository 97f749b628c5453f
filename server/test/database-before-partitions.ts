import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { inject } from 'vitest';
import { migrateDatabase } from '../src/database/migrate.ts';

const MIGRATIONS = new URL('../src/database/migrations/', import.meta.url);
const FIRST_WITH_PARTITIONS = '0087';

/** A database as the release before partitions left it, filled by a statement, then migrated to this one. */
export async function createDatabaseBeforePartitions(fill: string): Promise<{ url: string; drop(): Promise<void> }> {
  const template = new URL(inject('templateDatabaseUrl'));
  const name = `${template.pathname.slice(1)}_${randomBytes(4).toString('hex')}`;
  const url = Object.assign(new URL(template), { pathname: `/${name}` }).href;
  const folder = await mkdtemp(join(tmpdir(), 'navette-migrations-'));
  const files = (await readdir(MIGRATIONS)).filter((file) => file < FIRST_WITH_PARTITIONS);
  for (const file of files) await cp(new URL(file, MIGRATIONS), join(folder, file));
  await migrateDatabase(url, pathToFileURL(`${folder}/`));
  await rm(folder, { recursive: true });
  await query(url, fill);
  await migrateDatabase(url);
  const admin = Object.assign(new URL(template), { pathname: '/postgres' }).href;
  return { url, drop: () => query(admin, `drop database if exists ${name} with (force)`) };
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
