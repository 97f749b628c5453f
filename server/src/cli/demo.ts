import type { Command } from 'commander';
import { CommandFailure } from './failure.ts';
import { type OutputOptions, printRecord } from './output.ts';
import { withEngines, withJobs } from './with-engines.ts';

interface SeedOptions extends OutputOptions {
  webhooksTo?: string;
}

export function addDemoCommands(program: Command): void {
  const demo = program
    .command('demo')
    .description('create example data for development')
    .addHelpText('after', '\nExample:\n  navette demo seed');

  demo
    .command('seed')
    .description('fill an empty database with two merchants, drivers and a month of shipments; print the sign-ins')
    .option('--webhooks-to <url>', 'subscribe the first merchant to <url>/ok and <url>/failing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Refused where PUBLIC_URL is https, and for a database with other accounts. In a database that it has filled before, it
adds no shipments: it prints the sign-ins with new keys and tokens. \`npm run dev\` runs it.

Example:
  DATABASE_URL=postgres://127.0.0.1:5432/navette_demo navette demo seed`,
    )
    .action(({ webhooksTo, ...output }: SeedOptions) =>
      withEngines(async (engines) => {
        const { createRedis } = await import('../redis/create-redis.ts');
        const { createRegistry } = await import('../observability/metrics-registry.ts');
        const { watchHealth } = await import('../observability/health.ts');
        const { createTracer } = await import('../observability/tracer.ts');
        const { createLog } = await import('../observability/create-log.ts');
        const { createRedisState } = await import('../shared-state.ts');
        const { DemoRefused, seedDemo } = await import('../demo/seed-demo.ts');
        const log = createLog('error', process.stderr);
        const redis = createRedis(engines.config, log);
        const state = createRedisState(redis, engines.config, log);
        const registry = createRegistry();
        const tracer = createTracer(engines.config, registry, log);
        const readHealth = watchHealth({ pool: engines.pools.main, state, isStopping: () => false });
        try {
          const world = await withJobs({ ...engines, log }, (jobs) =>
            seedDemo({
              ...engines,
              log,
              state,
              readHealth,
              jobs,
              registry,
              tracer,
              ...(webhooksTo && { webhooksTo }),
            }),
          ).catch((error: unknown) => {
            throw error instanceof DemoRefused ? new CommandFailure(error.message) : error;
          });
          if (output.json) printRecord({ ...world }, output);
          else printWorld(world);
        } finally {
          await tracer.stop();
          redis.disconnect();
        }
      }),
    );
}

type World = Awaited<ReturnType<typeof import('../demo/seed-demo.ts')['seedDemo']>>;

function printWorld({ isNew, shipments, password, accounts, drivers }: World): void {
  console.log(`${isNew ? 'Created the demo' : 'The demo exists already'}: ${shipments} shipments.`);
  console.log(`\nPassword of everybody: ${password}`);
  for (const { name, members, clientId, key } of accounts) {
    console.log(`\n${name}: ${members.join(', ')}\n  client id ${clientId}\n  key       ${key}`);
  }
  console.log(`\nDrivers: ${drivers.map(({ email }) => email).join(', ')}`);
}
