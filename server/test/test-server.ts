import { Writable } from 'node:stream';
import { BASE_PATH, type Scope } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../src/app.ts';
import { type Engines, openEngines } from '../src/cli/engines.ts';
import { type Config, readConfig } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import { type AccountInput, createAccount } from '../src/features/accounts/index.ts';
import { createKey } from '../src/features/api-keys/index.ts';
import { createLog } from '../src/http/log.ts';
import { createRedis } from '../src/http/redis.ts';
import { createJobSender } from '../src/jobs/boss.ts';
import { type Answer, type CallOptions, callApi } from './call-api.ts';
import { createTestDatabase } from './test-database.ts';

export interface TestAccount {
  id: string;
  clientId: string;
  key: string;
}

export interface TestServer {
  url: string;
  app: FastifyInstance;
  db: Database;
  pools: Engines['pools'];
  config: Config;
  /** Environment for a child process that shares this server's engines. */
  environment: Record<string, string>;
  /** Everything logged so far, as text: for assertions on what must not be in it. */
  logged(): string;
  setNow(now: Date | null): void;
  createAccount(settings?: Partial<AccountInput>, scopes?: Scope[]): Promise<TestAccount>;
  call(account: Partial<TestAccount>, method: string, path: string, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

/** The api role in this process on a port of its own, with real PostgreSQL and Redis. */
export async function startTestServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const prefix = `${new URL(database.url).pathname.slice(1)}:`;
  const environment = { DATABASE_URL: database.url, REDIS_PREFIX: prefix, PORT: '0', LOG_LEVEL: 'debug', ...settings };
  const config = readConfig({ ...process.env, ...environment });
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const engines = openEngines(config, createLog(config.logLevel, sink));
  const redis = createRedis(config.redisUrl, engines.log);
  let fixedNow: Date | null = null;
  const jobs = await createJobSender(config.databaseUrl, engines.log);
  const app = await buildApp({ ...engines, redis, jobs, now: () => fixedNow ?? new Date() });
  const url = await app.listen({ host: '127.0.0.1', port: config.port });

  return {
    url,
    app,
    db: database.db,
    pools: engines.pools,
    config,
    environment,
    logged: () => lines.join(''),
    setNow(now) {
      fixedNow = now;
    },
    async createAccount(given = {}, scopes = ['read', 'write', 'delete']) {
      const account = await createAccount(database.db, { ...merchant, ...given }, engines.locator);
      const created = await createKey(database.db, account.id, { name: 'test', scopes, expiresAt: null });
      if (created.outcome !== 'created') throw new Error(created.outcome);
      return { ...account, key: created.key };
    },
    call: (account, method, path, options = {}) => callApi(`${url}${BASE_PATH}${path}`, account, method, options),
    async stop() {
      await app.close();
      redis.disconnect();
      await jobs.stop();
      await engines.close();
      await database.drop();
    },
  };
}

/** A merchant who may do everything, and often. */
const merchant: AccountInput = {
  name: 'Atelier Zoé',
  email: 'zoe@example.org',
  clientType: 'shop',
  contractVersion: '2026-01',
  contractSigned: true,
  minimumPrice: 8.5,
  pickupAddress: {
    street: '1 rue de Rivoli',
    city: 'Paris',
    postalCode: '75001',
    coordinates: { latitude: 48.8556, longitude: 2.3601 },
  },
  timeSlots: [{ label: 'Matin (9h-12h)' }, { label: '14h-16h' }],
  rateLimits: { minute: 1_000_000, hour: 1_000_000, day: 1_000_000 },
};
