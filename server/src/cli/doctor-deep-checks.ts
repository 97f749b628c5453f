import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import type { FileStore } from '../adapters/files/file-store.ts';
import type * as OpenFileStore from '../adapters/files/open-file-store.ts';
import { type Config, secretsWithDefault } from '../config.ts';
import { withPool, withRedis } from './doctor-checks.ts';
import { ANSWER_LIMIT_MS, type Finding, find, Problem } from './doctor-finding.ts';

const INCIDENTS = 'docs/operators/incidents.md';
const QUEUE_LATE_SECONDS = 60; // as the alert NavetteQueueBacksUp
const AUDIT_OVERDUE_HOURS = 48; // as the alert NavetteAuditOverdue
const ARCHIVE_LATE_SECONDS = 300; // five times the archive_timeout of docs/operators/backup.md
const CERTIFICATE_WARNING_DAYS = 14; // proxies renew theirs at 30
const MOST_UNREPORTED = 1_000; // as many as the job reports in a minute
const PROBE = 'navette doctor';

/** Checks that write probes or look at the state of the installation. */
export function checkDeeply(config: Config): Promise<Finding>[] {
  const inDatabase = (check: string, advice: string, examine: (pool: pg.Pool) => Promise<string>) =>
    find(check, advice, () => withPool(config, examine));
  return [
    inDatabase('database writes', `see the log of PostgreSQL and ${INCIDENTS}#disk-full`, writeProbe),
    inDatabase('durability', 'see postgresql.conf', examineDurability),
    inDatabase('replication', `see ${INCIDENTS}#no-synchronous-standby`, examineReplication),
    inDatabase('backup', 'see docs/operators/backup.md', examineArchive),
    inDatabase('queues', `see ${INCIDENTS}#queue-backs-up`, examineQueues),
    inDatabase('audit', 'run `navette audit`', examineAudit),
    find('redis writes', 'see the memory limit and the log of Redis', () =>
      withRedis(config, (redis) => probeRedis(redis, config.redisPrefix)),
    ),
    find('label store', 'see LABEL_STORE: the service must be able to write there', () =>
      probeStore((open) => open.openLabelStore(config)),
    ),
    find('proof store', 'see PROOF_STORE: the service must be able to write there', () =>
      probeStore((open) => open.openProofStore(config)),
    ),
    find('secrets', 'see docs/operators/secrets.md', async () => examineSecretSettings()),
    find('sealed secrets', 'run `navette secrets re-encrypt`', () => examineSealedSecrets(config)),
    find('certificate', 'see the proxy in front of the service', () => examineCertificate(config)),
    find('stripe', 'see STRIPE_SECRET_KEY, and whether this machine reaches api.stripe.com', () =>
      examineStripe(config),
    ),
    find('directory', 'see docs/operators/cells.md', () => examineDirectory(config)),
    find('traces', 'see OTLP_URL', () => examineCollector(config)),
  ];
}

/** Whether the directory knows this cell, and who signs in to it. */
async function examineDirectory(config: Config): Promise<string> {
  const { cell, directoryUrl } = config;
  if (cell === null || directoryUrl === null) return 'none: this is the only cell';
  const { openDirectory } = await import('../cells/directory.ts');
  const directory = openDirectory(directoryUrl, ANSWER_LIMIT_MS);
  const cells = await directory.listCells().finally(() => void directory.close());
  if (!cells.some(({ tag }) => tag === cell))
    throw new Problem('failed', `the directory does not have the cell ${cell}`, 'run `navette cell add` here');
  const { rows } = await withPool(config, (pool) =>
    pool.query<{ waiting: number }>('select count(*)::int as waiting from sign_in_changes'),
  );
  const waiting = rows[0]?.waiting ?? 0;
  if (waiting > MOST_UNREPORTED)
    throw new Problem(
      'warning',
      `${waiting} changes of sign-in addresses are not reported to the directory`,
      'see the log of the worker for publish-sign-in-changes',
    );
  return `${cells.length} cells, ${waiting} changes of sign-in addresses to report`;
}

/** One request that changes nothing: whether Stripe accepts the key. */
async function examineStripe({ stripe: { secretKey, apiUrl } }: Config): Promise<string> {
  if (secretKey === null) return 'payments online are off';
  const { createStripeClient } = await import('../adapters/stripe/stripe-client.ts');
  await createStripeClient({ secretKey, apiUrl, timeoutMs: ANSWER_LIMIT_MS }).check();
  return 'accepts the key';
}

