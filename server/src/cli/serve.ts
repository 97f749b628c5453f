import { setTimeout } from 'node:timers/promises';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { JOBS } from '../jobs/definitions.ts';
import type { Role } from './start-roles.ts';

/** Longer than jobs are given to finish, and shorter than the 30 s after which a supervisor usually sends SIGKILL. */
const STOP_LIMIT_MS = 25_000;

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service: the HTTP API, the job worker, or both')
    .addArgument(new Argument('[role]', 'role of this process; both by default').choices(['api', 'worker']))
    .addOption(new Option('--queues <names>', 'the worker serves these queues only').argParser(readQueues))
    .addOption(
      new Option('--except-queues <names>', 'the worker serves all queues but these')
        .argParser(readQueues)
        .conflicts('queues'),
    )
    .addHelpText(
      'after',
      `
Queues of jobs: ${QUEUES.join(', ')}.
Every queue needs at least one worker that serves it.

Stops on SIGTERM or SIGINT, after running requests and jobs have finished.

Examples:
  navette serve                    both roles in one process, for development
  PORT=8080 navette serve api      one of many API processes
  navette serve worker             one of many workers
  navette serve worker --queues deliver-webhooks
                                   a worker that only calls merchants' endpoints`,
    )
    .action((role: Role | undefined, options: QueueOptions, command: Command) => {
      if (role === 'api' && (options.queues || options.exceptQueues)) command.error('error: the api serves no queue');
      return serve(role ? [role] : ['api', 'worker'], options);
    });
}

const QUEUES = JOBS.map(({ name }) => name);

interface QueueOptions {
  queues?: string[];
  exceptQueues?: string[];
}

function readQueues(value: string): string[] {
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !QUEUES.includes(name));
  if (unknown.length > 0) throw new InvalidArgumentError(`no queue is named ${unknown.join(' or ')}.`);
  return names;
}

async function serve(roles: Role[], { queues, exceptQueues }: QueueOptions): Promise<void> {
  const { openEngines } = await import('./engines.ts');
  const { createRedis } = await import('../redis/create-redis.ts');
  const { createRedisState } = await import('../shared-state.ts');
  const { startRoles } = await import('./start-roles.ts');
  const engines = openEngines();
  const { log, config } = engines;
  const stopping = { requested: false };
  const redis = createRedis(config, log);
  const state = createRedisState(redis, config, log);
  const servesQueue = (name: string) => (queues ? queues.includes(name) : !exceptQueues?.includes(name));
  const stop = await startRoles(engines, { roles, state, servesQueue, isStopping: () => stopping.requested });
  log.info({ roles, queues, exceptQueues }, 'serving');

  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log.info({ signal }, 'stopping: running requests and jobs finish first');
  stopping.requested = true;
  await setTimeout(config.drainSeconds * 1000);
  const stopAll = async () => {
    await stop();
    redis.disconnect();
    await engines.close();
    return true;
  };
  const isComplete = await Promise.race([stopAll(), setTimeout(STOP_LIMIT_MS, false)]);
  log.info({ isComplete }, 'stopped');
  process.exit(); // connections to a database server that has vanished would keep the process alive
}
