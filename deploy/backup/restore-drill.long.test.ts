import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BASE_PATH, REQUEST_LOG } from '../../contract/src/index.ts';
import { openEngines } from '../../server/src/cli/engines.ts';
import { readConfig } from '../../server/src/config.ts';
import { migrateDatabase } from '../../server/src/database/migrate.ts';
import { installJobs } from '../../server/src/jobs/boss.ts';
import { createLog } from '../../server/src/observability/create-log.ts';
import { callApi } from '../../server/test/call-api.ts';
import { createMerchant, type Merchant } from '../../server/test/create-merchant.ts';
import { crowd } from '../../server/test/crowd.ts';
import { freePort } from '../../server/test/free-port.ts';
import { type NavetteProcess, startNavette } from '../../server/test/navette-process.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../server/test/private-postgres.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { timeLimitMs } from '../../server/test/time-limit.ts';

/** docs/operators/backup.md has the figures of a run with 100,000. */
const SHIPMENTS = Number(process.env.RESTORE_DRILL_SHIPMENTS ?? 300);
const TIME_LIMIT_MS = 60_000 + SHIPMENTS * 20;
const LATER = 40;
const ARCHIVE_TIMEOUT_SECONDS = 3; // docs/operators/backup.md sets 60
/** Longest time between a change and its push to the repository: one segment under way, on a busy machine. */
const MOST_LOST_SECONDS = ARCHIVE_TIMEOUT_SECONDS + timeLimitMs(30_000) / 1_000;
const UNDER_LOAD_MS = 15_000;
const MOST_UNDER_LOAD = REQUEST_LOG.most - 100; // verify finds lost shipments in the request log
const BATCH = 20; // shipments per request; divides both

const run = promisify(execFile);
let postgres: PrivatePostgres;
let api: NavetteProcess;
let merchant: Merchant;
let folder: string;
let config: string;
let between: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navette-backup-'));
  await chmod(folder, 0o777);
  config = join(folder, 'pgbackrest.conf');
  postgres = await startPrivatePostgres({
    wal_level: 'replica',
    archive_mode: 'on',
    archive_timeout: `${ARCHIVE_TIMEOUT_SECONDS}s`,
    archive_command: `pgbackrest --config=${config} --stanza=navette archive-push %p`,
  });
  const template = await readFile(join(import.meta.dirname, 'pgbackrest.conf'), 'utf8');
  const filled = template
    .replace('repo1-path=/var/lib/pgbackrest', `repo1-path=${folder}/repository\nlock-path=${folder}/lock`)
    .replaceAll('{{cluster}}', 'navette')
    .replaceAll('{{data_directory}}', postgres.data)
    .replace('pg1-socket-path=/var/run/postgresql', `pg1-socket-path=${postgres.folder}`);
  await writeFile(config, `${filled}pg1-port=${new URL(postgres.url).port}\npg1-user=navette\npg1-database=postgres\n`);

  await migrateDatabase(postgres.url);
  await installJobs(postgres.url);
  environment = {
    DATABASE_URL: postgres.url,
    REDIS_PREFIX: `restore-drill-${process.pid}:`,
    PORT: String(await freePort()),
  };
  const engines = openEngines(readConfig({ ...process.env, ...environment }), createLog('silent'));
  merchant = await createMerchant(engines, { paymentMode: 'deferred' });
  await engines.close();
  api = await startNavette(['api'], environment);

  await pgbackrest('stanza-create');
  await pgbackrest('backup', '--type=full');
  await createShipments(SHIPMENTS);
  await pgbackrest('backup', '--type=incr');
  between = new Date().toISOString();
  await createShipments(LATER);
}, TIME_LIMIT_MS);

afterAll(async () => {
  await api?.stop();
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true });
});

function pgbackrest(command: string, ...options: string[]) {
  const args = [`--config=${config}`, '--stanza=navette', ...options, command];
  return userInfo().uid === 0
    ? run('runuser', ['-u', 'postgres', '--', 'pgbackrest', ...args])
    : run('pgbackrest', args);
}

async function createShipments(many: number): Promise<void> {
  const body = { shippings: Array.from({ length: BATCH }, () => shipmentRequest()) };
  await crowd(4, Array.from({ length: many / BATCH }), async () => {
    const { status } = await callApi(`${api.url}${BASE_PATH}/shipping/batch`, merchant, 'POST', { body });
    expect(status).toBe(200);
  });
}

async function drill(...options: string[]) {
  const script = join(import.meta.dirname, 'restore-drill.ts');
  const args = [script, '--config', config, '--json', ...options];
  const settings = { maxBuffer: 1 << 26, env: { ...process.env, ...environment } };
  // A failed check is exit code 1, with the same report.
  const { stdout } = await run(process.execPath, args, settings).catch((error: { stdout: string }) => error);
  return JSON.parse(stdout) as Record<string, unknown> & {
    checks: { name: string; passed: boolean; output: string }[];
  };
}

test('a restore has every shipment that was archived, and passes the audit', { timeout: TIME_LIMIT_MS }, async () => {
  // Ends the current WAL file, which archives it. An operator waits for archive_timeout instead.
  await pgbackrest('check');
  const report = await drill('--live', postgres.url);
  if (SHIPMENTS > 1_000) console.log(report); // a recorded run
  expect(report).toMatchObject({ shipments: SHIPMENTS + LATER, shipmentsLost: 0, rpoSeconds: 0 });
  expect(report.checks.map(({ name, passed }) => [name, passed])).toContainEqual(['navette audit', true]);
});

test('a restore to a time has the shipments of before, and reports the others as lost', {
  timeout: TIME_LIMIT_MS,
}, async () => {
  await pgbackrest('check');
  const report = await drill('--live', postgres.url, '--to', between);
  if (SHIPMENTS > 1_000) console.log(report);
  expect(report).toMatchObject({ shipments: SHIPMENTS, shipmentsLost: LATER });
  expect(report.rpoSeconds).toBeGreaterThan(0);
});

test('after the loss of the machine under load, only shipments of the last moments are missing, and verify names them', {
  timeout: TIME_LIMIT_MS + 10 * UNDER_LOAD_MS,
}, async () => {
  const acknowledged: number[] = [];
  const until = Date.now() + UNDER_LOAD_MS;
  while (Date.now() < until && acknowledged.length < MOST_UNDER_LOAD) {
    const { status } = await callApi(`${api.url}${BASE_PATH}/shipping`, merchant, 'POST', { body: shipmentRequest() });
    expect(status).toBe(201);
    acknowledged.push(Date.now());
  }
  await postgres.crash(); // nothing more is archived
  const report = await drill();
  const kept = (report.shipments as number) - SHIPMENTS - LATER;
  const lost = acknowledged.length - kept;
  const lostSeconds = (Math.max(...acknowledged) - Date.parse(report.newestShipmentAt as string)) / 1_000;
  console.log({ acknowledged: acknowledged.length, lost, lostSeconds, rtoSeconds: report.rtoSeconds });
  expect(kept).toBeGreaterThan(0);
  expect(lostSeconds).toBeLessThan(MOST_LOST_SECONDS);
  const [audit, verify] = report.checks;
  expect(audit).toMatchObject({ name: 'navette audit', passed: true });
  expect(verify?.passed).toBe(lost === 0);
  expect(verify?.output).toMatch(new RegExp(`^${lost} +\\d+ +shipments in the request log`, 'm'));
});
