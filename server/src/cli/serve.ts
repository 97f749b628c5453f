import { setTimeout } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import type { Config } from '../config.ts';
import type { Engines } from './engines.ts';
import { CommandFailure } from './failure.ts';

type Role = 'api' | 'worker';
type Stop = () => Promise<unknown>;

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service: the HTTP API, the job worker, or both')
    .addArgument(new Argument('[role]', 'what this process does; both when none is named').choices(['api', 'worker']))
    .addHelpText(
      'after',
      `
Stops on SIGTERM or SIGINT: requests and jobs under way are finished first.

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
  const stops: Stop[] = [];
  if (roles.includes('worker')) stops.push(await startWorkerRole(engines));
  if (roles.includes('api')) stops.push(await startApiRole(engines, () => state.stopping));
  log.info({ roles }, 'serving');

  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log.info({ signal }, 'stopping: what is under way is finished first');
  state.stopping = true;
  await setTimeout(config.drainSeconds * 1000);
  await Promise.all(stops.map((stop) => stop()));
  await engines.close();
  log.info('stopped');
}

/** A process that started on the wrong tables would fail request by request; it says so once instead. */
async function refuseUnmigrated({ databaseUrl }: Config): Promise<void> {
  const { pendingMigrations } = await import('../database/migrate.ts');
  const { jobsInstalled } = await import('../jobs/boss.ts');
  const [pending, jobs] = await Promise.all([pendingMigrations(databaseUrl), jobsInstalled(databaseUrl)]);
  if (pending.length > 0 || !jobs)
    throw new CommandFailure('the database is not up to date: run `navette migrate` first');
}

async function startApiRole(engines: Engines, isStopping: () => boolean): Promise<Stop> {
  const { buildApp } = await import('../app.ts');
  const { createRedis } = await import('../http/redis.ts');
  const { createJobSender } = await import('../jobs/boss.ts');
  const { config, log } = engines;
  const redis = createRedis(config.redisUrl, log);
  const jobs = await createJobSender(config.databaseUrl, log);
  const app = await buildApp({ ...engines, redis, jobs, now: () => new Date(), isStopping });
  const address = await app.listen({ host: config.host, port: config.port });
  log.info({ address, reference: `${address}/docs` }, 'listening');
  return async () => {
    await app.close();
    redis.disconnect();
    await jobs.stop();
  };
}

async function startWorkerRole(engines: Engines): Promise<Stop> {
  const { startWorker } = await import('../worker.ts'); // handlers are loaded by this role only
  const worker = await startWorker(engines);
  return () => worker.stop();
}
