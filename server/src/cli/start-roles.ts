import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { ReadHealth } from '../observability/health.ts';
import type { Tracer } from '../observability/tracer.ts';
import type { SharedState } from '../shared-state.ts';
import type { Engines } from './engines.ts';
import { CommandFailure } from './failure.ts';

export type Role = 'api' | 'worker';
type Stop = () => Promise<unknown>;

/** Shared by both roles of a process. */
interface Shared extends Engines {
  state: SharedState;
  registry: Registry;
  tracer: Tracer;
  readHealth: ReadHealth;
}

interface Options {
  roles: Role[];
  state: SharedState;
  isStopping: () => boolean;
  /** The queues that the worker role serves; all by default. */
  servesQueue?: (name: string) => boolean;
  /** Adds routes to the api role before it listens. */
  extend?: (app: FastifyInstance) => void;
}

/** Starts roles in this process and returns the function that stops them. The caller closes engines and state. */
export async function startRoles(engines: Engines, options: Options): Promise<Stop> {
  await refuseUnmigrated(engines.config);
  const shared = await prepare(engines, options);
  const stopListening = await startOperatorListener(shared);
  const stops: Stop[] = [];
  if (options.roles.includes('worker')) stops.push(await startWorkerRole(shared, options.servesQueue));
  if (options.roles.includes('api')) stops.push(await startApiRole(shared, options.extend));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await shared.tracer.stop();
    await stopListening(); // last: the operator can follow the shutdown
  };
}

/** Fails at start-up instead of with every request. */
async function refuseUnmigrated({ databaseUrl }: Config): Promise<void> {
  const { pendingMigrations } = await import('../database/migrate.ts');
  const { jobsInstalled } = await import('../jobs/boss.ts');
  const [pending, jobs] = await Promise.all([pendingMigrations(databaseUrl), jobsInstalled(databaseUrl)]);
  if (pending.length > 0 || !jobs)
    throw new CommandFailure('the database is not up to date: run `navette migrate` first');
}

async function prepare(engines: Engines, { state, isStopping }: Options): Promise<Shared> {
  const { createRegistry } = await import('../observability/metrics-registry.ts');
  const { measureDatabase } = await import('../observability/database-metrics.ts');
  const { createTracer } = await import('../observability/tracer.ts');
  const { watchHealth } = await import('../observability/health.ts');
  const readHealth = watchHealth({ pool: engines.pools.main, state, isStopping });
  const registry = createRegistry();
  measureDatabase(registry, { ...engines.pools });
  const tracer = createTracer(engines.config, registry, engines.log);
  return { ...engines, state, registry, tracer, readHealth };
}

async function startOperatorListener({ config, registry, readHealth, log }: Shared): Promise<Stop> {
  const { host, port } = config.operator;
  if (port === null) return async () => {};
  const { listenForOperator } = await import('../observability/operator-listener.ts');
  const listener = await listenForOperator({ host, port, registry, readHealth, log });
  return () => listener.close();
}

async function startApiRole(shared: Shared, extend: Options['extend']): Promise<Stop> {
  const { buildApp } = await import('../app.ts');
  const { createJobSender } = await import('../jobs/boss.ts');
  const { config, log } = shared;
  const jobs = await createJobSender(config, log);
  const app = await buildApp({ ...shared, jobs, now: () => new Date() });
  extend?.(app);
  const address = await app.listen({ host: config.host, port: config.port });
  log.info({ address, reference: `${address}/docs` }, 'listening');
  return async () => {
    await app.close();
    await jobs.stop();
  };
}

async function startWorkerRole(shared: Shared, servesQueue?: (name: string) => boolean): Promise<Stop> {
  const { startWorker } = await import('../worker.ts'); // handlers are loaded by this role only
  const worker = await startWorker({ ...shared, ...(servesQueue ? { servesQueue } : {}) });
  return () => worker.stop();
}