/** Writes a row and reads it back in a transaction that is rolled back. */
async function writeProbe(pool: pg.Pool): Promise<string> {
  const started = performance.now();
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    if (rows[0]?.standby)
      throw new Problem('failed', 'this is a standby, which is read-only', 'let DATABASE_URL lead to the primary');
    await client.query('begin');
    await client.query(
      'insert into audit_runs (finished_at, seconds, broken_rows, broken_invariants) values (clock_timestamp(), 0, 0, $1)',
      [[PROBE]],
    );
    const { rowCount } = await client.query('select from audit_runs where broken_invariants = $1', [[PROBE]]);
    if (rowCount !== 1) throw new Error(`wrote one row and read ${rowCount}`);
  } finally {
    await client.query('rollback');
    client.release();
  }
  return `wrote, read and rolled back in ${took(started)}`;
}

/** Each of these settings loses acknowledged shipments in a crash when it is off. */
async function examineDurability(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
  );
  const off = rows.map(({ name }) => name).join(', ');
  if (off)
    throw new Problem(
      'failed',
      `${off} is off: a crash loses acknowledged shipments`,
      `set ${off} = on in postgresql.conf`,
    );
  return 'a commit is on disk before it is acknowledged';
}

async function examineReplication(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ wanted: string; standbys: number; synchronous: number; lag: string }>(`
    select current_setting('synchronous_standby_names') as wanted, count(r.pid)::int as standbys,
           count(*) filter (where r.sync_state in ('sync', 'quorum'))::int as synchronous,
           pg_size_pretty(coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn)), 0)) as lag
    from (select) one left join pg_stat_replication r on r.state = 'streaming' or r.state is null`);
  const { wanted = '', standbys = 0, synchronous = 0, lag = '' } = rows[0] ?? {};
  if (wanted !== '' && synchronous === 0) {
    throw new Problem(
      'failed',
      'no synchronous standby is connected',
      `commits may wait: see ${INCIDENTS}#no-synchronous-standby`,
    );
  }
  if (standbys === 0) return 'no standby: a lost disk is recovered from the backup';
  return `${standbys} standbys, ${synchronous} of them synchronous, ${lag} behind`;
}

/** Known to PostgreSQL is the archive of its log; the age of full backups is in `pgbackrest info`. */
async function examineArchive(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ mode: string; age: number | null; failing: boolean; failedFile: string }>(`
    select current_setting('archive_mode') as mode, extract(epoch from now() - last_archived_time)::int as age,
           coalesce(last_failed_time > last_archived_time, last_failed_time is not null) as failing,
           last_failed_wal as "failedFile"
    from pg_stat_archiver`);
  const { mode, age = null, failing, failedFile } = rows[0] ?? {};
  const advice = 'see docs/operators/backup.md';
  if (mode === 'off')
    throw new Problem('warning', 'the log is not archived: a lost disk loses everything since the last dump', advice);
  if (failing)
    throw new Problem('failed', `archiving fails at ${failedFile}; the disk fills up until it works`, advice);
  if (age === null)
    throw new Problem('warning', 'nothing has been archived yet', `wait for archive_timeout, then ${advice}`);
  if (age > ARCHIVE_LATE_SECONDS)
    throw new Problem('warning', `the latest file was archived ${age} s ago`, `set archive_timeout: ${advice}`);
  return `the latest file was archived ${age} s ago; \`pgbackrest info\` shows the age of the backups`;
}

async function examineQueues(pool: pg.Pool): Promise<string> {
  const { createDatabase } = await import('../database/database.ts');
  const { readQueues } = await import('../jobs/job-metrics.ts');
  const queues = await readQueues(createDatabase(pool));
  const late = queues.filter(({ oldestSeconds }) => oldestSeconds > QUEUE_LATE_SECONDS);
  if (late.length > 0) {
    const list = late.map(({ name, oldestSeconds }) => `${name} (${Math.round(oldestSeconds)} s)`).join(', ');
    throw new Problem('failed', `jobs wait: ${list}`, `is a worker running? See ${INCIDENTS}#queue-backs-up`);
  }
  const ready = queues.reduce((sum, queue) => sum + queue.ready, 0);
  return `${queues.length} queues, ${ready} jobs ready, none waits for more than ${QUEUE_LATE_SECONDS} s`;
}

async function examineAudit(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ hours: number; broken: number; invariants: string[] }>(`
    select extract(epoch from now() - finished_at)::float8 / 3600 as hours, broken_rows::int as broken,
           broken_invariants as invariants
    from audit_runs order by finished_at desc limit 1`);
  const [latest] = rows;
  if (!latest)
    throw new Problem('warning', 'there was none yet', 'run `navette audit`; the worker does it every night');
  const { hours, broken, invariants } = latest;
  if (broken > 0)
    throw new Problem('failed', `${broken} rows violate: ${invariants.join('; ')}`, `see ${INCIDENTS}#audit-failed`);
  if (hours > AUDIT_OVERDUE_HOURS)
    throw new Problem(
      'warning',
      `the latest ended ${Math.round(hours)} hours ago`,
      'is a worker running? Run `navette audit`',
    );
  return `found nothing ${Math.round(hours)} hours ago`;
}

