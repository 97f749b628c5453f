import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../server/test/private-postgres.ts';
import { benchLivesOn, COUNTING } from './lives.ts';
import { fillAccount } from './load/fill-account.ts';
import { type CompanySize, fillCompany } from './load/fill-company.ts';
import { runScheduledJobs } from './load/scheduled-jobs.ts';
import { at } from './load/timing.ts';
import { comparePages, type PagesSide, read } from './pages.ts';
import { createInstallation, type Merchant, type Stack, serveInstallation, startWorker } from './stack.ts';

const SMALL = 10_000; // shipments of the other company, and of one account of the large one
const LIVES_MERCHANTS = 10;
const SAMPLE = 200;
const ALLOWED_RATIO = 1.2;
const MOST_NIGHT_SECONDS = 600;
/** docs/operators/sizing.md, for this machine. */
const AS_ADVISED = {
  ...COUNTING,
  shared_buffers: '5GB',
  effective_cache_size: '15GB',
  wal_compression: 'lz4',
  random_page_cost: '1.1',
  checkpoint_timeout: '30min',
};
/** Rows are loaded without a log: a crash ends the scenario anyway. */
const FOR_LOADING = {
  fsync: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  autovacuum: 'off',
  shared_buffers: '4GB',
};

export interface GrowthOptions {
  shipments: number;
  accounts: number;
  /** Keeps the filled server there, and uses it when it exists. */
  data?: string | undefined;
  rate: number;
  seconds: number;
}

/**
 * A year of a large company beside a new one: every read, whole lives, and a night of scheduled jobs. Returns whether reads
 * are flat and the night is short.
 */
export async function benchGrowth({ shipments, accounts, data, rate, seconds }: GrowthOptions): Promise<boolean> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), 'navette-growth-')));
  await prepareCompany(folder, { shipments, accounts, middling: SMALL });
  const flat = await comparePagesBesideNew(folder);
  await benchLivesOn('a new company', startNew, rate, seconds);
  await benchLivesOn(`a year of ${shipments} shipments`, (providers) => openCompany(folder, providers), rate, seconds);
  const nightSeconds = await runNight(folder);
  if (!data) await rm(folder, { recursive: true });
  return flat && nightSeconds <= MOST_NIGHT_SECONDS;
}

const merchantsIn = (folder: string) => join(folder, 'merchants.json');

async function prepareCompany(folder: string, size: CompanySize): Promise<void> {
  if (existsSync(merchantsIn(folder))) return;
  console.log(`Filling ${size.shipments} shipments of ${size.accounts} accounts`);
  const postgres = await startPrivatePostgres(FOR_LOADING, folder);
  try {
    const merchants = await createInstallation(postgres.url, 2 + LIVES_MERCHANTS);
    const ids = merchants.map(({ id }) => id);
    await fillCompany(postgres.url, ids, size);
    await writeFile(merchantsIn(folder), JSON.stringify(merchants));
  } finally {
    await postgres.stop();
  }
}

interface Company {
  postgres: PrivatePostgres;
  stack: Stack;
  /** The largest account and one with as many shipments as the new company. */
  largest: Merchant;
  middling: Merchant;
  stop(): Promise<void>;
}

async function openCompany(folder: string, settings: Record<string, string> = {}): Promise<Company> {
  const postgres = await startPrivatePostgres(AS_ADVISED, folder);
  const [largest, middling, ...merchants] = JSON.parse(await readFile(merchantsIn(folder), 'utf8')) as Merchant[];
  if (!largest || !middling) throw new Error(`${folder} has no merchants`);
  const stack = await serveInstallation(postgres.url, merchants, settings);
  await stack.sql('delete from webhooks'); // of an earlier run
  const stop = async () => {
    await stack.stop();
    await postgres.stop();
  };
  return { postgres, stack, largest, middling, stop };
}

async function startNew(settings: Record<string, string> = {}) {
  const postgres = await startPrivatePostgres(AS_ADVISED);
  const merchants = await createInstallation(postgres.url, LIVES_MERCHANTS);
  const stack = await serveInstallation(postgres.url, merchants, settings);
  const stop = async () => {
    await stack.stop();
    await postgres.remove();
  };
  return { postgres, stack, stop };
}

