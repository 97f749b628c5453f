import { setTimeout } from 'node:timers/promises';
import { BASE_PATH, type Webhook } from '@navette/contract';
import { openEngines } from '../src/cli/engines.ts';
import { readConfig } from '../src/config.ts';
import { migrateDatabase } from '../src/database/migrate.ts';
import { installJobs } from '../src/jobs/boss.ts';
import { createLog } from '../src/observability/create-log.ts';
import { callApi } from './call-api.ts';
import { createMerchant, type Merchant } from './create-merchant.ts';
import { crowd } from './crowd.ts';
import { freePort } from './free-port.ts';
import { type NavetteProcess, startNavette } from './navette-process.ts';
import { startPrivatePostgres } from './private-postgres.ts';
import { startPrivateRedis } from './private-redis.ts';
import { shipmentRequest } from './shipment-request.ts';
import { type Received, startWebhookReceiver } from './webhook-receiver.ts';

export interface ChaosOptions {
  events: number;
  accounts: number;
  kills: number;
  killEveryMs: number;
  /** Redis is emptied and PostgreSQL crashes after this many kills. */
  crashAfterKills: number;
}

export interface ChaosReport {
  events: number;
  kills: number;
  /** Events that healthy endpoints never received: the most important figure. */
  missing: number;
  /** Most requests that any one delivery made. */
  mostRequests: number;
  /** Healthy deliveries that made more than one request, because the outcome of the first was unknown. */
  repeated: number;
  /** Of the failing endpoint: deliveries that ended otherwise than dropped. */
  notDropped: number;
  pending: number;
  faults: string[];
  /** From the last kill until nothing was pending. */
  settledAfterMs: number;
}

const WORKERS = 3;
const FAILING = '/failing';

/**
 * Creates events while workers are killed in turn, Redis is emptied and PostgreSQL crashes; then waits until
 * nothing is pending and counts the received events. It runs on its own engines.
 */
export async function runWebhookChaos(
  options: ChaosOptions,
  log: (line: string) => void = () => {},
): Promise<ChaosReport> {
  const [postgres, redis, receiver] = await Promise.all([
    startPrivatePostgres(),
    startPrivateRedis(),
    startWebhookReceiver(),
  ]);
  const started: NavetteProcess[] = [];
  const environment = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    PORT: String(await freePort()),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const start = async (role: string) => {
    const child = await startNavette([role], environment);
    started.push(child);
    return child;
  };
  const engines = openEngines(readConfig({ ...process.env, ...environment }), createLog('silent'));
  try {
    await migrateDatabase(postgres.url);
    await installJobs(postgres.url);
    const api = await start('api');
    const url = `${api.url}${BASE_PATH}`;
    const merchants = await crowd(1, Array.from({ length: options.accounts }), () =>
      createMerchant(engines, { paymentMode: 'deferred' }),
    );
    receiver.behave(FAILING, (_request, response) => response.writeHead(500).end());
    for (const [i, merchant] of merchants.entries()) {
      for (const path of i === 0 ? [`/healthy/${i}`, FAILING] : [`/healthy/${i}`]) {
        const body = { url: `${receiver.url}${path}`, events: ['shipping.created'] };
        const { webhook } = (await callApi(`${url}/webhooks`, merchant, 'POST', { body })).body as { webhook: Webhook };
        receiver.expectSecret(path, webhook.secret);
      }
    }
    /** Restarts like a supervisor, repeatedly: a worker cannot start while PostgreSQL is down. */
    const startWorker = async (tries = 50): Promise<NavetteProcess> =>
      start('worker').catch((error: unknown) => (tries > 0 ? startWorker(tries - 1) : Promise.reject(error)));
    const workers = Array.from({ length: WORKERS }, () => startWorker());
    await Promise.all(workers);
    log(`${WORKERS} workers, ${options.accounts} webhooks and one that fails`);

    const began = performance.now();
    const apart = (options.kills * options.killEveryMs) / options.events; // spreads the events over the time of the kills
    const creating = crowd(8, Array.from({ length: options.events }), async (_nothing, i) => {
      await setTimeout(Math.max(0, began + i * apart - performance.now()));
      await untilCreated(`${url}/shipping`, merchants[i % merchants.length] as Merchant, `chaos-${i}`);
    });
    let lastKill = began;
    for (let kill = 1; kill <= options.kills; kill++) {
      await setTimeout(options.killEveryMs);
      const victim = await (workers[kill % WORKERS] as Promise<NavetteProcess>);
      await victim.kill();
      lastKill = performance.now();
      workers[kill % WORKERS] = startWorker();
      if (kill === options.crashAfterKills) {
        await redis.empty();
        await postgres.crash();
        await postgres.start();
        log('Redis emptied, PostgreSQL crashed and started');
      }
    }
    await creating;
    await Promise.all(workers);
    log(`${options.kills} kills, ${options.events} events`);

    const pending = async () => {
      const { rows } = await engines.pools.main.query(
        `select (select count(*) from events) as events, count(*) as deliveries,
                count(*) filter (where status = 'pending') as pending from webhook_deliveries`,
      );
      const { events, deliveries, pending } = rows[0] as { events: number; deliveries: number; pending: number };
      const failing = Math.ceil(options.events / options.accounts);
      return pending + Math.max(0, events + failing - deliveries);
    };
    let left = await pending();
    while (left > 0 && performance.now() - lastKill < 90_000) {
      await setTimeout(250);
      left = await pending();
    }
    const settledAfterMs = performance.now() - lastKill;
    const { rows } = await engines.pools.main.query(
      `select e.shipment_id as shipment, w.url, d.status, d.attempts from webhook_deliveries d
       join events e on (e.account_id, e.id) = (d.account_id, d.event_id)
       join webhooks w on (w.account_id, w.id) = (d.account_id, d.webhook_id)`,
    );
    return { ...judge(rows, receiver.received), kills: options.kills, pending: left, settledAfterMs };
  } finally {
    for (const child of started) child.process.kill('SIGKILL');
    await engines.close();
    await Promise.all([receiver.stop(), redis.stop(), postgres.remove()]);
  }
}

interface DeliveryRow {
  shipment: string;
  url: string;
  status: string;
  attempts: number;
}

function judge(deliveries: DeliveryRow[], received: Received[]) {
  const requests = Map.groupBy(received, ({ path, body }) => `${path} ${JSON.parse(body.toString()).data.id}`);
  const requestsOf = ({ url, shipment }: DeliveryRow) =>
    requests.get(`${new URL(url).pathname} ${shipment}`)?.length ?? 0;
  const healthy = deliveries.filter(({ url }) => !url.endsWith(FAILING));
  const failing = deliveries.filter(({ url }) => url.endsWith(FAILING));
  return {
    events: healthy.length,
    missing: healthy.filter((delivery) => requestsOf(delivery) === 0).length,
    mostRequests: Math.max(...[...requests.values()].map((list) => list.length)),
    repeated: healthy.filter((delivery) => requestsOf(delivery) > 1).length,
    notDropped: failing.filter(({ status, attempts }) => status !== 'dropped' || attempts !== 3).length,
    faults: received.flatMap(({ faults }) => faults),
  };
}

/** Retries with the same idempotency key until the creation is confirmed, as merchants should. */
async function untilCreated(url: string, merchant: Merchant, key: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await callApi(url, merchant, 'POST', {
      body: shipmentRequest(),
      headers: { 'x-idempotency-key': key },
    }).catch(() => null);
    if (answer && answer.status < 300) return;
    await setTimeout(100);
  }
  throw new Error('a shipment could not be created');
}
