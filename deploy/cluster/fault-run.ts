import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BASE_PATH, type Webhook } from '../../contract/src/index.ts';
import { openEngines } from '../../server/src/cli/engines.ts';
import { readConfig, SECRET_VARIABLES } from '../../server/src/config.ts';
import { createPool } from '../../server/src/database/database.ts';
import { createLog } from '../../server/src/observability/create-log.ts';
import { callApi } from '../../server/test/call-api.ts';
import { createMerchant, type Merchant } from '../../server/test/create-merchant.ts';
import { startFakeMailbox } from '../../server/test/fake-mailbox.ts';
import { startFakeTwilio } from '../../server/test/fake-twilio.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { startWebhookReceiver } from '../../server/test/webhook-receiver.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './fault-list.ts';
import type { Inventory } from './inventory.ts';
import { type Load, longestGap, type Order, startLoad } from './load.ts';
import { superviseNavette } from './navette-processes.ts';
import { startProbe } from './probe.ts';

const ACCOUNTS = 10;
const CALM_SECONDS = 8; // of load before and after the fault
const KILL_EVERY_MS = 5_000;
const SETTLED_WITHIN_MS = 300_000; // other work shares the two cores

export interface FaultResult {
  fault: string;
  created: number;
  /** Navette's processes killed meanwhile. */
  kills: number;
  secondsWithout201: number;
  /** The same for plain inserts through HAProxy at the same time. */
  clusterSecondsWithoutInsert: number;
  failedTries: number;
  /** Failed tries by HTTP status; 0: no response. */
  failures: Record<string, number>;
  /** From the end of the load until every webhook and message had arrived. */
  lastWebhookSeconds: number;
  repeatedWebhooks: number;
  /** Acknowledged creations that are not in the database with their key. */
  lost: number;
  chargedTwice: number;
  violations: string[];
}

