import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Job, PgBoss } from 'pg-boss';
import type { EndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import { coalesce } from '../../coalesce.ts';
import { inTransaction } from '../../database/pipelined-transaction.ts';
import { deliverWebhooksJob, type WebhookPayload } from '../../jobs/definitions.ts';
import type { Addressee } from './add-deliveries.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { FIND_PENDING, MARK_FAILING } from './delivery-statements.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { type Round, type RoundTools, startRound } from './round.ts';
import type { SecretKeeper } from './webhook-secret.ts';

const MOST_ROUNDS = 400; // webhooks served at once by one worker
const MOST_SLOW_ROUNDS = 300; // beyond, only webhooks that are not known to fail are taken on
const MOST_IN_HAND = 2_000; // deliveries; beyond, each round goes on with one at a time
const FETCHED_TOGETHER = 100;
const LOOK_AGAIN_MS = 250; // for what another worker has added
const HEARTBEAT_MS = 3_000; // a third of the queue's ten seconds
const AFTER_FAILURE_MS = 1_000;

export interface RoundsOptions {
  boss: PgBoss;
  pool: pg.Pool;
  client: EndpointClient;
  secrets: SecretKeeper;
  metrics: DeliveryMetrics;
  log: FastifyBaseLogger;
}

export interface Rounds {
  /** Sees to it that each of these webhooks has a round, here or elsewhere. Their deliveries must be committed. */
  ring: (addressees: Addressee[]) => Promise<void>;
  /** Rounds under way here. */
  count: () => number;
  /** Deliveries they have in hand. */
  inHand: () => number;
  /** Ends all rounds after the requests under way; what is still pending goes to other workers at once. */
  stop(): Promise<void>;
}

interface Running {
  job: Job<WebhookPayload>;
  round: Round;
  /** It has taken its last look as a round; what comes now needs another one. */
  isEnding: boolean;
}

/**
 * Fetches rounds and runs them side by side. Not by pg-boss's own workers, which wait for a whole batch before they fetch the
 * next: here every round has its own place, and one that takes long holds no other. See docs/decisions/webhook-rounds.md.
 */
export function startRounds({ boss, pool, client, secrets, metrics, log }: RoundsOptions): Rounds {
  const { name } = deliverWebhooksJob;
  const running = new Map<string, Running>(); // by webhook
  const ending = new Set<Promise<void>>();
  let stopping = false;
  let wake = () => {};

  const load = { inHand: 0, most: MOST_IN_HAND };
  const tools: RoundTools = {
    store: createDeliveryStore(pool),
    client,
    secrets,
    metrics,
    load,
    mayLinger: () => running.size < MOST_ROUNDS / 2,
    markFailing: async ({ accountId, webhookId }, isFailing) => {
      const marks = [{ account_id: accountId, webhook_id: webhookId, is_failing: isFailing }];
      await pool.query(MARK_FAILING, [JSON.stringify(marks)]);
    },
  };
  const endTogether = coalesce({ most: FETCHED_TOGETHER, atOnce: 1 }, async (ended: Running[]) => {
    await endRounds(boss, pool, ended);
    return ended.map(() => undefined);
  });

  const heartbeat = setInterval(() => {
    const jobs = [...running.values()].map(({ job }) => job);
    if (jobs.length > 0) boss.touch(name, jobs).catch((error) => log.warn({ err: error }, 'webhook heartbeat'));
  }, HEARTBEAT_MS);
  const lookAgain = setInterval(() => {
    wake();
    for (const { round } of running.values()) round.wake();
  }, LOOK_AGAIN_MS);
  const fetching = fetchRounds();

  async function fetchRounds(): Promise<void> {
    while (!stopping) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const room = Math.min(FETCHED_TOGETHER, MOST_ROUNDS - running.size);
      try {
        const slow = [...running.values()].filter(({ round }) => round.isSlow).length;
        const lane = slow < MOST_SLOW_ROUNDS ? {} : { minPriority: 0 };
        const jobs = room > 0 ? await boss.fetch<WebhookPayload>(name, { batchSize: room, ...lane }) : [];
        for (const job of jobs) begin(job);
        if (jobs.length < room || room <= 0) await woken;
      } catch (error) {
        log.warn({ err: error }, 'webhook rounds cannot be fetched');
        await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS));
      }
    }
  }

  function begin(job: Job<WebhookPayload>): void {
    const round = startRound(tools, job.data);
    const own = { job, round, isEnding: false };
    const { webhookId } = job.data;
    running.set(webhookId, own);
    const end = finish(own).finally(() => {
      if (running.size >= MOST_ROUNDS) wake(); // a place is free again
      if (running.get(webhookId) === own) running.delete(webhookId);
      ending.delete(end);
    });
    ending.add(end);
  }

  /** A round that failed is tried again later; if even that cannot be said, its missing heartbeat says it. */
  async function finish(own: Running): Promise<void> {
    const { job, round } = own;
    try {
      await round.done;
      own.isEnding = true;
      await endTogether(own);
    } catch (error) {
      log.error({ err: error, job: name, id: job.id }, 'webhook round failed');
      await boss.fail(name, [job]).catch(() => {});
    }
  }

  return {
    async ring(addressees) {
      const [here, elsewhere] = [[], []] as [Running[], Addressee[]];
      for (const addressee of addressees) {
        const own = running.get(addressee.webhookId);
        if (own && !own.isEnding) here.push(own);
        else elsewhere.push(addressee);
      }
      for (const { round } of here) round.wake(); // before it ends it looks once more, and its job outlives this process
      if (elsewhere.length === 0) return;
      await boss.insert(name, elsewhere.map(toJob).sort(byKey));
      wake();
    },
    count: () => running.size,
    inHand: () => load.inHand,
    async stop() {
      stopping = true;
      wake();
      await fetching;
      for (const { round } of running.values()) round.stop();
      await Promise.all(ending);
      clearInterval(heartbeat);
      clearInterval(lookAgain);
    },
  };
}

/**
 * Ends rounds and looks once more, in this order and in one transaction. Whoever added a delivery did so before it
 * rang: either it rang before our end, and then we see the delivery, or it waits for our end and makes a new round.
 */
async function endRounds(boss: PgBoss, pool: pg.Pool, ended: Running[]): Promise<void> {
  const { name } = deliverWebhooksJob;
  await inTransaction(pool, async (client) => {
    const db = { executeSql: (text: string, values: unknown[] = []) => client.query(text, values) };
    await boss.complete(
      name,
      ended.map(({ job }) => job),
      null,
      { db },
    );
    const webhooks = ended.map(({ job: { data } }) => ({ account_id: data.accountId, webhook_id: data.webhookId }));
    const { rows } = await client.query<WebhookPayload>(FIND_PENDING, [JSON.stringify(webhooks)]);
    const failing = new Set(ended.flatMap(({ job, round }) => (round.isFailing ? job.data.webhookId : [])));
    const again = rows.map((webhook) => toJob({ ...webhook, isFailing: failing.has(webhook.webhookId) }));
    if (again.length > 0) await boss.insert(name, again.sort(byKey), { db });
  });
}

/** Webhooks that fail come after those that answer. */
const toJob = ({ accountId, webhookId, isFailing }: Addressee) => ({
  data: { accountId, webhookId },
  singletonKey: webhookId,
  priority: isFailing ? -1 : 0,
});

/** In the same order everywhere, so that two processes that insert the same keys cannot wait for each other in a ring. */
const byKey = (a: { singletonKey: string }, b: { singletonKey: string }) => (a.singletonKey < b.singletonKey ? -1 : 1);
