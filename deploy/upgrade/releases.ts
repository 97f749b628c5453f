import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readConfig } from '../../server/src/config.ts';
import { MERCHANT_SETTINGS, type Merchant } from '../../server/test/create-merchant.ts';
import { dropDatabase } from '../../server/test/drop-database.ts';
import { freePort } from '../../server/test/free-port.ts';

const run = promisify(execFile);

export interface Process {
  child: ChildProcess;
  port: number;
}

/** A database of its own, and processes and commands of several releases on it. */
export interface Releases {
  databaseUrl: string;
  environment: NodeJS.ProcessEnv;
  logFile: string;
  cliOf(checkout: string): string;
  /** Runs a command and returns what it printed. */
  navette: (checkout: string, args: string[], input?: object) => Promise<string>;
  start: (checkout: string, role: 'api' | 'worker') => Promise<Process>;
  stop: (process: Process) => Promise<number | null>;
  createMerchants(checkout: string, count: number): Promise<Merchant[]>;
  /** Stops what still runs and drops the database. The log of the processes stays when there were problems. */
  close(): Promise<void>;
}

export async function openReleases(purpose: string): Promise<Releases> {
  const url = new URL(readConfig().databaseUrl);
  const name = `navette_${purpose}_${randomBytes(4).toString('hex')}`;
  url.pathname = `/${name}`;
  const labels = await mkdtemp(join(tmpdir(), `navette-${purpose}-`));
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
  const processes = new Set<Process>();
  const cliOf = (checkout: string) => join(checkout, 'server/bin/navette.js');

  async function navette(checkout: string, args: string[], input?: object): Promise<string> {
    const running = run(process.execPath, [cliOf(checkout), ...args], { env: environment, maxBuffer: 2 ** 26 });
    running.child.stdin?.end(input ? JSON.stringify(input) : '');
    return (await running).stdout;
  }

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

  async function stop(running: Process): Promise<number | null> {
    processes.delete(running);
    const { child } = running;
    if (child.exitCode !== null) return child.exitCode;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    return (await exited)[0];
  }

  async function createMerchants(checkout: string, count: number): Promise<Merchant[]> {
    const settings = { ...MERCHANT_SETTINGS, paymentMode: 'deferred' };
    const merchants: Merchant[] = [];
    for (let i = 0; i < count; i++) {
      const input = { ...settings, name: `Shop ${i}` };
      const account = JSON.parse(await navette(checkout, ['account', 'create', '--input', '-', '--json'], input));
      const key = JSON.parse(await navette(checkout, ['key', 'create', account.id, '--name', 'load', '--json']));
      merchants.push({ id: account.id, clientId: account.clientId, key: key.key });
    }
    return merchants;
  }

  return {
    ...{ databaseUrl: url.href, environment, logFile, cliOf, navette, start, stop, createMerchants },
    async close() {
      await Promise.all([...processes].map(stop));
      await dropDatabase(url.href);
      await rm(labels, { recursive: true, force: true });
      await log.close();
    },
  };
}

/** The exit code says whether there were problems. Without any, the log of the processes is deleted. */
export async function report(problems: string[], { logFile }: Releases): Promise<void> {
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) await rm(logFile);
  else console.error(`log of the processes: ${logFile}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** Median, slowest hundredth and slowest of some times in milliseconds. */
export function describeTimes(unsorted: number[]): string {
  const times = unsorted.toSorted((a, b) => a - b);
  const quantile = (q: number) => `${times[Math.floor(times.length * q)]?.toFixed(0)} ms`;
  return `p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, longest ${times.at(-1)?.toFixed(0)} ms`;
}

/** The orders whose webhook has not arrived, once all have, or after two minutes. */
export async function countSilent(orders: { id?: string }[], received: readonly { body: Buffer }[]): Promise<number> {
  const count = () => {
    const ids = received.map(({ body }) => (JSON.parse(body.toString()) as { data: { id: string } }).data.id);
    const arrived = new Set(ids);
    return orders.filter(({ id }) => !arrived.has(id as string)).length;
  };
  for (let waited = 0; waited < 120 && count() > 0; waited++) await setTimeout(1_000);
  return count();
}
