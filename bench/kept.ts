import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { createDatabase, createPool } from '../server/src/database/database.ts';
import { DAILY_TABLE_NAMES, daysAfter, dropPartitions } from '../server/src/database/partitions.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createRegistry } from '../server/src/observability/metrics-registry.ts';
import { createTracer } from '../server/src/observability/tracer.ts';
import { createMemoryState } from '../server/src/shared-state.ts';
import { startWorker } from '../server/src/worker.ts';
import { startPrivatePostgres } from '../server/test/private-postgres.ts';
import { benchLivesOn, COUNTING } from './lives.ts';
import { runScheduledJobs } from './load/scheduled-jobs.ts';
import { createInstallation, type Stack, serveInstallation } from './stack.ts';

const MERCHANTS = 10;
/** With those of the warm-up 100 shipments of each merchant: one file of the archive. */
const LIVES = { rate: 4, seconds: 245 };
const DAYS_KEPT = 30; // of deliveries and attempts
const LEAST_BYTES = 20; // per life; smaller tables are not listed
const HOURLY_OR_NIGHTLY = /^\d+ /;
/** The nights whose jobs run, in days after the lives. */
const NIGHTS = [
  { title: 'after 31 days', days: 31 },
  { title: 'after 91 days', days: 91 },
  { title: 'after 14 months, erased', days: 427 },
  { title: 'after 28 months, archived', days: 850, settings: { ARCHIVE_AFTER_DAYS: '400' } },
];

/** Bytes by table, indexes included. */
type Sizes = Map<string, number>;

/** Prints the bytes that a delivered shipment takes in the database: at first, and after the jobs of later nights. */
export async function benchKept(): Promise<void> {
  const postgres = await startPrivatePostgres(COUNTING);
  const files = await mkdtemp(join(tmpdir(), 'navette-kept-'));
  try {
    const merchants = await createInstallation(postgres.url, MERCHANTS);
    const empty = await measure(postgres.url);
    await benchLivesOn(
      'lives that are kept',
      async (settings) => {
        const stack = await serveInstallation(postgres.url, merchants, settings);
        return { postgres, stack, stop: () => stack.stop() };
      },
      LIVES.rate,
      LIVES.seconds,
    );
    const stack = await serveInstallation(postgres.url, merchants, { PROOF_STORE: files });
    const lives = (await stack.sql(`select count(*)::int as lives from shipments where status = 'delivered'`)).rows[0]
      .lives;
    console.log(`\nBytes of each of ${lives} delivered shipments in Navette's tables, indexes included`);
    print('at first', empty, await measure(postgres.url), lives);
    for (const { title, days, settings } of NIGHTS) {
      // Label files of a night are deleted in the next one.
      for (const night of [days, days + 1]) await liveThrough(stack, daysAfter(new Date(), night), settings);
      print(title, empty, await measure(postgres.url), lives);
    }
    await stack.stop();
  } finally {
    await postgres.remove();
    await rm(files, { recursive: true });
  }
}

/** The jobs of a night, by a worker whose clock is there. Days are dropped by the clock of PostgreSQL, so here by the caller. */
async function liveThrough({ ...stack }: Stack, night: Date, settings: Record<string, string> = {}): Promise<void> {
  const engines = openEngines(readConfig({ ...process.env, ...stack.environment, ...settings }), createLog('error'));
  const registry = createRegistry();
  const tracer = createTracer(engines.config, registry, engines.log);
  const worker = await startWorker({ ...engines, state: createMemoryState(), registry, tracer, now: () => night });
  for await (const _ of runScheduledJobs(stack, engines, HOURLY_OR_NIGHTLY));
  await worker.stop();
  await tracer.stop();
  await engines.close();
  const pool = createPool({ databaseUrl: stack.databaseUrl, size: 1 });
  const db = createDatabase(pool);
  for (const table of DAILY_TABLE_NAMES) await dropPartitions(db, table, daysAfter(night, -DAYS_KEPT));
  await pool.end();
}

/** Of tables that have rows, so that days without any do not count. */
async function measure(databaseUrl: string): Promise<Sizes> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('vacuum full');
  const { rows } = await client.query(
    `select regexp_replace(relname, '_(\\d{8}|earlier)$', '') as name, sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
     where relkind = 'r' and pg_relation_size(oid) > 0 and relnamespace in ('public'::regnamespace, 'partitions'::regnamespace) group by 1`,
  );
  await client.end();
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Without what the tables take while they are empty. */
function print(title: string, empty: Sizes, sizes: Sizes, lives: number): void {
  const each = [...sizes].map(([name, bytes]) => ({ name, bytes: (bytes - (empty.get(name) ?? 0)) / lives }));
  const sum = each.reduce((total, { bytes }) => total + bytes, 0);
  const listed = each
    .filter(({ bytes }) => bytes >= LEAST_BYTES)
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `${name} ${bytes.toFixed(0)}`);
  console.log(`  ${title.padEnd(26)} ${sum.toFixed(0).padStart(6)}  ${listed.join(', ')}`);
}
