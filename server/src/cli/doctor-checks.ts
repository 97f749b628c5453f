import type { Redis } from 'ioredis';
import type pg from 'pg';
import type { SmsSender } from '../adapters/sms/sms-sender.ts';
import type { Config } from '../config.ts';
import { ANSWER_LIMIT_MS, type Finding, find, Problem } from './doctor-finding.ts';

const TOLERATED_SKEW_MS = 1_000; // expiry dates and slots are compared with this process's clock

const STRIPE_URL = 'https://api.stripe.com';

/** Whether the engines and providers are there, migrated, and have the same time. Changes nothing. */
export function checkEngines(config: Config): Promise<Finding>[] {
  return [
    find('postgresql', 'see DATABASE_URL and docs/operators/incidents.md#database-away', () =>
      withPool(config, examinePostgres),
    ),
    find('migrations', 'run `navette migrate`', () => examineMigrations(config)),
    find('partitions', 'see docs/operators/incidents.md#partitions-missing', () => withPool(config, examinePartitions)),
    find('job engine', 'run `navette migrate`', () => examineJobEngine(config)),
    find('redis', 'see REDIS_URL and docs/operators/incidents.md#redis-away', () => withRedis(config, examineRedis)),
    find('geocoder', 'see GEOCODER_URL', () => examineGeocoder(config)),
    find('sms', 'see SMS_URL', async () => {
      const { createSmsSender } = await import('../adapters/sms/create-sms-sender.ts');
      return examineProvider(createSmsSender(config), 'SMS_URL');
    }),
    find('mail', 'see MAIL_URL and MAIL_TLS', async () => {
      const { createMailSender } = await import('../adapters/mail/create-mail-sender.ts');
      return examineProvider(createMailSender(config), 'MAIL_URL');
    }),
    find('invoices', 'see docs/operators/invoices.md', () => describeInvoices(config)),
    find('payments', 'see docs/operators/payments.md', async () => describePayments(config)),
    find('metrics', 'see OPERATOR_PORT', async () => describeMetrics(config)),
  ];
}

/** One connection with time limits: doctor must detect a server that hangs. */
export async function withPool<T>({ databaseUrl }: Config, use: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const { createPool } = await import('../database/database.ts');
  const pool = createPool({ databaseUrl, size: 1, timeLimitMs: 10_000 });
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

export async function withRedis<T>({ redisUrl }: Config, use: (redis: Redis) => Promise<T>): Promise<T> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: ANSWER_LIMIT_MS,
    commandTimeout: ANSWER_LIMIT_MS,
    enableReadyCheck: false, // it has no timeout, and doctor must detect a Redis that hangs
  });
  let cause: Error | undefined; // connect() itself only reports that the connection is closed
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.connect().catch((error: Error) => {
      throw cause ?? error;
    });
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** Their clock was read between the request and now; on a busy machine that is a while. */
function clockDetail(theirs: number, askedAt: number): string {
  const skew = Math.round(Math.min(0, theirs - askedAt) + Math.max(0, theirs - Date.now()));
  if (Math.abs(skew) > TOLERATED_SKEW_MS) throw new Error(`its clock differs from this machine's by ${skew} ms`);
  return `clock within ${Math.max(1, Math.abs(skew))} ms`;
}

async function examinePostgres(pool: pg.Pool): Promise<string> {
  const askedAt = Date.now();
  const { rows } = await pool.query(
    `select current_setting('server_version') as version, extract(epoch from clock_timestamp()) * 1000 as now`,
  );
  return `version ${rows[0].version}, ${clockDetail(Number(rows[0].now), askedAt)}`;
}

async function examineMigrations({ databaseUrl }: Config): Promise<string> {
  const { pendingMigrations } = await import('../database/migrate.ts');
  const pending = await pendingMigrations(databaseUrl);
  if (pending.length > 0) throw new Error(`run \`navette migrate\`: ${pending.join(', ')} still to run`);
  return 'up to date';
}

async function examinePartitions(pool: pg.Pool): Promise<string> {
  const { createDatabase } = await import('../database/database.ts');
  const { DAILY_TABLE_NAMES, daysAhead, FEWEST_DAYS_AHEAD } = await import('../database/partitions.ts');
  const days = await daysAhead(createDatabase(pool), new Date());
  const short = [...days].filter(([, ahead]) => ahead < FEWEST_DAYS_AHEAD).map(([table]) => table);
  if (short.length > 0)
    throw new Error(`missing for the next days: ${short.join(', ')}; a worker adds them every hour`);
  const whole = DAILY_TABLE_NAMES.filter((table) => !days.has(table));
  if (whole.length > 0) return `not yet partitioned by day: ${whole.join(', ')}; run \`navette partition\``;
  return `${Math.min(...days.values())} days ahead`;
}

async function examineJobEngine({ databaseUrl }: Config): Promise<string> {
  const { jobsInstalled } = await import('../jobs/boss.ts');
  if (!(await jobsInstalled(databaseUrl))) throw new Error('not installed in this version: run `navette migrate`');
  return 'installed';
}

async function examineRedis(redis: Redis): Promise<string> {
  const askedAt = Date.now();
  const [seconds, micros] = await redis.time();
  return clockDetail(Number(seconds) * 1000 + Number(micros) / 1000, askedAt);
}

async function examineGeocoder({ geocoderUrl }: Config): Promise<string> {
  if (!geocoderUrl) return 'offline, to the town: set GEOCODER_URL for exact addresses';
  const answer = await fetch(`${geocoderUrl}/search?q=Paris&postcode=75001&limit=1`, {
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return 'answers';
}

async function describeInvoices(config: Config): Promise<string> {
  const { isIssuer, isSwitchedOff, readIssuer } = await import('../features/invoices/index.ts');
  if (isSwitchedOff(config)) return 'not issued: set INVOICE_FIRST_MONTH and SELLER_… to issue them';
  const issuer = readIssuer(config);
  if (!isIssuer(issuer)) throw new Error(`not issued, missing: ${issuer.missing.join(', ')}`);
  return `issued from ${issuer.firstMonth} on`;
}

/** Without a request to Stripe: `--deep` makes one. The forms of key and secrets were checked when the settings were read. */
export function describePayments({ stripe: { secretKey, webhookSecrets, apiUrl }, publicUrl }: Config): string {
  if (secretKey === null) return 'not online: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRETS to offer card and debit';
  const mode = secretKey.includes('_live_') ? 'live' : 'test';
  const isPublic = publicUrl.startsWith('https://');
  if (mode === 'live' && !isPublic)
    throw new Problem(
      'failed',
      'a live key, and PUBLIC_URL is not https',
      'set PUBLIC_URL to the address of merchants',
    );
  if (mode === 'test' && isPublic)
    throw new Problem('warning', 'a test key: no money moves', 'set the live key before merchants pay');
  if (mode === 'live' && apiUrl !== STRIPE_URL)
    throw new Problem('failed', 'a live key for another address than Stripe’s', `set STRIPE_API_URL=${STRIPE_URL}`);
  const kind = secretKey.startsWith('rk_') ? 'restricted key' : 'secret key';
  const secrets = webhookSecrets.length > 1 ? `${webhookSecrets.length} endpoint secrets` : 'endpoint secret set';
  return `Stripe, ${mode} mode, ${kind}, ${secrets}`;
}

function describeMetrics({ operator: { host, port } }: Config): string {
  return port === null ? 'shown nowhere: set OPERATOR_PORT' : `http://${host}:${port}/metrics, of each process`;
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
