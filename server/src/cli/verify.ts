import type { Command } from 'commander';
import { CommandFailure } from './failure.ts';
import { readInstant } from './input.ts';
import { type OutputOptions, printTable } from './output.ts';
import { withEngines } from './with-engines.ts';

interface VerifyOptions extends OutputOptions {
  since: string;
  log: string[];
}

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('after a restore or failover: compare what was acknowledged to callers with what exists')
    .requiredOption('--since <time>', 'look at acknowledgements since then, such as 2030-01-31T12:00:00Z')
    .option(
      '--log <files...>',
      'logs of api processes, which name every shipment that was acknowledged; - for stdin',
      [],
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
\`navette audit\` proves that the database is consistent; this proves that nothing is missing. It reads the
database, the request log in Redis, the label store, and the logs that are named. Give the logs: Redis remembers
the latest thousand requests of an account only. Exits with 1 when something is missing.

Example:
  navette verify --since 2030-01-31T12:00:00Z --log /var/log/navette/api.log`,
    )
    .action(({ since, log: logs, ...output }: VerifyOptions) =>
      withEngines(async ({ pools, config, log }) => {
        const from = readInstant(since);
        const { verifyAcknowledged } = await import('../audit/verify-acknowledged.ts');
        const { createDatabase } = await import('../database/database.ts');
        const { createRedis } = await import('../redis/create-redis.ts');
        const { openLabelStore, openProofStore } = await import('../adapters/files/open-file-store.ts');
        const { createRedisRequestLog } = await import('../features/requests/index.ts');
        const redis = createRedis(config, log);
        try {
          await new Promise((resolve, reject) => redis.once('ready', resolve).once('error', reject));
          const requestLog = createRedisRequestLog(redis, config.redisPrefix);
          const stores = { store: openLabelStore(config), proofStore: openProofStore(config) };
          const context = { requestLog, ...stores, logs };
          const results = await verifyAcknowledged({ ...context, db: createDatabase(pools.long) }, from);
          printTable(
            results.map((result) => ({ ...result })),
            ['missing', 'checked', 'source', 'examples'],
            output,
            '',
          );
          const missing = results.filter((result) => result.missing > 0);
          if (missing.length > 0)
            throw new CommandFailure(`missing: ${missing.map(({ source }) => source).join('; ')}`);
        } finally {
          redis.disconnect();
        }
      }),
    );
}
