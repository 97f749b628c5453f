import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../server/src/config.ts';
import { migrateDatabase } from '../../server/src/database/migrate.ts';
import { installJobs } from '../../server/src/jobs/boss.ts';
import { findPackage, preparePrograms } from './postgres/programs.ts';
import { type Cluster, initialise, type RunningPostgres, startPostgres, takeOver } from './postgres/start-postgres.ts';
import { unprivilegedUser } from './postgres/unprivileged-user.ts';
import { saveDatabase } from './restore-database.ts';
import { seedAccount } from './seed-account.ts';

export const DATABASE = 'navette';

/**
 * A running PostgreSQL with the migrated database and the merchant's account. The first start on a machine prepares it
 * and keeps a copy of the data in the user's cache; later starts copy that.
 */
export async function startCluster(folder: string, settings: Record<string, string>): Promise<RunningPostgres> {
  const cache = cacheFolder();
  const user = unprivilegedUser();
  const cluster: Cluster = { programs: await preparePrograms(folder, user), user, folder };
  const template = join(cache, `data-${await templateKey()}`);
  const data = join(folder, 'data');
  if (existsSync(template)) {
    await cp(template, data, { recursive: true });
    await takeOver(cluster);
    return startPostgres(cluster);
  }
  await initialise(cluster);
  const postgres = await startPostgres(cluster);
  const url = postgres.urlOf(DATABASE);
  await migrateDatabase(url);
  await installJobs(url);
  await seedAccount(readConfig({ ...settings, DATABASE_URL: url }));
  await saveDatabase(url);
  await postgres.stop();
  await keep(data, template).catch(() => {}); // a read-only home: every start is the first one
  return startPostgres(cluster);
}

/** Atomic, because several emulators may start at once. */
async function keep(data: string, template: string): Promise<void> {
  const unfinished = `${template}-${process.pid}`;
  await mkdir(join(template, '..'), { recursive: true, mode: 0o700 });
  try {
    await cp(data, unfinished, { recursive: true });
    await rename(unfinished, template);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function cacheFolder(): string {
  // biome-ignore lint/style/noProcessEnv: the place of caches is no setting of the service
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'navette-emulator');
}

/** Changes with everything that the prepared data depends on. */
async function templateKey(): Promise<string> {
  const extension = extname(import.meta.url);
  const migrations = fileURLToPath(new URL('../../server/src/database/migrations/', import.meta.url));
  const files = [
    ...(await readdir(migrations)).sort().map((name) => join(migrations, name)),
    ...['../../server/src/jobs/definitions', './seed-account', './fixed-values', './restore-database'].map((name) =>
      fileURLToPath(new URL(`${name}${extension}`, import.meta.url)),
    ),
  ];
  const hash = createHash('sha256').update(findPackage().version);
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
