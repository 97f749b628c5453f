/**
 * `npm run restore:drill`: restores the newest backup into a new PostgreSQL, checks it with Navette's own commands, and
 * prints how much was lost and how long it took. It reads the repository and changes neither it nor the live database.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { createPool } from '../../server/src/database/database.ts';

const NAVETTE = join(import.meta.dirname, '../../server/bin/navette.js');
const VERIFIED_HOURS = 24;
const STARTING_UP = '57P03'; // PostgreSQL: cannot_connect_now

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    config: { type: 'string', default: '/etc/pgbackrest.conf' },
    stanza: { type: 'string', default: 'navette' },
    database: { type: 'string', default: 'navette' },
    user: { type: 'string', default: 'navette' },
    bin: { type: 'string' },
    to: { type: 'string' },
    live: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run restore:drill -- [--to TIME] [--live URL] [--stanza NAME] [--config FILE] [--database NAME] [--bin DIR]

Run it on a machine that reads the backups, as root or as the user postgres. The restored PostgreSQL listens on a socket
in a folder of its own, and archives nothing.

  --to TIME       restore to this time, such as 2026-05-20T14:00:00+02:00; by default everything that was archived
  --live URL      the live database: compares it with the restored one, which gives the loss (RPO)
  --stanza NAME   of pgBackRest (navette)
  --config FILE   of pgBackRest (/etc/pgbackrest.conf)
  --database NAME of Navette in the backup (navette)
  --user NAME     of Navette in the backup (navette)
  --bin DIR       PostgreSQL's programs (those of the version that made the backup)
  --keep          leaves the restored PostgreSQL running
  --json          prints JSON`);
  process.exit(0);
}

interface Newest {
  /** Shipments ever created, and when the newest one was. Counters of accounts: a small table, however many shipments. */
  shipments: number;
  newest: Date | null;
}

interface Check {
  name: string;
  passed: boolean;
  output: string;
}

const began = performance.now();
const live = values.live ? await readNewest(values.live) : null;
const folder = mkdtempSync(join(tmpdir(), 'navette-restore-'));
const data = join(folder, 'data');
const bin = values.bin ?? (await findPrograms());
if (userInfo().uid === 0) await promisify(execFile)('chown', ['postgres', folder]);
chmodSync(folder, 0o700); // only this user reaches the socket
try {
  await restore();
  const restoreSeconds = seconds();
  await start();
  const url = `postgres://${values.user}@localhost/${values.database}?host=${folder}`;
  const restored = await untilPromoted(url);
  const rtoSeconds = seconds();
  const checks = await checkWithNavette(url);
  const report = {
    restoredTo: values.to ?? 'the end of the archive',
    newestShipmentAt: restored.newest,
    shipments: restored.shipments,
    rpoSeconds: live?.newest && restored.newest ? (live.newest.getTime() - restored.newest.getTime()) / 1000 : null,
    shipmentsLost: live ? live.shipments - restored.shipments : null,
    restoreSeconds,
    rtoSeconds,
    checkedAfterSeconds: seconds(),
  };
  print(report, checks);
  if (values.keep)
    console.log(`restored PostgreSQL: psql 'host=${folder} user=${values.user} dbname=${values.database}'`);
  process.exitCode = checks.every(({ passed }) => passed) ? 0 : 1;
} finally {
  if (!values.keep) {
    await asPostgres(join(bin, 'pg_ctl'), '-D', data, '-m', 'immediate', 'stop').catch(() => {}); // it may not run
    rmSync(folder, { recursive: true, force: true });
  }
}

function seconds(): number {
  return Math.round((performance.now() - began) / 100) / 10;
}

/** PostgreSQL and pgBackRest refuse root, or would leave files that only root can read. */
function asPostgres(program: string, ...args: string[]) {
  const command = [program, ...args];
  const [file = '', ...rest] = userInfo().uid === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  return promisify(execFile)(file, rest, { maxBuffer: 1 << 26, cwd: '/' });
}

