import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, createPool, type Database } from '../src/database/database.ts';

export interface TestDatabase {
  url: string;
  db: Database;
  drop(): Promise<void>;
}

/** A database of its own for one test file, copied from the migrated one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('templateDatabaseUrl'));
  const source = template.pathname.slice(1);
  const name = `${source}_${randomBytes(4).toString('hex')}`;
  await asAdmin(template, `create database ${name} template ${source}`);
  const url = Object.assign(new URL(template), { pathname: `/${name}` }).href;
  const db = createDatabase(createPool({ databaseUrl: url, size: 10, connectionTimeLimitMs: 60_000 }));
  return {
    url,
    db,
    async drop() {
      await db.destroy();
      await asAdmin(template, `drop database if exists ${name} with (force)`);
    },
  };
}

async function asAdmin(template: URL, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: Object.assign(new URL(template), { pathname: '/postgres' }).href });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