async function probeRedis(redis: Redis, prefix: string): Promise<string> {
  const started = performance.now();
  const [key, value] = [`${prefix}doctor:${randomUUID()}`, randomUUID()];
  await redis.set(key, value, 'EX', 60);
  const found = await redis.get(key);
  await redis.del(key);
  if (found !== value) throw new Error('a value that was written was not found again');
  return `wrote, read and deleted in ${took(started)}`;
}

async function probeStore(choose: (open: typeof OpenFileStore) => FileStore): Promise<string> {
  const store = choose(await import('../adapters/files/open-file-store.ts'));
  const started = performance.now();
  const [name, content] = [`doctor-${randomUUID()}.txt`, Buffer.from(randomUUID())];
  await store.write(name, content);
  let found: Buffer | null;
  try {
    found = await store.read(name);
  } finally {
    await store.delete(name);
  }
  if (!found?.equals(content)) throw new Error('a file that was written was not found again');
  return `wrote, read and deleted in ${took(started)}`;
}

function examineSecretSettings(): string {
  const names = secretsWithDefault();
  if (names.length > 0) {
    throw new Problem(
      'warning',
      `public defaults: ${names.join(', ')}`,
      'for development only; else `openssl rand -hex 32` for each',
    );
  }
  return 'none has its public default';
}

async function examineSealedSecrets(config: Config): Promise<string> {
  const { countAnyWebhookSecretKeys, createSecretKeeper } = await import('../features/webhooks/index.ts');
  const { createSecondFactorSealer } = await import('../identity/consume-code.ts');
  const { countAnySecondFactorKeys } = await import('../identity/reseal-second-factors.ts');
  const { createDatabase } = await import('../database/database.ts');
  return withPool(config, async (pool) => {
    const db = createDatabase(pool);
    const webhooks = { ...createSecretKeeper(config.webhookSecretKeys), counts: await countAnyWebhookSecretKeys(db) };
    const members = {
      ...createSecondFactorSealer(config.secondFactorKeys),
      counts: await countAnySecondFactorKeys(db),
    };
    const sum = (isCounted: (key: string, keys: readonly string[]) => boolean) =>
      [webhooks, members].reduce(
        (total, { keys, counts }) =>
          total + [...counts].reduce((n, [key, count]) => n + (isCounted(key, keys) ? count : 0), 0),
        0,
      );
    const lost = sum((key, keys) => !keys.includes(key));
    const old = sum((key, keys) => keys.includes(key) && key !== keys[0]);
    if (lost > 0) {
      const settings = 'WEBHOOK_SECRET_KEYS or SECOND_FACTOR_KEYS';
      throw new Problem('failed', `${lost} cannot be decrypted`, `add the old key to the end of ${settings}`);
    }
    if (old > 0) throw new Problem('warning', `${old} encrypted with an older key`, 'run `navette secrets re-encrypt`');
    return `${sum(() => true)} encrypted with the newest key`;
  });
}

async function examineCertificate({ publicUrl }: Config): Promise<string> {
  const { isLoopback } = await import('../network/is-loopback.ts');
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol === 'http:') {
    if (isLoopback(hostname)) return 'none: PUBLIC_URL is on this machine';
    throw new Problem(
      'warning',
      'PUBLIC_URL is not encrypted',
      'put a proxy with TLS in front: docs/operators/installation.md',
    );
  }
  const validTo = await readCertificateEnd(hostname, Number(port || 443));
  const days = Math.floor((validTo.getTime() - Date.now()) / 86_400_000);
  if (days < CERTIFICATE_WARNING_DAYS)
    throw new Problem('warning', `expires in ${days} days`, 'see why the proxy does not renew it');
  return `valid for ${days} days`;
}

async function readCertificateEnd(host: string, port: number): Promise<Date> {
  const { connect } = await import('node:tls');
  return new Promise((resolve, reject) => {
    const servername = /[a-z]/i.test(host) ? { servername: host } : {};
    const socket = connect({ host, port, ...servername, timeout: ANSWER_LIMIT_MS });
    socket.once('secureConnect', () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${ANSWER_LIMIT_MS / 1_000} s`)));
    socket.once('error', reject);
  });
}

async function examineCollector({ tracing: { otlpUrl } }: Config): Promise<string> {
  if (!otlpUrl) return 'off: OTLP_URL is empty';
  const answer = await fetch(`${otlpUrl}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [] }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
  return 'the collector accepts spans';
}

const took = (started: number) => `${Math.max(1, Math.round(performance.now() - started))} ms`;
