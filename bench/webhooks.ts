import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { Pool } from 'undici';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { authorizeOperator } from '../server/src/features/members/index.ts';
import { createSecretKeeper, createTargetRules } from '../server/src/features/webhooks/index.ts';
import { createWebhook } from '../server/src/features/webhooks/manage-webhooks.ts';
import { followChangeJob, searchDriverJob, sendMessageJob } from '../server/src/jobs/definitions.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { creations } from './load/merchant-requests.ts';
import { wrk } from './load/tools.ts';
import { startWebhookSink, type WebhookReport, type WebhookSink } from './load/webhook-sink-process.ts';
import { type Merchant, type Stack, startWorker } from './stack.ts';

const EMPTY_QUEUE = 'bench-empty';

/**
 * From committed events to 2xx, compared with pg-boss with empty jobs and with undici alone. A pickup causes webhooks
 * only. A creation also causes two messages, a search for a driver and search keys, by the same worker at the same time.
 */
export async function benchWebhooks(stack: Stack, seconds: number, rounds: number): Promise<void> {
  const sink = await startWebhookSink();
  await subscribeAll(stack, () => `${sink.url}/ok`);
  console.log('\nwebhooks: events that wait in PostgreSQL, sent by one worker, beside pg-boss and undici alone');
  const totals = { boss: 0, undici: 0, pickups: 0, creations: 0 };
  try {
    for (let round = 1; round <= rounds; round++) {
      const boss = await emptyJobs(stack, seconds);
      const undici = await barePosts(sink, seconds);
      await wrk(stack.url, creations(stack.merchants), seconds);
      const created = await drain(stack, sink);
      await announcePickups(stack, created.events);
      const pickedUp = await drain(stack, sink);
      totals.boss += boss;
      totals.undici += undici;
      totals.pickups += pickedUp.perSecond;
      totals.creations += created.perSecond;
      console.log(
        `  round ${round}: pg-boss ${rate(boss)}, undici ${rate(undici)}, webhooks ${rate(pickedUp.perSecond)}, ratio ${(pickedUp.perSecond / Math.min(boss, undici)).toFixed(2)}; of creations, with all that follows one, ${rate(created.perSecond)}`,
      );
    }
  } finally {
    sink.process.kill();
  }
  const ratio = (perSecond: number) => (perSecond / Math.min(totals.boss, totals.undici)).toFixed(2);
  console.log(
    `  ratio to the slower of the two over ${rounds} rounds: ${ratio(totals.pickups)}; of creations ${ratio(totals.creations)}`,
  );
}

/** A fifth of the endpoints never answer and a fifth take 4.9 s, at 200 events a second: the latency of the others. */
export async function benchWebhookIsolation(stack: Stack, seconds: number): Promise<WebhookReport & { sent: number }> {
  const sink = await startWebhookSink();
  await subscribeAll(stack, (i) => `${sink.url}${['/hole', '/slow', '/ok', '/ok', '/ok'][i % 5]}`);
  const worker = await startWorker(stack);
  console.log(
    `\nwebhooks: ${stack.merchants.length} endpoints, a fifth never answers, a fifth takes 4.9 s, 200 events a second`,
  );
  try {
    let sent = 0;
    const began = performance.now();
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < seconds * 200; i++) {
      await setTimeout(Math.max(0, began + i * 5 - performance.now()));
      if (i % 5 >= 2) sent++;
      calls.push(createOne(stack, stack.merchants[i % stack.merchants.length] as Merchant));
    }
    await Promise.all(calls);
    let report = await sink.ask('report');
    for (let tries = 0; report.arrived < sent && tries < 100; tries++) {
      await setTimeout(100);
      report = await sink.ask('report');
    }
    console.log(
      `  healthy endpoints got ${report.arrived} of ${sent}; from the event to the first byte p50 ${report.p50Ms} ms, p99 ${report.p99Ms} ms, at most ${report.mostMs} ms`,
    );
    return { ...report, sent };
  } finally {
    worker.kill('SIGKILL');
    sink.process.kill();
  }
}

export async function subscribeAll(stack: Stack, urlOf: (i: number) => string): Promise<void> {
  const config = readConfig({ ...process.env, ...stack.environment });
  const engines = openEngines(config, createLog('warn'));
  const secrets = createSecretKeeper(config.webhookSecretKeys);
  const targets = createTargetRules(config.webhookAllowedNetworks);
  for (const [i, { id }] of stack.merchants.entries()) {
    const webhook = { url: urlOf(i), events: ['shipping.created' as const, 'shipping.picked_up' as const] };
    await createWebhook({ db: engines.db, secrets, targets }, id, webhook, authorizeOperator);
  }
  await engines.close();
}

