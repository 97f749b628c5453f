import type { TestProject } from 'vitest/node';
import { readConfig } from '../src/config.ts';
import { migrateDatabase } from '../src/database/migrate.ts';
import { installJobs } from '../src/jobs/boss.ts';
import { dropDatabase } from './drop-database.ts';
import { hasPostgresPrograms, startPrivatePostgres } from './private-postgres.ts';
import { setDurability } from './set-durability.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateDatabaseUrl: string;
  }
}

/**
 * Tests start several processes with pools of their own: PostgreSQL's default of a hundred connections is not enough. Moves
 * of accounts need logical replication.
 */
const FOR_TESTS = {
  max_connections: '400',
  shared_buffers: '256MB',
  wal_level: 'logical',
  max_replication_slots: '20',
  max_worker_processes: '24',
  max_logical_replication_workers: '12',
};

/**
 * Migrates one database; every test file copies it, which is ten times as fast as migrating. In a PostgreSQL of its own
 * where the programs are installed, unless DATABASE_URL names one.
 */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const isOwn = process.env.DATABASE_URL === undefined && (await hasPostgresPrograms());
  const own = isOwn ? await startPrivatePostgres(FOR_TESTS) : null;
  if (own) await setDurability(own.url, 'off');
  const url = new URL(own?.url ?? readConfig().databaseUrl);
  url.pathname = `/navette_test_${process.pid}_${project.name}`;
  await migrateDatabase(url.href);
  await installJobs(url.href);
  project.provide('templateDatabaseUrl', url.href);

  return () => (own ? own.remove() : dropDatabase(url.href));
}
