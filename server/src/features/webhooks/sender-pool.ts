import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Job, PgBoss } from 'pg-boss';
import type { EndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import { coalesce } from '../../concurrency/coalesce.ts';
import { inTransaction } from '../../database/pipelined-transaction.ts';
import { deliverWebhooksJob, type WebhookPayload } from '../../jobs/definitions.ts';
import type { Tracer } from '../../observability/tracer.ts';
import type { PendingWebhook } from './add-deliveries.ts';
import { createAttemptLog } from './attempt-log.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { createDeliveryQueue, type DeliveryRef, FIND_PENDING, isOutsideRecentDays, keyOf } from './delivery-queue.ts';
import type { RequestBudget } from './request-budget.ts';
import type { SecretKeeper } from './webhook-secret.ts';
import { type SenderContext, startSender, type WebhookSender } from './webhook-sender.ts';

const MAX_SENDERS = 400; // webhooks that one worker sends to concurrently
const MAX_SLOW_SENDERS = 300; // above it, the worker fetches only webhooks that are not marked as failing
const MAX_OPEN_DELIVERIES = 2_000; // above it, each sender continues with one delivery at a time
const BATCH = 100; // jobs per fetch and per completion
const POLL_MS = 250; // for deliveries that another worker added
const HEARTBEAT_MS = 3_000; // a third of the queue's ten seconds
const AFTER_FAILURE_MS = 1_000;

export interface SenderPoolOptions {
  boss: PgBoss;
  pool: pg.Pool;
  client: EndpointClient;
  budget: RequestBudget;
  secrets: SecretKeeper;
  metrics: DeliveryMetrics;
  tracer: Tracer;
  log: FastifyBaseLogger;
  /** Without the queue of this pool, it only enqueues jobs for senders of other workers. */
  servesQueue: (name: string) => boolean;
}

export interface SenderPool {
  /** Ensures that each of these webhooks has a sender, in this worker or another. Call it after the commit. */
  wakeSenders: (webhooks: PendingWebhook[]) => Promise<void>;
  /** Senders active in this process. */
  senders: () => number;
  /** Deliveries that they have open. */
  openDeliveries: () => number;
  /** Stops all senders after the requests under way; other workers take the pending deliveries over at once. */
  stop(): Promise<void>;
}

interface ActiveSender {
  job: Job<WebhookPayload>;
  sender: WebhookSender;
  /** The sender has taken for the last time. Deliveries added from now on need another sender. */
  isEnding: boolean;
  /** Its job was completed, or failed. */
  ended: Promise<void>;
}

/**
 * Fetches `deliver-webhooks` jobs and runs a sender for each. The job is a lease on the webhook: its queue allows one per
 * webhook, queued or active. pg-boss's own workers are not used, because they wait for a whole batch before they fetch
 * the next one. Here a slow sender delays no other. See docs/decisions/webhook-senders.md.
 */
export function startSenderPool({
  boss,
  pool,
  client,
  budget,
  secrets,
  metrics,
  tracer,
  log,
  servesQueue,
}: SenderPoolOptions): SenderPool {
  const { name } = deliverWebhooksJob;
  // A webhook has a second sender for a while when its job was given to this process again, after missed heartbeats.
  const active = new Set<ActiveSender>();
  const newest = new Map<string, ActiveSender>(); // by webhook
  let stopping = false;
  let wake = () => {};

  const load = { open: 0, most: MAX_OPEN_DELIVERIES };
  const context: SenderContext = {
    queue: createDeliveryQueue(pool),
    attempts: createAttemptLog(pool),
    client,
    budget,
    secrets,
    metrics,
    tracer,
    load,
    mayLinger: () => active.size < MAX_SENDERS / 2,
  };
  const endTogether = coalesce({ maxBatch: BATCH, maxRunning: 1 }, async (ended: ActiveSender[]) => {
    await endSenders(boss, pool, ended);
    return ended.map(() => undefined);
  });

  const heartbeat = setInterval(() => {
    const jobs = [...active].map(({ job }) => job);
    if (jobs.length > 0) {
      boss.touch(name, jobs).catch((error) => log.warn({ err: error }, 'webhook sender heartbeat failed'));
    }
  }, HEARTBEAT_MS);
  const poll = setInterval(() => {
    wake();
    for (const { sender } of active) sender.wake();
  }, POLL_MS);
  const fetching = servesQueue(name) ? fetchJobs() : Promise.resolve();

  async function fetchJobs(): Promise<void> {
    while (!stopping) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const capacity = fetchSize(MAX_SENDERS - active.size);
      try {
        const slow = [...active].filter(({ sender }) => sender.isSlow).length;
        const onlyHealthy = slow < MAX_SLOW_SENDERS ? {} : { minPriority: 0 };
        const jobs =
          capacity > 0 ? await boss.fetch<WebhookPayload>(name, { batchSize: capacity, ...onlyHealthy }) : [];
        for (const job of jobs) begin(job);
        if (jobs.length < capacity || capacity <= 0) await woken;
      } catch (error) {
        log.warn({ err: error }, 'webhook jobs cannot be fetched');
        await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS));
      }
    }
  }

  function begin(job: Job<WebhookPayload>): void {
    const sender = startSender(context, job.data);
    const own: ActiveSender = { job, sender, isEnding: false, ended: Promise.resolve() };
    const { webhookId } = job.data;
    active.add(own);
    newest.set(webhookId, own);
    own.ended = finish(own).finally(() => {
      if (active.size >= MAX_SENDERS) wake(); // a place becomes free
      active.delete(own);
      if (newest.get(webhookId) === own) newest.delete(webhookId);
    });
  }

  /** A job that failed is retried later. If PostgreSQL does not even accept the failure, the missed heartbeat ends it. */
  async function finish(own: ActiveSender): Promise<void> {
    const { job, sender } = own;
    try {
      await sender.done;
      own.isEnding = true;
      await endTogether(own);
    } catch (error) {
      log.error({ err: error, job: name, id: job.id }, 'webhook sender failed');
      await boss.fail(name, [job]).catch(() => {});
    }
  }

  return {
    async wakeSenders(webhooks) {
      const [here, elsewhere] = [[], []] as [ActiveSender[], PendingWebhook[]];
      for (const webhook of webhooks) {
        const own = newest.get(webhook.webhookId);
        if (own && !own.isEnding) here.push(own);
        else elsewhere.push(webhook);
      }
      // Safe without a new job: a sender takes once more before it ends, and its job survives a crash of this process.
      for (const { sender } of here) sender.wake();
      if (elsewhere.length === 0) return;
      await boss.insert(name, elsewhere.map((webhook) => toJob(webhook)).sort(byKey));
      wake();
    },
    senders: () => active.size,
    openDeliveries: () => load.open,
    async stop() {
      stopping = true;
      wake();
      await fetching;
      for (const { sender } of active) sender.stop();
      await Promise.all([...active].map(({ ended }) => ended));
      clearInterval(heartbeat);
      clearInterval(poll);
    },
  };
}

