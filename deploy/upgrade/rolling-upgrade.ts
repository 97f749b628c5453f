/**
 * `npm run upgrade:rolling -- --from DIR`: replaces the processes of another checkout by those of this one under load,
 * after `navette migrate`, and back again. Nobody who retries with an idempotency key may notice.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { BASE_PATH } from '../../contract/src/index.ts';
import { readConfig } from '../../server/src/config.ts';
import { createPool } from '../../server/src/database/database.ts';
import { callApi } from '../../server/test/call-api.ts';
import { MERCHANT_SETTINGS, type Merchant } from '../../server/test/create-merchant.ts';
import { dropDatabase } from '../../server/test/drop-database.ts';
import { freePort } from '../../server/test/free-port.ts';
import { startWebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { startLoad } from '../cluster/load.ts';
import { startBalancer } from './balancer.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    seconds: { type: 'string', default: '90' },
    rate: { type: 'string', default: '50' },
  },
});
if (!values.from) {
  console.log(
    'Usage: npm run upgrade:rolling -- --from DIR [--seconds 90] [--rate 50]\n\nDIR: a checkout of the release before, with its packages installed.',
  );
  process.exit(2);
}
const [older, newer] = [resolve(values.from), resolve(import.meta.dirname, '../..')];
const run = promisify(execFile);
const AUDITED_WITHIN_SECONDS = 420; // resume-messages runs every five minutes

const url = new URL(readConfig().databaseUrl);
const name = `navette_upgrade_${randomBytes(4).toString('hex')}`;
url.pathname = `/${name}`;
const labels = await mkdtemp(join(tmpdir(), 'navette-upgrade-'));
const environment = {
  ...process.env,
  DATABASE_URL: url.href,
  REDIS_PREFIX: `${name}:`,
  LABEL_STORE: labels,
  PROOF_STORE: labels,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_HOST_PER_SECOND: '1000000',
  LOG_LEVEL: 'warn',
  OPERATOR_PORT: '',
};
const logFile = join(tmpdir(), `${name}.log`);
const log = await open(logFile, 'a');
const cliOf = (checkout: string) => join(checkout, 'node_modules/.bin/navette');

async function navette(checkout: string, args: string[], input?: object): Promise<string> {
  const running = run(process.execPath, [cliOf(checkout), ...args], { env: environment, maxBuffer: 2 ** 26 });
  running.child.stdin?.end(input ? JSON.stringify(input) : '');
  return (await running).stdout;
}

interface Process {
  child: ChildProcess;
  port: number;
}

const processes = new Set<Process>();

async function start(checkout: string, role: 'api' | 'worker'): Promise<Process> {
  const port = await freePort();
  const env = { ...environment, PORT: String(port), WORKER_PORT: '0' };
  const child = spawn(process.execPath, [cliOf(checkout), 'serve', role], {
    env,
    stdio: ['ignore', log.fd, log.fd],
  });
  const started = { child, port };
  processes.add(started); // stopped in the end, also when it never serves
  const deadline = performance.now() + 60_000;
  while (
    role === 'api' &&
    !(await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${checkout} does not start: ${logFile}`);
    await setTimeout(100);
  }
  return started;
}

async function stop({ child }: Process): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const exited = once(child, 'exit') as Promise<[number | null]>;
  child.kill('SIGTERM');
  return (await exited)[0];
}

async function createMerchants(count: number): Promise<Merchant[]> {
  const settings = { ...MERCHANT_SETTINGS, paymentMode: 'deferred' };
  const merchants: Merchant[] = [];
  for (let i = 0; i < count; i++) {
    const account = JSON.parse(
      await navette(older, ['account', 'create', '--input', '-', '--json'], { ...settings, name: `Shop ${i}` }),
    );
    const key = JSON.parse(await navette(older, ['key', 'create', account.id, '--name', 'load', '--json']));
    merchants.push({ id: account.id, clientId: account.clientId, key: key.key });
  }
  return merchants;
}

const balancer = await startBalancer();
const receiver = await startWebhookReceiver();
const problems: string[] = [];
try {
  await navette(older, ['migrate']);
  const merchants = await createMerchants(4);
  let apis = [await start(older, 'api'), await start(older, 'api')];
  let worker = await start(older, 'worker');
  balancer.use(apis.map(({ port }) => port));
  for (const [i, merchant] of merchants.entries()) {
    const webhook = { url: `${receiver.url}/${i}`, events: ['shipping.created'] };
    await callApi(`${balancer.url}${BASE_PATH}/webhooks`, merchant, 'POST', { body: webhook });
  }

  /** One process after the other: the new one serves before the old one stops. */
  const replaceAll = async (checkout: string, title: string) => {
    const replace = async (old: Process, role: 'api' | 'worker') => {
      const next = await start(checkout, role);
      if (role === 'api') {
        apis = apis.map((api) => (api === old ? next : api));
        balancer.use(apis.map(({ port }) => port));
      }
      const code = await stop(old);
      processes.delete(old);
      if (code !== 0) problems.push(`${title}: a process ended with ${code}`);
      return next;
    };
    for (const api of [...apis]) await replace(api, 'api');
    worker = await replace(worker, 'worker');
    console.log(`${title}: done at ${((performance.now() - began) / 1000).toFixed(0)} s`);
  };

  /** Messages of a kind that the older release does not know wait until the newer one gives them a job again. */
  async function untilAuditPasses(): Promise<void> {
    const since = performance.now();
    for (;;) {
      const failure = await navette(newer, ['audit']).catch((error: { stderr: string }) => error);
      const seconds = (performance.now() - since) / 1000;
      if (typeof failure === 'string') return console.log(`audit: passed after ${seconds.toFixed(0)} s`);
      if (seconds > AUDITED_WITHIN_SECONDS) throw failure;
      await setTimeout(5_000);
    }
  }

  const load = startLoad(balancer.url, merchants, Number(values.rate), Number(values.seconds));
  const began = performance.now();
  await setTimeout(5_000);
  const migrating = performance.now();
  await navette(newer, ['migrate']);
  console.log(`migrate: ${((performance.now() - migrating) / 1000).toFixed(1)} s, the older release serves meanwhile`);
  await replaceAll(newer, 'upgrade');
  await setTimeout(3_000);
  await replaceAll(older, 'downgrade of the processes, on the newer schema');
  await setTimeout(3_000);
  await replaceAll(newer, 'upgrade again');
  await load.done;

  const expected = new Set(load.orders.map(({ id }) => id as string));
  /** Acknowledged creations whose webhook has not arrived. */
  const countSilent = () => {
    const ids = receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { data: { id: string } }).data.id);
    const received = new Set(ids);
    return [...expected].filter((id) => !received.has(id)).length;
  };
  let silent = countSilent();
  for (let waited = 0; waited < 120 && silent > 0; waited++) {
    await setTimeout(1_000);
    silent = countSilent();
  }
  if (silent > 0) problems.push(`${silent} webhooks did not arrive`);

  const client = createPool({ databaseUrl: url.href, size: 1 });
  const { rows } = await client.query(
    `select (select count(*)::int from shipments) as shipments, (select count(*)::int from shipments where id = any($1)) as answered,
            (select count(*)::int from ledger_entries where kind = 'charge') as charges`,
    [[...expected]],
  );
  await client.end();
  const { shipments, answered, charges } = rows[0] as Record<string, number>;
  if (new Set([shipments, answered, charges, expected.size]).size > 1) {
    problems.push(
      `${expected.size} acknowledged, ${answered} of them stored, ${shipments} stored in all, ${charges} charges`,
    );
  }
  await untilAuditPasses().catch((error: { stderr: string }) => problems.push(`audit: ${error.stderr}`));

  const times = load.orders.map(({ ms = 0 }) => ms).toSorted((a, b) => a - b);
  const failed = load.orders.flatMap(({ failures }) => failures);
  const quantile = (q: number) => `${times[Math.floor(times.length * q)]?.toFixed(0)} ms`;
  console.log(
    `${load.orders.length} creations: p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, longest ${times.at(-1)?.toFixed(0)} ms; ` +
      `${failed.length} tries failed and were repeated (${[...new Set(failed)].join(', ') || 'none'})`,
  );
} finally {
  await Promise.all([...processes].map(stop));
  balancer.stop();
  await receiver.stop();
  await dropDatabase(url.href);
  await rm(labels, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
await log.close();
if (problems.length === 0) await rm(logFile);
else console.error(`log of the processes: ${logFile}`);
process.exitCode = problems.length > 0 ? 1 : 0;