/** Navette on a cluster: two api processes and one worker, ten merchants, and local providers. */
export async function startFaultRun(
  cluster: Cluster,
  inventory: Inventory,
  perSecond: number,
  interrupted: AbortSignal,
) {
  const labels = await mkdtemp(join(tmpdir(), 'navette-labels-'));
  const [twilio, mailbox, receiver] = await Promise.all([
    startFakeTwilio(),
    startFakeMailbox(),
    startWebhookReceiver(),
  ]);
  const environment = {
    DATABASE_URL: cluster.databaseUrl,
    REDIS_URL: cluster.redisUrl,
    ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, randomBytes(32).toString('hex')])),
    LABEL_STORE: labels,
    PROOF_STORE: labels,
    PUBLIC_URL: cluster.apiUrl,
    TRUSTED_PROXIES: inventory.edge.map(({ address }) => address).join(','),
    SMS_URL: twilio.url,
    SMS_PER_ACCOUNT_PER_DAY: '10000000',
    MAIL_URL: mailbox.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    DISPATCH_RETRY_SECONDS: '86400', // no driver is on duty, and searches of former runs must not slow this one down
  };
  const { code, stderr } = await runNavette(['migrate'], environment);
  if (code !== 0) throw new Error(`navette migrate: ${stderr}`);
  const apis = inventory.app.map(({ name, address }) => ({
    name: `api on ${name}`,
    args: ['api'],
    environment: { ...environment, HOST: address, PORT: '3000' },
  }));
  const processes = await superviseNavette([...apis, { name: 'worker', args: ['worker'], environment }]);
  const pool = createPool({ databaseUrl: cluster.databaseUrl, size: 2 });
  const probe = await startProbe(cluster.databaseUrl);
  const merchants = await createMerchants().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  let acknowledged = 0;

  async function stop(): Promise<void> {
    await probe.stop();
    await pool.end();
    await processes.stop();
    await Promise.all([twilio.stop(), mailbox.stop(), receiver.stop(), rm(labels, { recursive: true })]);
  }

  async function createMerchants(): Promise<Merchant[]> {
    await until(async () => (await fetch(`${cluster.apiUrl}/readyz`)).ok); // HAProxy has found the processes
    const engines = openEngines(readConfig({ ...process.env, ...environment }), createLog('silent'));
    const merchants: Merchant[] = [];
    for (let i = 0; i < ACCOUNTS; i++) {
      const merchant = await createMerchant(engines, { name: `Marchand ${i}`, paymentMode: 'deferred' });
      const body = { url: `${receiver.url}/${i}`, events: ['shipping.created'] };
      const answer = await callApi(`${cluster.apiUrl}${BASE_PATH}/webhooks`, merchant, 'POST', { body });
      receiver.expectSecret(`/${i}`, (answer.body as { webhook: Webhook }).webhook.secret);
      merchants.push(merchant);
    }
    await engines.close();
    return merchants;
  }

  return {
    async apply(fault: Fault, withKills: boolean): Promise<FaultResult> {
      await cluster.untilHealthy();
      await until(() => processes.areHealthy());
      for (const list of [receiver.received, twilio.messages, mailbox.mails, probe.insertedAt]) list.length = 0;
      const began = new Date().toISOString();
      const startsBefore = processes.starts();
      const ending = new AbortController();
      const load = startLoad(cluster.apiUrl, merchants, perSecond, fault.seconds + 2 * CALM_SECONDS);
      const killing = withKills ? processes.killInTurn(KILL_EVERY_MS, ending.signal) : Promise.resolve(0);
      await setTimeout(CALM_SECONDS * 1000);
      const undo = await fault.cause(cluster);
      await setTimeout(fault.seconds * 1000);
      await undo();
      await load.done;
      ending.abort();
      const kills = await killing;
      const inserted = [...probe.insertedAt];
      const ended = performance.now();
      await until(async () => missing(load.orders).total === 0);
      const lastWebhookSeconds = (performance.now() - ended) / 1000;
      const isHealthy = await until(() => processes.areHealthy());
      await cluster.untilHealthy();

      acknowledged += load.orders.length;
      const stored = await checkStored(load);
      const audit = await runNavette(['audit'], environment);
      const verify = await runNavette(['verify', '--since', began], environment);
      const { webhooks, sms, emails, total } = missing(load.orders);
      const faults = [...new Set(receiver.received.flatMap((request) => request.faults))];
      const restarted = processes.starts() - startsBefore - kills;
      const violations = [
        ...(stored.lost > 0 ? [`${stored.lost} acknowledged creations lost`] : []),
        ...(stored.chargedTwice > 0 ? [`${stored.chargedTwice} charged twice`] : []),
        ...(stored.notCharged > 0 ? [`${stored.notCharged} not charged`] : []),
        ...(stored.unacknowledged !== 0 ? [`${stored.unacknowledged} shipments more than acknowledged`] : []),
        ...(total === 0 ? [] : [`missing: ${webhooks} webhooks, ${sms} SMS, ${emails} e-mails`]),
        ...(faults.length > 0 ? [`webhooks: ${faults.join(', ')}`] : []),
        ...(audit.code === 0 ? [] : [`audit: ${audit.stderr.trim()}`]),
        ...(verify.code === 0 ? [] : [`verify: ${verify.stdout.trim()}`]),
        ...(isHealthy ? [] : ['api or worker did not recover']),
        ...(restarted > 0 ? [`${restarted} processes ended by themselves`] : []),
      ];
      const tries = load.orders.flatMap(({ failures }) => failures);
      return {
        fault: fault.name,
        created: load.orders.length,
        kills,
        secondsWithout201: longestGap(load.answeredAt),
        clusterSecondsWithoutInsert: longestGap(inserted),
        failedTries: tries.length,
        failures: count(tries),
        lastWebhookSeconds,
        repeatedWebhooks: receiver.received.length - new Set(receiver.received.map(shipmentOf)).size,
        lost: stored.lost,
        chargedTwice: stored.chargedTwice,
        violations,
      };
    },

    stop,
  };

  /** Waits until it holds, for at most five minutes; false if it never did. */
  async function until(holds: () => Promise<boolean>): Promise<boolean> {
    const since = performance.now();
    while (!(await holds())) {
      interrupted.throwIfAborted();
      if (performance.now() - since > SETTLED_WITHIN_MS) return false;
      await setTimeout(250);
    }
    return true;
  }

  /** Orders whose webhook or messages have not arrived. */
  function missing(orders: Order[]) {
    const notified = new Set(receiver.received.map(shipmentOf));
    const numbers = new Set(twilio.messages.map(({ to }) => to));
    const addresses = new Set(mailbox.mails.flatMap(({ envelope }) => envelope));
    const webhooks = orders.filter(({ id }) => !id || !notified.has(id)).length;
    const express = orders.filter(({ isExpress }) => isExpress);
    const sms = express.filter(({ recipient }) => !numbers.has(recipient.phoneNumber)).length;
    const emails = express.filter(({ recipient }) => !addresses.has(recipient.email)).length;
    return { webhooks, sms, emails, total: webhooks + sms + emails };
  }

  /** Compares what merchants were answered with what the database holds. */
  async function checkStored({ orders }: Load) {
    const { rows } = await pool.query(
      `select k.key, s.id, count(e.*) as charges from idempotency_keys k
       join shipments s on (s.account_id, s.id) = (k.account_id, k.shipment_id)
       left join ledger_entries e on (e.account_id, e.shipment_id) = (s.account_id, s.id) and e.kind = 'charge'
       where k.key = any($1) group by 1, 2`,
      [orders.map(({ key }) => key)],
    );
    const stored = new Map((rows as { key: string; id: string; charges: number }[]).map((found) => [found.key, found]));
    const total = await pool.query('select count(*) from shipments');
    return {
      lost: orders.filter(({ key, id }) => stored.get(key)?.id !== id).length,
      chargedTwice: [...stored.values()].filter(({ charges }) => charges > 1).length,
      notCharged: [...stored.values()].filter(({ charges }) => charges === 0).length,
      unacknowledged: (total.rows[0] as { count: number }).count - acknowledged,
    };
  }
}

const shipmentOf = ({ body }: { body: Buffer }): string => JSON.parse(body.toString()).data.id;

const count = (statuses: number[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length ?? 0]),
  );
