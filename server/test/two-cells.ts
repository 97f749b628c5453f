import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTownCentres } from '../src/adapters/geocoder/town-centres.ts';
import { setThisCell } from '../src/cells/this-cell.ts';
import type { Database } from '../src/database/database.ts';
import { createLocator } from '../src/features/geocoding/index.ts';
import { createLog } from '../src/observability/create-log.ts';
import { createMerchant, type Merchant } from './create-merchant.ts';
import { dropDatabase } from './drop-database.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { type CliResult, type NavetteProcess, runNavette, spawnNavette, startNavette } from './navette-process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface TestCell {
  tag: string;
  /** Its own address, without the router. */
  url: string;
  db: Database;
  database: TestDatabase;
  settings: Record<string, string>;
  kill(): Promise<void>;
  /** Again on the same port. */
  start(): Promise<void>;
  createMerchant(): Promise<Merchant>;
  /** Tokens that the test's own process creates meanwhile belong to the cell. */
  issue<T>(create: () => Promise<T>): Promise<T>;
  navette(...args: string[]): Promise<CliResult>;
}

export interface TwoCells {
  /** Address of the router. */
  url: string;
  first: TestCell;
  second: TestCell;
  directoryUrl: string;
  stop(): Promise<void>;
}

const CREDIT = { paymentMode: 'deferred', creditLimit: 1_000_000 } as const;

/** Two installations with a database each, the directory, and HAProxy with the configuration that `navette` writes. */
export async function startTwoCells(more: Record<string, string> = {}): Promise<TwoCells> {
  const folder = await mkdtemp(join(tmpdir(), 'navette-router-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const databases = [await createTestDatabase(), await createTestDatabase()] as const;
  const directoryUrl = `${databases[0].url}_directory`;
  const common = { DIRECTORY_URL: directoryUrl, PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1', ...more };
  const first = await startCell('P2', databases[0], common);
  const second = await startCell('Q3', databases[1], common);
  for (const cell of [first, second]) succeed(await cell.navette('cell', 'add', '--address', cell.url));
  const bind = ['--bind', `127.0.0.1:${port}`];
  succeed(await first.navette('cell', 'router', folder, ...bind));
  const router = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const follower = spawnNavette(['cell', 'router', folder, ...bind, '--follow'], first.settings);
  const ended = once(router, 'exit').then(([code]) => {
    throw new Error(`haproxy ended with ${code}`);
  });
  const answering = eventually(async () => {
    const { status } = await fetch(`${url}/healthz`);
    if (status !== 200) throw new Error(`the router answered ${status}`);
  });
  await Promise.race([answering, ended]);
  ended.catch(() => {});
  return {
    ...{ url, first, second, directoryUrl },
    async stop() {
      await Promise.all([end(follower), end(router), first.kill(), second.kill()]);
      await Promise.all([...databases.map((database) => database.drop()), dropDatabase(directoryUrl)]);
      await rm(folder, { recursive: true });
    },
  };
}

async function startCell(tag: string, database: TestDatabase, common: Record<string, string>): Promise<TestCell> {
  const port = await freePort();
  const settings = {
    ...common,
    CELL: tag,
    DATABASE_URL: database.url,
    REDIS_PREFIX: `navette-test-${randomBytes(4).toString('hex')}:`,
    PORT: String(port),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const locator = createLocator(database.db, createTownCentres(), createLog('silent'));
  let running: NavetteProcess = await startNavette([], settings);
  const cell: TestCell = {
    ...{ tag, db: database.db, database, settings },
    url: `http://127.0.0.1:${port}`,
    kill: () => end(running.process),
    async start() {
      running = await startNavette([], settings);
    },
    createMerchant: () => cell.issue(() => createMerchant({ db: database.db, locator }, CREDIT)),
    async issue(create) {
      setThisCell(tag);
      try {
        return await create();
      } finally {
        setThisCell(null);
      }
    },
    navette: (...args) => runNavette(args, settings),
  };
  return cell;
}

function succeed({ code, stderr }: CliResult): void {
  if (code !== 0) throw new Error(stderr);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
