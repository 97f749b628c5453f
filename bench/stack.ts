import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { migrateDatabase } from '../server/src/database/migrate.ts';
import { installJobs } from '../server/src/jobs/boss.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createMerchant, type Merchant } from '../server/test/create-merchant.ts';
import { dropDatabase } from '../server/test/drop-database.ts';
import { freePort } from '../server/test/free-port.ts';

const CLI = fileURLToPath(new URL('../server/bin/navette.js', import.meta.url));
const UNLIMITED = { minute: 2_000_000_000, hour: 2_000_000_000, day: 2_000_000_000 };

export type { Merchant };

export interface Stack {
  databaseUrl: string;
  /** Environment of the processes that belong to this stack. */
  environment: Record<string, string>;
  url: string;
  /** Process id of the server, for reading its memory. */
  pid: number;
  merchants: Merchant[];
  sql: (text: string, values?: unknown[]) => Promise<pg.QueryResult>;
  stop(): Promise<void>;
}

/**
 * The base of every scenario: its own database, merchants without restrictions, and one `navette serve api`, which
 * `settings` may change.
 */
export async function startStack(merchantCount: number, settings: Record<string, string> = {}): Promise<Stack> {
  const url = new URL(readConfig().databaseUrl);
  url.pathname = `/navette_bench_${process.pid}_${randomBytes(4).toString('hex')}`;
  const merchants = await createInstallation(url.href, merchantCount, settings);
  const stack = await serveInstallation(url.href, merchants, settings);
  return {
    ...stack,
    async stop() {
      await stack.stop();
      await dropDatabase(url.href);
    },
  };
}

/** A migrated database with merchants without restrictions. */
export async function createInstallation(
  databaseUrl: string,
  merchantCount: number,
  settings: Record<string, string> = {},
): Promise<Merchant[]> {
  await migrateDatabase(databaseUrl);
  await installJobs(databaseUrl);
  const environment = { ...process.env, DATABASE_URL: databaseUrl, ...settings };
  const engines = openEngines(readConfig(environment), createLog('warn'));
  const merchants: Merchant[] = [];
  for (let i = 0; i < merchantCount; i++) {
    const settings = { name: `Marchand ${i}`, paymentMode: 'deferred' as const, timeSlots: [], rateLimits: UNLIMITED };
    merchants.push(await createMerchant(engines, settings, ['read', 'write']));
  }
  await engines.close();
  return merchants;
}

/** One `navette serve api` on a database that exists. */
export async function serveInstallation(
  databaseUrl: string,
  merchants: Merchant[],
  settings: Record<string, string>,
): Promise<Stack> {
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_PREFIX: `navette_bench_${process.pid}_${randomBytes(4).toString('hex')}:`,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SMS_PER_ACCOUNT_PER_DAY: '10000000',
    WEBHOOK_HOST_IN_FLIGHT: '100000', // every merchant's endpoint is at one host here
    WEBHOOK_HOST_PER_SECOND: '1000000',
    ...settings,
  };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const server = await startServer(environment);
  return {
    databaseUrl,
    environment,
    url: server.address,
    pid: server.process.pid ?? 0,
    merchants,
    sql: (text, values = []) => client.query(text, values),
    async stop() {
      server.process.kill('SIGTERM');
      await once(server.process, 'exit');
      await client.end();
    },
  };
}

/** Logs every request as in production, to /dev/null: reading the lines here would take a core from the server. */
async function startServer(environment: Record<string, string>): Promise<{ process: ChildProcess; address: string }> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [CLI, 'serve', 'api'], {
    env: { ...process.env, ...environment, PORT: String(port), LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${address}/readyz`).catch(() => null);
    if (ready?.ok) return { process: child, address };
    if (tries > 600) {
      child.kill('SIGKILL');
      throw new Error('the server does not start');
    }
    await setTimeout(100);
  }
}

/** One `navette serve worker` on the stack's engines, once it is running. */
export async function startWorker({ environment }: Stack): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI, 'serve', 'worker'], {
    env: { ...process.env, ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data'); // its first lines report that it serves
  child.stdout.resume();
  return child;
}
