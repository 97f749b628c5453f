import { setTimeout } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import type { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { ReadHealth } from '../observability/health.ts';
import type { Tracer } from '../observability/tracer.ts';
import type { Engines } from './engines.ts';
import { CommandFailure } from './failure.ts';

/** Longer than jobs are given to finish, and shorter than the 30 s after which a supervisor usually sends SIGKILL. */
const STOP_LIMIT_MS = 25_000;

type Role = 'api' | 'worker';
type Stop = () => Promise<unknown>;

/** Shared by both roles of a process. */
interface Shared extends Engines {
  redis: Redis;
  registry: Registry;
  tracer: Tracer;
  readHealth: ReadHealth;
}

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service: the HTTP API, the job worker, or both')
    .addArgument(new Argument('[role]', 'role of this process; both by default').choices(['api', 'worker']))
    .addHelpText(
      'after',
      `
Stops on SIGTERM or SIGINT, after running requests and jobs have finished.

Examples:
  navette serve                    both roles in one process, for development
  PORT=8080 navette serve api      one of many API processes
  navette serve worker             one of many workers`,
    )
    .action((role: Role | undefined) => serve(role ? [role] : ['api', 'worker']));
}

async function serve(roles: Role[]): Promise<void> {
  const { openEngines } = await import('./engines.ts');
  const engines = openEngines();
  const { log, config } = engines;
  await refuseUnmigrated(config);
  const state = { stopping: false };
  const shared = await prepare(engines, () => state.stopping);
  const stopListening = await startOperatorListener(shared);
  const stops: Stop[] = [];
  if (roles.includes('worker')) stops.push(await startWorkerRole(shared));
  if (roles.includes('api')) stops.push(await startApiRole(shared));
  log.info({ roles }, 'serving');

  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log.info({ signal }, 'stopping: running requests and jobs finish first');
  state.stopping = true;
  await setTimeout(config.drainSeconds * 1000);
  const stopAll = async () => {
    await Promise.all(stops.map((stop) => stop()));
    await shared.tracer.stop();
    await stopListening(); // last: the operator can follow the shutdown
    shared.redis.disconnect();
    await engines.close();
    return true;
  };
  const isComplete = await Promise.race([stopAll(), setTimeout(STOP_LIMIT_MS, false)]);
  log.info({ isComplete }, 'stopped');
  process.exit(); // connections to a database server that has vanished would keep the process alive
}

/** Fails at start-up instead of with every request. */
async function refuseUnmigrated({ databaseUrl }: Config): Promise<void> {
  const { pendingMigrations } = await import('../database/migrate.ts');
  const { jobsInstalled } = await import('../jobs/boss.ts');
  const [pending, jobs] = await Promise.all([pendingMigrations(databaseUrl), jobsInstalled(databaseUrl)]);
  if (pending.length > 0 || !jobs)
    throw new CommandFailure('the database is not up to date: run `navette migrate` first');
}

async function prepare(engines: Engines, isStopping: () => boolean): Promise<Shared> {
  const { createRedis } = await import('../redis/create-redis.ts');
  const { createRegistry } = await import('../observability/metrics-registry.ts');
  const { measureDatabase } = await import('../observability/database-metrics.ts');
  const { createTracer } = await import('../observability/tracer.ts');
  const { watchHealth } = await import('../observability/health.ts');
  const redis = createRedis(engines.config.redisUrl, engines.log);
  const readHealth = watchHealth({ pool: engines.pools.main, redis, isStopping });
  const registry = createRegistry();
  measureDatabase(registry, { ...engines.pools });
  const tracer = createTracer(engines.config, registry, engines.log);
  return { ...engines, redis, registry, tracer, readHealth };
}

async function startOperatorListener({ config, registry, readHealth, log }: Shared): Promise<Stop> {
  const { host, port } = config.operator;
  if (port === null) return async () => {};
  const { listenForOperator } = await import('../observability/operator-listener.ts');
  const listener = await listenForOperator({ host, port, registry, readHealth, log });
  return () => listener.close();
}

async function startApiRole(shared: Shared): Promise<Stop> {
  const { buildApp } = await import('../app.ts');
  const { createJobSender } = await import('../jobs/boss.ts');
  const { config, log } = shared;
  const jobs = await createJobSender(config, log);
  const app = await buildApp({ ...shared, jobs, now: () => new Date() });
  const address = await app.listen({ host: config.host, port: config.port });
  log.info({ address, reference: `${address}/docs` }, 'listening');
  return async () => {
    await app.close();
    await jobs.stop();
  };
}

async function startWorkerRole(shared: Shared): Promise<Stop> {
  const { startWorker } = await import('../worker.ts'); // handlers are loaded by this role only
  const worker = await startWorker(shared);
  return () => worker.stop();
}
