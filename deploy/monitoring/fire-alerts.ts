/**
 * `npm run alerts:fire`: causes real faults in a running service and reports how long Prometheus takes to fire the alerts of
 * navette.rules.yml, which it loads unchanged. docs/operators/monitoring.md has the results.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BASE_PATH } from '@navette/contract';
import { openEngines } from '../../server/src/cli/engines.ts';
import { readConfig } from '../../server/src/config.ts';
import { createPool } from '../../server/src/database/database.ts';
import { migrateDatabase } from '../../server/src/database/migrate.ts';
import { installJobs } from '../../server/src/jobs/boss.ts';
import { createLog } from '../../server/src/observability/create-log.ts';
import { callApi } from '../../server/test/call-api.ts';
import { createMerchant, type Merchant } from '../../server/test/create-merchant.ts';
import { runNavette, startNavette } from '../../server/test/navette-process.ts';
import { startPostgresProxy } from '../../server/test/postgres-proxy.ts';
import { startPrivatePostgres, startPrivateStandby } from '../../server/test/private-postgres.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { startWebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { type Prometheus, startPrometheus } from './start-prometheus.ts';

const CREATION_EVERY_MS = 200;
const HEALTHY_MS = 90_000; // long enough for every recorded series to have a value
const LIMIT_MS = 15 * 60_000;
const PATH = '/hook';

const results: { alert: string; fault: string; seconds: number }[] = [];
const cleanups: (() => Promise<unknown>)[] = [];
try {
  await fireAlerts();
  console.log('\nSeconds from the fault to the firing alert:');
  for (const { alert, fault, seconds } of results)
    console.log(`  ${alert.padEnd(28)} ${String(seconds).padStart(4)}  ${fault}`);
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}

async function fireAlerts(): Promise<void> {
  const service = await startService();
  const { prometheus, proxy, standby, primary, receiver, worker, environment } = service;
  await runNavette(['audit'], environment);
  console.log(`healthy for ${HEALTHY_MS / 1_000} s`);
  await setTimeout(HEALTHY_MS);
  console.log(`firing before any fault: ${(await prometheus.firing()).join(', ') || 'none'}`);

  receiver.behave(PATH, () => {}); // accepts the request and never answers
  await waitFor(prometheus, { NavetteWebhooksLate: 'a merchant’s endpoint hangs' });
  receiver.behave(PATH, (_request, response) => response.writeHead(200).end('ok'));

  const pool = createPool({ databaseUrl: primary.url, size: 2 });
  const locker = await pool.connect();
  await locker.query('begin; lock table shipment_keys in share mode'); // held until the rollback
  await pool.query('update account_counters set balance_cents = balance_cents + 1');
  const audited = runNavette(['audit'], environment); // as the nightly job does
  await waitFor(prometheus, {
    NavetteQueueBacksUp: 'a lock blocks the worker’s batches',
    NavetteAuditFailed: 'a balance changed by SQL, then `navette audit`',
  });
  await audited;
  await locker.query('rollback');
  locker.release();
  await pool.end();

  worker.process.kill('SIGSTOP');
  await primary.crash();
  await standby.promote();
  proxy.leadTo(standby.url);
  await waitFor(prometheus, {
    NavetteDatabaseFailedOver: 'the primary is killed and a standby promoted',
    NavetteNoWorker: 'the only worker is stopped with SIGSTOP',
  });
  worker.process.kill('SIGCONT');

  proxy.cut();
  await waitFor(prometheus, {
    NavetteFailuresBurnFast: 'connections to PostgreSQL are cut',
    NavetteDatabaseDown: 'connections to PostgreSQL are cut',
  });
}

/** Each alert must not fire at this moment, and fire after the fault that was just caused. */
async function waitFor(prometheus: Prometheus, faults: Record<string, string>): Promise<void> {
  const started = performance.now();
  const before = await prometheus.firing();
  const early = Object.keys(faults).filter((alert) => before.includes(alert));
  if (early.length > 0) throw new Error(`${early.join(', ')} fired before the fault`);
  const waiting = new Set(Object.keys(faults));
  while (waiting.size > 0) {
    if (performance.now() - started > LIMIT_MS) throw new Error(`${[...waiting].join(', ')} did not fire`);
    await setTimeout(500);
    const firing = await prometheus.firing();
    for (const alert of [...waiting].filter((name) => firing.includes(name))) {
      waiting.delete(alert);
      const seconds = Math.round((performance.now() - started) / 1_000);
      results.push({ alert, fault: faults[alert] ?? '', seconds });
      console.log(`${alert} fires after ${seconds} s: ${faults[alert]}`);
    }
  }
}

/** An api and a worker process on a PostgreSQL pair of their own, load, and a Prometheus that scrapes both. */
async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'navette-alerts-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const primary = await startPrivatePostgres();
  cleanups.push(() => primary.remove());
  await migrateDatabase(primary.url);
  await installJobs(primary.url);
  const standby = await startPrivateStandby(primary);
  cleanups.push(() => standby.remove());
  const proxy = await startPostgresProxy(primary.url);
  cleanups.push(() => proxy.stop());
  const receiver = await startWebhookReceiver();
  cleanups.push(() => receiver.stop());

  const environment = {
    DATABASE_URL: proxy.url,
    REDIS_PREFIX: `navette-alerts-${randomBytes(4).toString('hex')}:`,
    LABEL_STORE: join(folder, 'labels'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SMS_PER_ACCOUNT_PER_DAY: '10000000',
    PORT: '0',
  };
  const engines = openEngines(readConfig({ ...process.env, ...environment }), createLog('silent'));
  const merchant = await createMerchant(engines, { paymentMode: 'deferred', timeSlots: [] });
  await engines.close();
  const api = await startNavette(['api'], environment);
  cleanups.push(async () => api.process.kill('SIGKILL'));
  const worker = await startNavette(['worker'], environment);
  cleanups.push(async () => worker.process.kill('SIGKILL'));
  const body = { url: `${receiver.url}${PATH}`, events: ['shipping.created'] };
  await callApi(`${api.url}${BASE_PATH}/webhooks`, merchant, 'POST', { body });
  cleanups.push(createShipments(api.url, merchant));
  const prometheus = await startPrometheus(folder, [api.operatorUrl, worker.operatorUrl]);
  cleanups.push(() => prometheus.stop());
  return { prometheus, proxy, primary, standby, receiver, worker, environment };
}

/** Five creations a second, whether or not they succeed, until the returned function is called. */
function createShipments(url: string, merchant: Merchant): () => Promise<void> {
  const timer = setInterval(() => {
    callApi(`${url}${BASE_PATH}/shipping`, merchant, 'POST', { body: shipmentRequest() }).catch(() => {});
  }, CREATION_EVERY_MS);
  return async () => clearInterval(timer);
}