/**
 * Completes jobs and then looks for pending deliveries once more, in one transaction. Deliveries are committed before
 * `wakeSenders` is called. So either they were committed before this completion and are found here, or the insert of
 * their job waits for this transaction and then creates a new job.
 */
async function endSenders(boss: PgBoss, pool: pg.Pool, ended: ActiveSender[]): Promise<void> {
  const { name } = deliverWebhooksJob;
  await inTransaction(pool, async (client) => {
    const db = { executeSql: (text: string, values: unknown[] = []) => client.query(text, values) };
    await boss.complete(
      name,
      ended.map(({ job }) => job),
      null,
      { db },
    );
    const webhooks = ended.map(({ job: { data } }) => keyOf({ accountId: data.accountId, webhookId: data.webhookId }));
    const { rows } = await client.query<DeliveryRef>(FIND_PENDING, [JSON.stringify(webhooks)]);
    const failing = new Set(ended.flatMap(({ job, sender }) => (sender.isFailing ? job.data.webhookId : [])));
    const again = rows.map(({ eventId, ...webhook }) =>
      toJob({ ...webhook, isFailing: failing.has(webhook.webhookId) }, isOutsideRecentDays(eventId)),
    );
    if (again.length > 0) await boss.insert(name, again.sort(byKey), { db });
  });
}

/** One of three sizes: each is a statement of its own, which PostgreSQL prepares. */
const fetchSize = (free: number) => [BATCH, 10, 1].find((size) => size <= free) ?? 0;

/** Failing webhooks have a lower priority than healthy ones. */
const toJob = ({ accountId, webhookId, isFailing }: PendingWebhook, hasOlder = false) => ({
  data: { accountId, webhookId, ...(hasOlder ? { hasOlder } : {}) },
  singletonKey: webhookId,
  priority: isFailing ? -1 : 0,
});

/** One lock order prevents deadlocks between processes that insert the same keys. */
const byKey = (a: { singletonKey: string }, b: { singletonKey: string }) => (a.singletonKey < b.singletonKey ? -1 : 1);