/** A job engine without background maintenance: it does only what a scenario calls. */
async function startBoss({ databaseUrl }: Stack): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: databaseUrl, migrate: false, supervise: false, schedule: false });
  boss.on('error', console.error);
  return boss.start();
}

/** Fetched and completed a hundred at a time by two loops, as fast as they go. */
async function emptyJobs(stack: Stack, seconds: number): Promise<number> {
  const boss = await startBoss(stack);
  await boss.createQueue(EMPTY_QUEUE, { deleteAfterSeconds: 60 });
  const jobs = Array.from({ length: 5_000 }, () => ({ data: {} }));
  for (let i = 0; i < seconds * 2; i++) await boss.insert(EMPTY_QUEUE, jobs); // more than it can complete
  await stack.sql('analyze'); // statistics as autovacuum keeps them: without, pg-boss reads all jobs to find a few
  const start = performance.now();
  let done = 0;
  const work = async () => {
    while (performance.now() - start < seconds * 1000) {
      const fetched = await boss.fetch(EMPTY_QUEUE, { batchSize: 100 });
      if (fetched.length === 0) return;
      await boss.complete(EMPTY_QUEUE, fetched);
      done += fetched.length;
    }
  };
  await Promise.all([work(), work()]);
  const perSecond = (done / (performance.now() - start)) * 1000;
  await boss.deleteAllJobs(EMPTY_QUEUE);
  await boss.stop({ graceful: false });
  return perSecond;
}

async function barePosts(sink: WebhookSink, seconds: number): Promise<number> {
  const pool = new Pool(sink.url, { connections: 50 });
  const body = Buffer.from(JSON.stringify({ event: 'shipping.created', data: 'x'.repeat(800) }));
  const start = performance.now();
  let done = 0;
  const work = async () => {
    while (performance.now() - start < seconds * 1000) {
      const answer = await pool.request({
        path: '/ok',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.body.dump();
      done++;
    }
  };
  await Promise.all(Array.from({ length: 50 }, work));
  await pool.destroy();
  return (done / (performance.now() - start)) * 1000;
}

/** As many pickups as there were creations, of the same shipments, waiting to be followed. */
async function announcePickups(stack: Stack, count: number): Promise<void> {
  const { rows } = await stack.sql(`
    insert into events (account_id, id, shipment_id, type, body, created_at)
    select account_id, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7'
        || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
      shipment_id, 'shipping.picked_up', body, now()
    from events where type = 'shipping.created' order by created_at desc limit ${count}
    returning account_id as "accountId", shipment_id as "shipmentId", 'picked_up' as status, id as "eventId"`);
  const boss = await startBoss(stack);
  for (let i = 0; i < rows.length; i += 5_000) {
    await boss.insert(
      followChangeJob.name,
      rows.slice(i, i + 5_000).map((data: object) => ({ data })),
    );
  }
  await boss.stop({ graceful: false });
}

/** Starts a worker on a backlog of events and measures from the first tenth to the last 2xx. */
async function drain(stack: Stack, sink: WebhookSink): Promise<{ events: number; perSecond: number }> {
  await sink.ask('reset');
  const { rows } = await stack.sql(
    `select count(*)::int as waiting from pgboss.job where name = '${followChangeJob.name}' and state = 'created'`,
  );
  const waiting: number = rows[0].waiting;
  await stack.sql('analyze');
  const worker = await startWorker(stack);
  let first: { count: number; at: number } | null = null;
  for (;;) {
    await setTimeout(20);
    const { arrived, lastAt } = await sink.ask('report');
    if (!first && arrived > waiting / 10) first = { count: arrived, at: lastAt };
    if (first && arrived >= waiting) {
      worker.kill('SIGTERM');
      await once(worker, 'exit');
      await stack.sql(`delete from pgboss.job where name in ('${sendMessageJob.name}', '${searchDriverJob.name}')`);
      return { events: arrived, perSecond: ((arrived - first.count) / (lastAt - first.at)) * 1000 };
    }
  }
}

async function createOne(stack: Stack, { key, clientId }: Merchant): Promise<void> {
  const place = { street: '8 avenue de l’Opéra', city: 'Paris', postalCode: '75001' };
  const person = { recipientName: 'Camille Durand', phoneNumber: '+33612345678', email: 'camille@example.org' };
  const answer = await fetch(`${stack.url}/pro/api/v1/shipping`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-client-id': clientId, 'content-type': 'application/json' },
    body: JSON.stringify({
      deliveryAddress: { ...person, ...place, coordinates: { latitude: 48.8638, longitude: 2.3345 } },
      parcelDetails: { weight: 2.5, nature: 'Vêtements' },
    }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 201) throw new Error(`a creation answered ${answer.status}`);
}

const rate = (perSecond: number) => `${Math.round(perSecond)}/s`;
