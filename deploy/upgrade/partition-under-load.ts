/**
 * `npm run upgrade:partition -- --from DIR`: `navette partition` on millions of deliveries, killed twice, while processes of
 * the release in DIR and of this one create shipments and send webhooks. No request may fail and no row may differ.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BASE_PATH } from '../../contract/src/index.ts';
import { createPool } from '../../server/src/database/database.ts';
import type { MoveProgress } from '../../server/src/database/move-to-partitions.ts';
import { callApi } from '../../server/test/call-api.ts';
import { startWebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { type Order, startLoad } from '../cluster/load.ts';
import { startBalancer } from './balancer.ts';
import { countSilent, describeTimes, openReleases, report } from './releases.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    deliveries: { type: 'string', default: '5000000' },
    rate: { type: 'string', default: '20' },
    batch: { type: 'string', default: '2000' },
  },
});
if (!values.from) {
  console.log(
    'Usage: npm run upgrade:partition -- --from DIR [--deliveries 5000000] [--rate 20] [--batch 2000]\n\nDIR: a checkout of the release before, with its packages installed.',
  );
  process.exit(2);
}
const [older, newer] = [resolve(values.from), resolve(import.meta.dirname, '../..')];
const deliveries = Number(values.deliveries);
const FILLED_AT_ONCE = 250_000;
const LOAD_SECONDS = 20; // of each part of the load; the next one begins until the move has ended
const ACCOUNTS = 20_000;

const releases = await openReleases('partition');
const { navette, start } = releases;
const began = performance.now();
const say = (text: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}`);

/** Deliveries of the last 29 days, each with its attempt, of accounts whose ids begin with zeros. */
async function fill(): Promise<void> {
  for (let from = 1; from <= deliveries; from += FILLED_AT_ONCE) {
    await pool.query(
      `insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, attempted_at, settled_at, created_at)
       select lpad(to_hex(n % ${ACCOUNTS}), 32, '0')::uuid, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
         || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, lpad(to_hex(n % ${ACCOUNTS}), 32, '0')::uuid, 'delivered', 1, 1, at, at, at
       from generate_series($1::int, $2::int) n, lateral (select now() - interval '29 days' * (1 - n / $3::float8) - interval '1 hour' as at) t`,
      [from, Math.min(from + FILLED_AT_ONCE - 1, deliveries), deliveries],
    );
  }
  await pool.query(`insert into webhook_attempts (account_id, event_id, webhook_id, attempt, started_at, duration_ms, status)
    select account_id, event_id, webhook_id, 1, attempted_at, 20, 200 from webhook_deliveries`);
  await pool.query('vacuum analyze webhook_deliveries');
  await pool.query('vacuum analyze webhook_attempts');
}

/** Number and contents of the filled rows. */
async function readFilled(): Promise<string> {
  const print = (table: string) =>
    `(select row(count(*), sum(hashtextextended(t::text, 0)::numeric))::text from ${table} t where account_id < '00000001-0000-0000-0000-000000000000')`;
  const { rows } = await pool.query(`select ${print('webhook_deliveries')} || ${print('webhook_attempts')} as print`);
  return rows[0].print;
}

/** Runs the command, and kills it once `isReached`. Returns whether it ended by itself. */
async function partition(isReached: (progress: MoveProgress) => boolean): Promise<boolean> {
  const child = spawn(process.execPath, [releases.cliOf(newer), 'partition', '--json', '--batch', values.batch], {
    env: releases.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const progress = JSON.parse(line) as MoveProgress | { moved: string[] };
    if ('moved' in progress) continue;
    if (`${progress.table} ${progress.step}` !== last) say(`${progress.table}: ${progress.step}`);
    last = `${progress.table} ${progress.step}`;
    if (child.killed || !isReached(progress)) continue;
    child.kill('SIGKILL');
    say(`killed: ${last} at ${progress.rows} rows`);
  }
  const [code] = await exited;
  if (!child.killed && code !== 0) throw new Error(`navette partition ended with ${code}`);
  return !child.killed;
}

const balancer = await startBalancer();
const receiver = await startWebhookReceiver();
const problems: string[] = [];
await navette(older, ['migrate']);
const pool = createPool({ databaseUrl: releases.databaseUrl, size: 2 });
try {
  await fill();
  const filled = await readFilled();
  say(`filled: ${deliveries} deliveries and as many attempts`);
  const merchants = await releases.createMerchants(older, 4);
  const ports = [(await start(older, 'api')).port];
  await start(older, 'worker');
  balancer.use(ports);
  for (const [i, merchant] of merchants.entries()) {
    const webhook = { url: `${receiver.url}/${i}`, events: ['shipping.created'] };
    await callApi(`${balancer.url}${BASE_PATH}/webhooks`, merchant, 'POST', { body: webhook });
  }
  await navette(newer, ['migrate']);
  ports.push((await start(newer, 'api')).port);
  await start(newer, 'worker');
  balancer.use(ports);
  say('an api and a worker of each release serve');

  const loads = { alone: [] as Order[], moving: [] as Order[] };
  let step: keyof typeof loads = 'alone';
  let isLoading = true;
  const loading = (async () => {
    while (isLoading) {
      const into = loads[step];
      const load = startLoad(balancer.url, merchants, Number(values.rate), LOAD_SECONDS);
      await load.done;
      into.push(...load.orders);
    }
  })();
  await setTimeout(LOAD_SECONDS * 2_000);
  step = 'moving';
  const { rows: before } = await pool.query('select pg_current_wal_lsn()::text as lsn');
  const moving = performance.now();
  await partition(({ step: at, rows }) => at === 'copy' && rows >= deliveries / 3);
  await partition(({ step: at, rows }) => at === 'verify' && rows >= deliveries / 3);
  if (!(await partition(() => false))) problems.push('the move did not end');
  const seconds = (performance.now() - moving) / 1000;
  const { rows: wal } = await pool.query('select pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::float8 as bytes', [
    before[0].lsn,
  ]);
  say(`moved in ${seconds.toFixed(0)} s, ${(wal[0].bytes / 2 ** 20).toFixed(0)} MiB of WAL, with that of the load`);
  await setTimeout(LOAD_SECONDS * 1_000);
  isLoading = false;
  await loading;

  if ((await readFilled()) !== filled) problems.push('rows differ from those before the move');
  const orders = [...loads.alone, ...loads.moving];
  const silent = await countSilent(orders, receiver.received);
  if (silent > 0) problems.push(`${silent} webhooks did not arrive`);
  const { rows } = await pool.query(
    `select count(*)::int as stored from webhook_deliveries where account_id = any($1) and status = 'delivered'`,
    [merchants.map(({ id }) => id)],
  );
  if (rows[0].stored !== orders.length) problems.push(`${orders.length} acknowledged, ${rows[0].stored} deliveries`);

  for (const [title, part] of Object.entries(loads)) {
    const failed = part.flatMap(({ failures }) => failures);
    say(
      `${title}: ${part.length} creations, ${describeTimes(part.map(({ ms = 0 }) => ms))}, ` +
        `${failed.length} failed (${[...new Set(failed)].join(', ') || 'none'})`,
    );
    if (failed.length > 0) problems.push(`${failed.length} requests failed`);
  }
} finally {
  await pool.end();
  balancer.stop();
  await receiver.stop();
  await releases.close();
}
await report(problems, releases);
