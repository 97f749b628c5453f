import { Argument, type Command } from 'commander';
import { buildApp } from '../app.ts';
import { createRedis } from '../http/redis.ts';
import { openEngines } from './engines.ts';

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
  const engines = openEngines();
  const { log, db } = engines;
  const stops: Stop[] = [];
  if (roles.includes('worker')) stops.push(await startWorkerRole(engines));
  if (roles.includes('api')) stops.push(await startApiRole(engines));
  log.info({ roles }, 'serving');

  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log.info({ signal }, 'stopping: what is under way is finished first');
  await Promise.all(stops.map((stop) => stop()));
  await db.destroy();
  log.info('stopped');
}

async function startApiRole(engines: ReturnType<typeof openEngines>): Promise<Stop> {
  const { config, log } = engines;
  const redis = createRedis(config.redisUrl, log);
  const app = await buildApp({ ...engines, redis, now: () => new Date() });
  const address = await app.listen({ host: config.host, port: config.port });
  log.info({ address, reference: `${address}/docs` }, 'listening');
  return async () => {
    await app.close();
    redis.disconnect();
  };
}

async function startWorkerRole({ config, db, log }: ReturnType<typeof openEngines>): Promise<Stop> {
  const { startWorker } = await import('../worker.ts'); // handlers are loaded by this role only
  const worker = await startWorker(config, db, log);
  return () => worker.stop();
}
