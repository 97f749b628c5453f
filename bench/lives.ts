import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BASE_PATH, type Offer, WEBHOOK_EVENTS } from '../contract/src/index.ts';
import { codeIn, linkIn, openPost, type Post, peopleOf } from '../demo/day/post.ts';
import type { openEngines } from '../server/src/cli/engines.ts';
import type { readConfig } from '../server/src/config.ts';
import type { createLog } from '../server/src/observability/create-log.ts';
import { callApi } from '../server/test/call-api.ts';
import { MERCHANT_SETTINGS } from '../server/test/create-merchant.ts';
import { type createTestDriver, overHttp, type SendCommand } from '../server/test/driver-app.ts';
import { startFakeMailbox } from '../server/test/fake-mailbox.ts';
import { startFakeTwilio } from '../server/test/fake-twilio.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../server/test/private-postgres.ts';
import { shipmentRequest } from '../server/test/shipment-request.ts';
import {
  describeOldest,
  MOST_QUEUED_SECONDS,
  OWN,
  oldestJobDuring,
  untilDone,
  type WaitingJob,
} from './load/oldest-job.ts';
import { at } from './load/timing.ts';
import { processorSeconds } from './load/tools.ts';
import { startWebhookSink, type WebhookSink } from './load/webhook-sink-process.ts';
import type { Merchant, Stack, startStack, startWorker } from './stack.ts';

const ACCOUNTS = 10;
/** Drivers, and the time between two polls of each. Both poll as often together. */
const FEW = { drivers: 24, lookMs: 400 };
const MANY = { drivers: 128, lookMs: 2_100 }; // so that at a high rate a search finds drivers without an open offer
const HIGH_RATE = 12;
const crowdFor = (rate: number, climb = false) => (climb || rate > HIGH_RATE ? MANY : FEW);
const POSITION_MS = 5_000;
const MOST_LATE_MS = 60_000; // without its SMS, a life fails the run
const STEP = 1.25;
const LEAST_CALLS = 0.05; // per life; rarer statements are not listed
const PLACE = MERCHANT_SETTINGS.pickupAddress?.coordinates as { latitude: number; longitude: number };

/** The modules of one version of Navette, which may be another checkout. */
interface Version {
  startStack: typeof startStack;
  startWorker: typeof startWorker;
  openEngines: typeof openEngines;
  readConfig: typeof readConfig;
  createLog: typeof createLog;
  createTestDriver: typeof createTestDriver;
}

async function loadVersion(root: string): Promise<Version> {
  const files = [
    'bench/stack.ts',
    'server/src/cli/engines.ts',
    'server/src/config.ts',
    'server/src/observability/create-log.ts',
    'server/test/driver-app.ts',
  ];
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(resolve(root, file)).href)));
  return Object.assign({}, ...modules) as Version;
}

/** A stack on a PostgreSQL of its own, so that the processor time of each is known. */
interface Installation {
  postgres: PrivatePostgres;
  stack: Stack;
  stop(): Promise<void>;
}

/** Starts an installation, with these settings of the service. */
type Start = (providers: Record<string, string>) => Promise<Installation>;

/** One version, with its drivers, providers and endpoints. */
interface Side extends AsyncDisposable {
  name: string;
  postgres: PrivatePostgres;
  stack: Stack;
  worker: ChildProcess;
  sink: WebhookSink;
  post: Post;
  drivers: SendCommand[];
  lookMs: number;
  /** Serial number of the next recipient. */
  next: number;
}

interface Meter {
  statements: number;
  api: number;
  worker: number;
  postgres: number;
  walBytes: number;
  keptBytes: number;
}

export interface LivesOptions {
  /** Lives a second. */
  rate: number;
  seconds: number;
  /** Another checkout, measured in turn with this one. */
  beside?: string | undefined;
  /** Instead of the cost, finds the highest rate that holds for as long: raises it until a job waits too long. */
  climb: boolean;
}

/**
 * Whole lives through the public interfaces: a merchant creates a shipment, drivers poll and one accepts, picks it up and
 * delivers it with the code of the recipient's page. Prints what one life costs.
 */
