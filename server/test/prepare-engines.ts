import type { TestProject } from 'vitest/node';
import { readConfig } from '../src/config.ts';
import { migrateDatabase } from '../src/database/migrate.ts';
import { installJobs } from '../src/jobs/boss.ts';
import { dropDatabase } from './drop-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateDatabaseUrl: string;
  }
}

/** Migrates one database; every test file copies it, which takes a tenth of the time. */
export default async function prepare({ provide }: TestProject): Promise<() => Promise<void>> {
  const url = new URL(readConfig().databaseUrl);
  const name = `navette_test_${process.pid}`;
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  await installJobs(url.href);
  provide('templateDatabaseUrl', url.href);

  return () => dropDatabase(url.href);
}