async function findPrograms(): Promise<string> {
  const { stdout } = await asPostgres(
    'pgbackrest',
    `--config=${values.config}`,
    `--stanza=${values.stanza}`,
    'info',
    '--output=json',
  );
  const [stanza] = JSON.parse(stdout) as { db: { version: string }[] }[];
  const version = stanza?.db.at(-1)?.version;
  if (!version) throw new Error(`the repository has no backup of ${values.stanza}`);
  return `/usr/lib/postgresql/${version}/bin`;
}

async function restore(): Promise<void> {
  const time = values.to && new Date(values.to).toISOString().replace('T', ' ').replace('Z', '+00'); // pgBackRest's format
  const target = time ? ['--type=time', `--target=${time}`, '--target-action=promote'] : [];
  const where = [`--config=${values.config}`, `--stanza=${values.stanza}`, `--pg1-path=${data}`];
  await asPostgres('pgbackrest', ...where, '--archive-mode=off', '--log-level-console=warn', ...target, 'restore');
}

/** With settings of its own: those of the live server name its addresses, standbys and files. */
async function start(): Promise<void> {
  const settings = [
    "listen_addresses = ''",
    `unix_socket_directories = '${folder}'`,
    `hba_file = '${folder}/pg_hba.conf'`,
    'hot_standby = off', // needs as many connections as the live server otherwise
    'max_connections = 50',
    'shared_buffers = 256MB',
  ];
  writeFileSync(join(folder, 'postgresql.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(folder, 'pg_hba.conf'), 'local all all trust\n');
  const options = `-c config_file=${folder}/postgresql.conf`;
  const log = join(folder, 'log');
  await asPostgres(join(bin, 'pg_ctl'), '-D', data, '-l', log, '-o', options, '-w', '-t', '86400', 'start').catch(
    () => {
      throw new Error(`PostgreSQL does not start: ${readFileSync(log, 'utf8').slice(-2_000)}`);
    },
  );
}

/** pg_ctl returns while PostgreSQL still replays the archive, and refuses connections. */
async function untilPromoted(url: string): Promise<Newest> {
  for (;;) {
    try {
      return await readNewest(url);
    } catch (error) {
      if ((error as { code?: string }).code !== STARTING_UP) throw error;
      await setTimeout(200);
    }
  }
}

async function readNewest(databaseUrl: string): Promise<Newest> {
  const pool = createPool({ databaseUrl, size: 1 });
  try {
    const { rows } = await pool.query(
      'select coalesce(sum(last_shipment), 0)::int as shipments, max(last_shipment_at) as newest from account_counters',
    );
    return rows[0] as Newest;
  } finally {
    await pool.end();
  }
}

/** Invariants of the data, and the recent changes beside what was recorded of them elsewhere. */
async function checkWithNavette(url: string): Promise<Check[]> {
  const navette = async (...args: string[]) => {
    const environment = { ...process.env, DATABASE_URL: url };
    const run = promisify(execFile)(process.execPath, [NAVETTE, ...args], { env: environment, maxBuffer: 1 << 26 });
    const { passed, output } = await run.then(
      ({ stdout }) => ({ passed: true, output: stdout }),
      (error: { stdout: string; stderr: string }) => ({ passed: false, output: `${error.stdout}${error.stderr}` }),
    );
    return { name: `navette ${args.join(' ')}`, passed, output };
  };
  const audit = await navette('audit');
  if (values.to) return [audit]; // later changes are missing on purpose
  const since = new Date(Date.now() - VERIFIED_HOURS * 3_600_000).toISOString();
  return [audit, await navette('verify', '--since', since)];
}

function print(figures: Record<string, Date | string | number | null>, checks: Check[]): void {
  if (values.json) {
    console.log(JSON.stringify({ ...figures, checks }, null, 2));
    return;
  }
  for (const [name, value] of Object.entries(figures)) {
    const text = value instanceof Date ? value.toISOString() : (value ?? 'unknown: --live names no database');
    console.log(`${name.padEnd(22)}${text}`);
  }
  for (const { name, passed, output } of checks)
    console.log(`${name.padEnd(22)}${passed ? 'passed' : `FAILED\n${output}`}`);
}
