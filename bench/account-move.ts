import pg from 'pg';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { migrateDatabase } from '../server/src/database/migrate.ts';
import { type MoveProgress, moveAccount } from '../server/src/features/account-move/index.ts';
import { installJobs } from '../server/src/jobs/boss.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createMerchant } from '../server/test/create-merchant.ts';
import { fillDelivered } from '../server/test/fill-delivered.ts';
import { NO_DIRECTORY } from '../server/test/no-directory.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../server/test/private-postgres.ts';

const SERVER = { wal_level: 'logical', shared_buffers: '256MB', max_wal_size: '4GB' };

/**
 * Moves an account with as many rows per shipment as a delivered one leaves: four events, two messages, five search keys,
 * three offers, four deliveries with an attempt each. Between two PostgreSQL servers of this machine, which write to the disk.
 * Returns how long the account was frozen.
 */
export async function benchAccountMove(shipments: number): Promise<number> {
  const servers = [await startPrivatePostgres(SERVER), await startPrivatePostgres(SERVER)] as const;
  try {
    const [source, target] = servers;
    for (const { url } of servers) {
      await migrateDatabase(url);
      await installJobs(url);
    }
    const config = readConfig({ ...process.env, DATABASE_URL: source.url });
    const engines = openEngines(config, createLog('warn'));
    const { id: accountId } = await createMerchant(engines, { paymentMode: 'deferred' });
    await engines.close();
    await fill(source, accountId, shipments);
    const report = createTimes();
    const cell = ({ url }: PrivatePostgres, name: string) => ({ name, url });
    const { rows, frozenSeconds } = await moveAccount({
      accountId,
      source: cell(source, 'source'),
      target: cell(target, 'target'),
      directory: NO_DIRECTORY,
      wait: false,
      drainSeconds: 60,
      onProgress: (progress) => report.note(progress),
    });
    console.log(`\nAccount move: ${shipments.toLocaleString('en')} shipments, ${rows.toLocaleString('en')} rows`);
    for (const [step, seconds] of report.times()) console.log(`${step.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s`);
    console.log(`frozen     ${frozenSeconds.toFixed(1).padStart(6)} s`);
    return frozenSeconds;
  } finally {
    for (const server of servers) await server.remove();
  }
}

/** Seconds from the first report of a step to the first one of the next. */
function createTimes() {
  const starts = new Map<string, number>();
  return {
    note({ step }: MoveProgress) {
      if (!starts.has(step)) starts.set(step, performance.now());
    },
    times(): [string, number][] {
      const steps = [...starts];
      return steps.slice(0, -1).map(([step, at], i) => [step, ((steps[i + 1]?.[1] ?? at) - at) / 1_000]);
    },
  };
}

async function fill({ url }: PrivatePostgres, accountId: string, many: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await fillDelivered(client, accountId, many);
  } finally {
    await client.end();
  }
}