async function comparePagesBesideNew(folder: string): Promise<boolean> {
  const company = await openCompany(folder);
  const other = await startNew();
  try {
    const merchant = other.stack.merchants[0] as Merchant;
    const small = {
      stack: other.stack,
      merchant,
      shipments: SMALL,
      ...(await fillAccount(other.stack, merchant, SMALL)),
    };
    const sides = [await sampleOf(company.stack, company.largest), await sampleOf(company.stack, company.middling)];
    let flat = true;
    for (const side of [small, ...sides]) await readOnce(side);
    for (const side of sides) flat = (await comparePages(small, side, ALLOWED_RATIO)) && flat;
    return flat;
  } finally {
    await other.stop();
    await company.stop();
  }
}

/** Shipments from all over the year of an account. */
async function sampleOf(stack: Stack, merchant: Merchant): Promise<PagesSide> {
  const { rows: counters } = await stack.sql(
    'select last_shipment::int as shipments from account_counters where account_id = $1',
    [merchant.id],
  );
  const { shipments } = counters[0];
  const { rows } = await stack.sql(
    `select id, reference_number as reference from shipments where account_id = $1 and number = any(
       select 1 + n * $2::bigint / ${SAMPLE} from generate_series(0, ${SAMPLE - 1}) n)`,
    [merchant.id, shipments],
  );
  const [ids, references] = [rows.map(({ id }) => id), rows.map(({ reference }) => reference)];
  return { stack, merchant, shipments, ids, references };
}

/** The first read of each comes from the disk, or from the cache of the operating system. */
async function readOnce(side: PagesSide): Promise<void> {
  const times: number[] = [];
  for (const id of side.ids.slice(0, SAMPLE)) times.push(await read(side, `/shipping/${id}`));
  times.sort((a, b) => a - b);
  console.log(
    `  first read of ${times.length} of ${side.shipments} shipments: p50 ${at(times, 0.5).toFixed(2)} ms, p95 ${at(times, 0.95).toFixed(2)} ms`,
  );
}

/** Each scheduled job once, one after the other, by a worker. Returns the seconds of the nightly ones. */
async function runNight(folder: string): Promise<number> {
  const company = await openCompany(folder);
  const { stack } = company;
  const worker = await startWorker(stack);
  const engines = openEngines(readConfig({ ...process.env, ...stack.environment }), createLog('warn'));
  try {
    console.log('\nA night of scheduled jobs: seconds and log of each');
    let night = 0;
    let walBefore = await readWal(stack);
    for await (const { name, schedule, seconds } of runScheduledJobs(stack, engines)) {
      const wal = await readWal(stack);
      if (/^\d+ \d+ /.test(schedule)) night += seconds;
      console.log(
        `  ${name.padEnd(28)} ${seconds.toFixed(2).padStart(8)} s ${((wal - walBefore) / 2 ** 20).toFixed(1).padStart(8)} MiB  ${schedule}`,
      );
      walBefore = wal;
    }
    console.log(`  all of the night: ${night.toFixed(0)} s`);
    await vacuum(stack);
    return night;
  } finally {
    await engines.close();
    worker.kill('SIGTERM');
    await company.stop();
  }
}

const readWal = async ({ sql }: Stack): Promise<number> =>
  (await sql(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`)).rows[0].bytes;

/** The work of vacuum after such a night, table by table. */
async function vacuum(stack: Stack): Promise<void> {
  const { rows } = await stack.sql(
    `select relid::regclass::text as name, n_dead_tup::int as dead, autovacuum_count::int as automatic
     from pg_stat_user_tables
     where (n_dead_tup > 10000 or autovacuum_count > 0) and schemaname <> 'pgboss' order by n_dead_tup desc`,
  );
  for (const { name, dead, automatic } of rows) {
    const walBefore = await readWal(stack);
    const started = performance.now();
    await stack.sql(`vacuum ${name}`);
    const seconds = (performance.now() - started) / 1_000;
    const walMb = ((await readWal(stack)) - walBefore) / 2 ** 20;
    console.log(
      `  vacuum ${name}: ${dead} dead rows, ${automatic} times by itself before, ${seconds.toFixed(1)} s, ${walMb.toFixed(0)} MiB of log`,
    );
  }
}
