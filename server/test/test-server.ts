import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { BASE_PATH, type Scope } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { buildApp, type Services } from '../src/app.ts';
import { type Engines, openEngines } from '../src/cli/engines.ts';
import { type Config, readConfig, SECRET_VARIABLES } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import type { AccountInput } from '../src/features/accounts/index.ts';
import { createJobSender, type JobSender } from '../src/jobs/boss.ts';
import { createLog } from '../src/observability/create-log.ts';
import { type ReadHealth, watchHealth } from '../src/observability/health.ts';
import { createRegistry } from '../src/observability/metrics-registry.ts';
import { createTracer, type Tracer } from '../src/observability/tracer.ts';
import { createRedis } from '../src/redis/create-redis.ts';
import { createRedisState } from '../src/shared-state.ts';
import { type Answer, type CallOptions, callApi } from './call-api.ts';
import { createMerchant, type Merchant } from './create-merchant.ts';
import { createTestDatabase } from './test-database.ts';

export type TestAccount = Merchant;

export interface TestServer {
  url: string;
  app: FastifyInstance;
  db: Database;
  pools: Engines['pools'];
  jobs: JobSender;
  tracer: Tracer;
  config: Config;
  /** Environment for a child process that shares this server's engines. */
  environment: Record<string, string>;
  /** Everything logged so far, as text: for assertions on what must not be in it. */
  logged(): string;
  /** The content of the operator's listener, as text and as the document of /readyz. */
  metrics(): Promise<string>;
  readHealth: ReadHealth;
  setNow(now: Date | null): void;
  createAccount(settings?: Partial<AccountInput>, scopes?: Scope[]): Promise<TestAccount>;
  call(account: Partial<TestAccount>, method: string, path: string, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

/** A test may set a public PUBLIC_URL, with which the default secrets are refused. */
const SECRET = 'of-test-servers-and-nothing-else';
const OWN_SECRETS = Object.fromEntries(SECRET_VARIABLES.map((name) => [name, SECRET]));

/** Test files run side by side, some with several processes, on a machine that may give them a tenth of its time. */
// Tests look at the inbox right after a change, and set the time.
const MODEST = {
  INBOX_SHARED_MS: '0',
  DATABASE_POOL_SIZE: '6',
  DATABASE_TIME_LIMIT_SECONDS: '120',
  REDIS_TIME_LIMIT_MS: '5000',
};

/** The api role in this process on a port of its own, with real PostgreSQL and Redis. */
export async function startTestServer(
  settings: Record<string, string> = {},
  services: Partial<Services> = {},
): Promise<TestServer> {
  const database = await createTestDatabase();
  const prefix = `${new URL(database.url).pathname.slice(1)}:`;
  const files = await mkdtemp(join(tmpdir(), 'navette-files-'));
  const own = {
    DATABASE_URL: database.url,
    REDIS_PREFIX: prefix,
    LABEL_STORE: join(files, 'labels'),
    PROOF_STORE: join(files, 'proofs'),
    ...OWN_SECRETS,
    ...MODEST,
  };
  const environment = { ...own, PORT: '0', LOG_LEVEL: 'debug', ...settings };
  const config = readConfig({ ...process.env, ...environment });
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const engines = openEngines(config, createLog(config.logLevel, sink));
  const redis = createRedis(config, engines.log);
  const state = createRedisState(redis, config, engines.log);
  let fixedNow: Date | null = null;
  const jobs = await createJobSender(config, engines.log);
  const registry = createRegistry();
  const readHealth = watchHealth({ pool: engines.pools.main, state, isStopping: () => false });
  const now = () => fixedNow ?? new Date();
  const tracer = createTracer(config, registry, engines.log);
  const app = await buildApp({ ...engines, state, jobs, registry, tracer, readHealth, now, ...services });
  const url = await app.listen({ host: '127.0.0.1', port: config.port });

  return {
    url,
    app,
    db: database.db,
    pools: engines.pools,
    jobs,
    tracer,
    config,
    environment,
    logged: () => lines.join(''),
    metrics: () => registry.metrics(),
    readHealth,
    setNow(now) {
      fixedNow = now;
    },
    createAccount: (changes, scopes) => createMerchant({ db: database.db, locator: engines.locator }, changes, scopes),
    call: (account, method, path, options = {}) => callApi(`${url}${BASE_PATH}${path}`, account, method, options),
    async stop() {
      await app.close();
      await tracer.stop();
      await redis.del(`${prefix}drivers:map`, `${prefix}driver-channel`).catch(() => {}); // the rest expires by itself
      redis.disconnect();
      await jobs.stop();
      await engines.close();
      await database.drop();
      await rm(files, { recursive: true });
    },
  };
}