export async function benchLives({ rate, seconds, beside, climb }: LivesOptions): Promise<void> {
  const roots = [...(beside ? [beside] : []), join(import.meta.dirname, '..')];
  for (const [i, root] of roots.entries()) {
    const name = i === roots.length - 1 ? 'now' : 'before';
    const version = await loadVersion(root);
    await using side = await startSide(name, version, crowdFor(rate, climb), (providers) =>
      startOwn(version, providers),
    );
    await live(side, rate, 5); // warm up
    if (climb) await climbFrom(side, rate, seconds);
    else await measure(side, rate, seconds);
  }
}

/** The cost of lives on an installation that exists. */
export async function benchLivesOn(name: string, start: Start, rate: number, seconds: number): Promise<void> {
  await using side = await startSide(name, await loadVersion(join(import.meta.dirname, '..')), crowdFor(rate), start);
  await live(side, rate, 5); // warm up
  await measure(side, rate, seconds);
}

/** Settings of a PostgreSQL whose statements can be counted. */
export const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  max_wal_size: '8GB', // a checkpoint in the middle would add pages to the log
  checkpoint_timeout: '1h',
};

async function startOwn(version: Version, providers: Record<string, string>): Promise<Installation> {
  const postgres = await startPrivatePostgres(COUNTING);
  try {
    process.env.DATABASE_URL = postgres.url;
    const stack = await version.startStack(ACCOUNTS, providers);
    const stop = async () => {
      await stack.stop();
      await postgres.remove();
    };
    return { postgres, stack, stop };
  } catch (error) {
    await postgres.remove();
    throw error;
  }
}

