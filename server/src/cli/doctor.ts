import type { Command } from 'commander';
import type { SmsSender } from '../adapters/sms/sms-sender.ts';
import { type Config, readConfig } from '../config.ts';
import { CommandFailure } from './failure.ts';
import { type OutputOptions, printTable } from './output.ts';

interface Finding {
  check: string;
  status: 'ok' | 'failed';
  detail: string;
}

const TOLERATED_SKEW_MS = 1_000; // expiry dates and slots are compared with this process's clock

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check that every engine can be reached, is migrated, and agrees on the time')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExits with 1 when a check fails.\n\nExample:\n  navette doctor && navette serve')
    .action(async (options: OutputOptions) => {
      const findings = await examine(readConfig());
      printTable([...findings], ['check', 'status', 'detail'], options, '');
      const failed = findings.filter((finding) => finding.status === 'failed').map((finding) => finding.check);
      if (failed.length > 0) throw new CommandFailure(`failed: ${failed.join(', ')}`);
    });
}

async function examine(config: Config): Promise<(Finding & Record<string, unknown>)[]> {
  return Promise.all([
    finding('postgresql', () => examinePostgres(config)),
    finding('migrations', () => examineMigrations(config)),
    finding('job engine', async () => {
      const { jobsInstalled } = await import('../jobs/boss.ts');
      if (!(await jobsInstalled(config.databaseUrl)))
        throw new Error('not installed in this version: run `navette migrate`');
      return 'installed';
    }),
    finding('redis', () => examineRedis(config)),
    finding('geocoder', () => examineGeocoder(config)),
    finding('sms', async () => {
      const { createSmsSender } = await import('../adapters/sms/create-sms-sender.ts');
      return examineProvider(createSmsSender(config), 'SMS_URL');
    }),
    finding('mail', async () => {
      const { createMailSender } = await import('../adapters/mail/create-mail-sender.ts');
      return examineProvider(createMailSender(config), 'MAIL_URL');
    }),
  ]);
}

async function finding(check: string, examine: () => Promise<string>): Promise<Finding & Record<string, unknown>> {
  try {
    return { check, status: 'ok', detail: await examine() };
  } catch (error) {
    return { check, status: 'failed', detail: explain(error) };
  }
}

function explain(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}

function clockDetail(theirs: number): string {
  const skew = Math.round(theirs - Date.now());
  if (Math.abs(skew) > TOLERATED_SKEW_MS) throw new Error(`its clock differs from this machine's by ${skew} ms`);
  return `clock within ${Math.max(1, Math.abs(skew))} ms`;
}

async function examinePostgres({ databaseUrl }: Config): Promise<string> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select current_setting('server_version') as version, extract(epoch from clock_timestamp()) * 1000 as now`,
    );
    return `version ${rows[0].version}, ${clockDetail(Number(rows[0].now))}`;
  } finally {
    await client.end();
  }
}

async function examineMigrations({ databaseUrl }: Config): Promise<string> {
  const { pendingMigrations } = await import('../database/migrate.ts');
  const pending = await pendingMigrations(databaseUrl);
  if (pending.length > 0) throw new Error(`run \`navette migrate\`: ${pending.join(', ')} still to run`);
  return 'up to date';
}

async function examineRedis({ redisUrl }: Config): Promise<string> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    enableReadyCheck: false, // it has no time limit, and a Redis that hangs is one to find
  });
  let cause: Error | undefined; // connect() itself only says that the connection is closed
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.connect().catch((error: Error) => {
      throw cause ?? error;
    });
    const [seconds, micros] = await redis.time();
    return clockDetail(Number(seconds) * 1000 + Number(micros) / 1000);
  } finally {
    redis.disconnect();
  }
}

async function examineGeocoder({ geocoderUrl }: Config): Promise<string> {
  if (!geocoderUrl) return 'offline, to the town: set GEOCODER_URL for exact addresses';
  const answer = await fetch(`${geocoderUrl}/search?q=Paris&postcode=75001&limit=1`, {
    signal: AbortSignal.timeout(3_000),
  });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return 'answers';
}

async function examineProvider(
  sender: Pick<SmsSender, 'provider' | 'check' | 'close'>,
  setting: string,
): Promise<string> {
  if (sender.provider === 'development') return `kept in the database: set ${setting} to send`;
  try {
    await sender.check();
    return `${sender.provider} answers`;
  } finally {
    await sender.close();
  }
}