async function startSide(name: string, version: Version, crowd: typeof FEW, start: Start): Promise<Side> {
  await using begun = new AsyncDisposableStack(); // ends what was started if a later step fails
  const twilio = begun.adopt(await startFakeTwilio(), (started) => started.stop());
  const mailbox = begun.adopt(await startFakeMailbox(), (started) => started.stop());
  const sink = begun.adopt(await startWebhookSink(), ({ process: child }) => void child.kill());
  const providers = { SMS_URL: twilio.url, MAIL_URL: mailbox.url, DRIVER_REQUESTS_PER_MINUTE: '100000' };
  const { postgres, stack } = begun.adopt(await start(providers), (started) => started.stop());
  await stack.sql('create extension if not exists pg_stat_statements');
  for (const merchant of stack.merchants) {
    const body = { url: `${sink.url}/ok`, events: WEBHOOK_EVENTS };
    const { status } = await callApi(`${stack.url}${BASE_PATH}/webhooks`, merchant, 'POST', { body });
    if (status !== 201) throw new Error(`a webhook answered ${status}`);
  }
  const config = version.readConfig({ ...process.env, ...stack.environment });
  const engines = version.openEngines(config, version.createLog('warn'));
  const drivers: SendCommand[] = [];
  for (let i = 0; i < crowd.drivers; i++) drivers.push(overHttp(stack.url, await version.createTestDriver(engines.db)));
  await engines.close();
  const worker = begun.adopt(await version.startWorker(stack), async (child) => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const post = openPost(twilio, mailbox);
  const owned = begun.move();
  return {
    name,
    postgres,
    stack,
    worker,
    sink,
    post,
    drivers,
    lookMs: crowd.lookMs,
    next: 0,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Costs per life, without what the idle processes and polling drivers use in the same time. */
async function measure(side: Side, rate: number, seconds: number): Promise<void> {
  await forgetStatements(side);
  const idle = await metered(side, async () => {
    await drive(side, () => setTimeout(seconds * 1_000));
  });
  await side.sink.ask('reset');
  const idleCalls = new Map((await listStatements(side)).map(({ id, calls }) => [id, calls]));
  await forgetStatements(side);
  let result: Lived | undefined;
  const busy = await metered(side, async () => {
    result = await live(side, rate, seconds);
  });
  const { times, oldest } = result as Lived;
  const each = (key: keyof Meter) => (busy[key] - idle[key]) / times.length;
  const webhooks = await side.sink.ask('report');
  const sorted = times.toSorted((a, b) => a - b);
  console.log(`
${side.name}: ${times.length} lives, ${rate} a second; per life, without the ${seconds} idle seconds before:
  statements     ${each('statements').toFixed(0)} (with polling while idle ${(busy.statements / times.length).toFixed(0)})
  CPU            ${(each('api') * 1e3).toFixed(1)} ms api, ${(each('worker') * 1e3).toFixed(1)} ms worker, ${(each('postgres') * 1e3).toFixed(1)} ms PostgreSQL = ${((each('api') + each('worker') + each('postgres')) * 1e3).toFixed(0)} ms
  WAL            ${(each('walBytes') / 1024).toFixed(1)} KiB
  kept           ${(each('keptBytes') / 1024).toFixed(1)} KiB in Navette's tables, before any purge
  life           p50 ${at(sorted, 0.5).toFixed(0)} ms, p99 ${at(sorted, 0.99).toFixed(0)} ms from the order to the delivery
  webhooks       ${webhooks.arrived}, p50 ${webhooks.p50Ms} ms, p99 ${webhooks.p99Ms} ms after the change
  ${describeOldest(oldest)}`);
  await printStatements(side, times.length, idleCalls);
}

/** Raises the rate by a quarter until a job waits for more than two seconds. */
async function climbFrom(side: Side, from: number, seconds: number): Promise<void> {
  let sustained = 0;
  for (let rate = from; await holds(side, rate, seconds); rate *= STEP) sustained = rate;
  console.log(`  sustained by ${side.name} for ${seconds} s: ${sustained.toFixed(1)} lives a second`);
}

async function holds(side: Side, rate: number, seconds: number): Promise<boolean> {
  await untilDone(side.stack); // what a higher rate left
  const { oldest, times } = await live(side, rate, seconds);
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `  ${rate.toFixed(1)} a second for ${seconds} s: ${describeOldest(oldest)}, ${times.length} lives, p50 ${at(sorted, 0.5).toFixed(0)} ms, p99 ${at(sorted, 0.99).toFixed(0)} ms`,
  );
  return oldest.seconds <= MOST_QUEUED_SECONDS;
}

interface Lived {
  /** Milliseconds from each order to its delivery. */
  times: number[];
  /** The longest that a job waited. */
  oldest: WaitingJob;
}

/** Creates shipments at the rate, whatever becomes of them, until each is delivered. */
async function live(side: Side, rate: number, seconds: number): Promise<Lived> {
  const times: number[] = [];
  const ordered = drive(side, async (delivered) => {
    const began = performance.now();
    const lives: Promise<void>[] = [];
    while (lives.length < rate * seconds) {
      const due = Math.min(rate * seconds, ((performance.now() - began) / 1_000) * rate);
      while (lives.length < due) lives.push(order(side, delivered, times));
      await setTimeout(5);
    }
    await Promise.all(lives);
  });
  const { oldest } = await oldestJobDuring(side.stack, ordered);
  return { times, oldest };
}

type Delivered = Map<string, (at: number) => void>;

async function order(side: Side, delivered: Delivered, times: number[]): Promise<void> {
  const { stack, next } = side;
  side.next++;
  const started = performance.now();
  const { recipient } = peopleOf(next);
  const body = shipmentRequest({ deliveryAddress: { ...shipmentRequest().deliveryAddress, ...recipient } });
  const merchant = stack.merchants[next % ACCOUNTS] as Merchant;
  const answer = await callApi(`${stack.url}${BASE_PATH}/shipping`, merchant, 'POST', { body });
  if (answer.status !== 201) throw new Error(`a creation answered ${answer.status}`);
  const ended = new Promise<number>((resolve) => delivered.set(recipient.phoneNumber, resolve));
  times.push((await ended) - started);
}

/** Drivers work while `meanwhile` runs. They find the recipient's number on the offer's shipment. */
async function drive(side: Side, meanwhile: (delivered: Delivered) => Promise<void>): Promise<void> {
  const delivered: Delivered = new Map();
  const over = new AbortController();
  const driving = Promise.all(side.drivers.map((send) => work(side, send, delivered, over.signal)));
  try {
    await Promise.race([meanwhile(delivered), driving]);
  } finally {
    over.abort();
    await driving;
  }
}

async function work(side: Side, send: SendCommand, delivered: Delivered, over: AbortSignal): Promise<void> {
  const carried: Promise<void>[] = [];
  let placedAt = Number.NEGATIVE_INFINITY;
  while (!over.aborted) {
    if (performance.now() - placedAt > POSITION_MS) {
      placedAt = performance.now();
      await send('sendPosition', PLACE);
    }
    const { body } = await send('listOffers');
    for (const { shipping } of body.offers as Offer[]) {
      const { status } = await send('acceptOffer', { id: shipping.id }); // 409 when another driver was faster
      if (status === 200) carried.push(carry(side, send, shipping.id, delivered));
    }
    await setTimeout(side.lookMs);
  }
  await Promise.all(carried);
}

async function carry(side: Side, send: SendCommand, id: string, delivered: Delivered): Promise<void> {
  const must = async (...command: Parameters<SendCommand>) => {
    const { status, body } = await send(...command);
    if (status !== 200) throw new Error(`${command[0]} answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  await must('pickUp', { id });
  const { shipping } = await must('depart', { id });
  const phoneNumber: string = shipping.delivery.phoneNumber;
  await must('deliver', { id, deliveryCode: await codeFor(side, phoneNumber) });
  delivered.get(phoneNumber)?.(performance.now());
}

/** As the recipient reads it: on the page that the SMS links to. */
async function codeFor({ post, stack }: Side, phoneNumber: string): Promise<string> {
  const since = performance.now();
  for (;;) {
    const link = linkIn(post.smsTo(phoneNumber)[0]?.body ?? '');
    if (link) {
      const code = codeIn(await (await fetch(`${stack.url}${link}`)).text());
      if (!code) throw new Error('the page shows no code');
      return code;
    }
    if (performance.now() - since > MOST_LATE_MS) throw new Error('the SMS did not arrive');
    await setTimeout(50);
  }
}

async function metered(side: Side, run: () => Promise<void>): Promise<Meter> {
  const before = await readMeter(side);
  await run();
  await setTimeout(3_000); // what follows the last change
  const after = await readMeter(side);
  const keys = Object.keys(before) as (keyof Meter)[];
  return Object.fromEntries(keys.map((key) => [key, after[key] - before[key]])) as unknown as Meter;
}

async function readMeter({ stack, worker, postgres }: Side): Promise<Meter> {
  const { rows } = await stack.sql(`${OWN} select
    (select coalesce(sum(calls), 0)::float8 from pg_stat_statements where query not like '%${OWN}%') as statements,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walBytes",
    (select sum(pg_total_relation_size(oid))::float8 from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, to_regnamespace('partitions'))) as "keptBytes"`);
  return {
    ...rows[0],
    api: processorSeconds(stack.pid),
    worker: processorSeconds(worker.pid as number),
    postgres: postgresSeconds(postgres),
  };
}

/** CPU time of PostgreSQL: the server process, its ended children, and those that run. */
function postgresSeconds({ data }: PrivatePostgres): number {
  const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const fields = readFileSync(`/proc/${server}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ended = (Number(fields[13]) + Number(fields[14])) / 100;
  const running = readdirSync(`/proc/${server}/task`).flatMap((task) =>
    readFileSync(`/proc/${server}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
  return running.reduce((sum, pid) => sum + processorSeconds(pid), processorSeconds(server) + ended);
}

interface Statement {
  id: string;
  calls: number;
  planMs: number;
  runMs: number;
  walBytes: number;
  query: string;
}

const forgetStatements = ({ stack }: Side) => stack.sql(`${OWN} select pg_stat_statements_reset()`);

async function listStatements({ stack }: Side): Promise<Statement[]> {
  const { rows } = await stack.sql(
    `${OWN} select queryid::text as id, sum(calls)::float8 as calls, sum(total_plan_time) as "planMs",
       sum(total_exec_time) as "runMs", sum(wal_bytes)::float8 as "walBytes",
       left(regexp_replace(min(query), '\\s+', ' ', 'g'), 160) as query
     from pg_stat_statements where query not like '%${OWN}%' group by queryid`,
  );
  return rows;
}

/** The statements of a life, most frequent first, without the calls of the idle time. Times and log are of all calls. */
async function printStatements(side: Side, lives: number, idleCalls: Map<string, number>): Promise<void> {
  const statements = (await listStatements(side)).map((statement) => ({
    ...statement,
    perLife: (statement.calls - (idleCalls.get(statement.id) ?? 0)) / lives,
  }));
  for (const { perLife, planMs, runMs, walBytes, query } of statements.toSorted((a, b) => b.perLife - a.perLife)) {
    if (perLife < LEAST_CALLS) break;
    const costs = `${((planMs + runMs) / lives).toFixed(2)} ms, ${(walBytes / lives / 1024).toFixed(1)} KiB`;
    console.log(`  ${perLife.toFixed(2).padStart(6)} calls, ${costs}  ${query}`);
  }
}
