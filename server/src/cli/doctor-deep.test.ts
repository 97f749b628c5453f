import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCertificate } from '../../test/certificate.ts';
import { dropDatabase } from '../../test/drop-database.ts';
import { startFakeStripe } from '../../test/fake-stripe.ts';
import { runNavette } from '../../test/navette-process.ts';
import { startOtlpReceiver } from '../../test/otlp-receiver.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../../test/private-postgres.ts';
import { startPrivateRedis } from '../../test/private-redis.ts';
import { setDurability } from '../../test/set-durability.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { openDirectory } from '../cells/directory.ts';
import { SECRET_VARIABLES, VARIABLES } from '../config.ts';
import { migrateDatabase } from '../database/migrate.ts';
import { installJobs } from '../jobs/boss.ts';
import { followChangeJob } from '../jobs/definitions.ts';
import type { Finding } from './doctor-finding.ts';

let server: TestServer;
let isRelaxed: boolean;
beforeAll(async () => {
  server = await startTestServer();
  const { rows } = await sql<{ fsync: string }>`show fsync`.execute(server.db);
  isRelaxed = rows[0]?.fsync === 'off'; // as the engine of tests is, unlike that of an installation
  if (isRelaxed) await setDurability(server.config.databaseUrl, 'on');
});
afterAll(async () => {
  if (isRelaxed) await setDurability(server.config.databaseUrl, 'off');
  await server.stop();
});

async function examine(settings: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runNavette(['doctor', '--deep', '--json'], {
    ...server.environment,
    ...settings,
  });
  const findings = new Map((JSON.parse(stdout) as Finding[]).map((finding) => [finding.check, finding]));
  const failed = [...findings.values()].filter(({ status }) => status === 'failed').map(({ check }) => check);
  return { code, stderr, findings, failed };
}

/** One finding of a run with these settings. */
const find = async (check: string, settings: Record<string, string> = {}) =>
  (await examine(settings)).findings.get(check);

test('Stripe is asked whether it accepts the key, and nothing is changed there', async () => {
  const stripe = await startFakeStripe();
  try {
    expect(await find('stripe', stripe.settings)).toMatchObject({ status: 'ok', detail: 'accepts the key' });
    const wrong = { ...stripe.settings, STRIPE_SECRET_KEY: 'sk_test_of_another_account' };
    expect(await find('stripe', wrong)).toMatchObject({ status: 'failed', detail: 'stripe 401 api_key_expired' });
    stripe.setDown(true);
    expect(await find('stripe', stripe.settings)).toMatchObject({ status: 'failed' });
    expect(stripe.sessions.size).toBe(0);
  } finally {
    await stripe.stop();
  }
});

test('a cell must be in its directory, and report who signs in to it', async () => {
  const name = `${new URL(server.config.databaseUrl).pathname.slice(1)}_directory`;
  const DIRECTORY_URL = Object.assign(new URL(server.config.databaseUrl), { pathname: `/${name}` }).href;
  const settings = { CELL: 'P2', DIRECTORY_URL };
  const directory = openDirectory(DIRECTORY_URL);
  try {
    expect(await find('directory')).toMatchObject({ status: 'ok', detail: 'none: this is the only cell' });
    expect(await find('directory', settings)).toMatchObject({ status: 'failed' });
    await directory.prepare();
    expect(await find('directory', settings)).toMatchObject({
      status: 'failed',
      detail: 'the directory does not have the cell P2',
    });
    await directory.addCell({ tag: 'P2', address: 'http://127.0.0.1:1', keysFingerprint: 'f' });
    expect(await find('directory', settings)).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching('^1 cells, '),
    });
    await sql`insert into sign_in_changes (kind, address_hash, is_known)
      select 'member', int4send(n), true from generate_series(1, 1001) n`.execute(server.db);
    expect(await find('directory', settings)).toMatchObject({ status: 'warning' });
  } finally {
    await sql`delete from sign_in_changes`.execute(server.db);
    await directory.close();
    await dropDatabase(DIRECTORY_URL);
  }
});

test('a healthy installation passes, and every probe is gone afterwards', async () => {
  expect((await runNavette(['audit'], server.environment)).code).toBe(0);
  const { code, failed, findings } = await examine();
  expect({ code, failed }).toEqual({ code: 0, failed: [] });
  const ok = [
    'database writes',
    'redis writes',
    'label store',
    'proof store',
    'queues',
    'audit',
    'secrets',
    'sealed secrets',
    'traces',
  ];
  expect(ok.map((check) => [check, findings.get(check)?.status])).toEqual(ok.map((check) => [check, 'ok']));
  for (const { status, advice } of findings.values()) expect(advice !== '').toBe(status !== 'ok');

  const { rows } = await sql`select from audit_runs`.execute(server.db);
  expect(rows).toHaveLength(1);
  const files = await readdir(server.config.labelStore, { recursive: true });
  expect(files.filter((name) => name.includes('doctor'))).toEqual([]);
});

test('for people, each line names what to do', async () => {
  const { stdout } = await runNavette(['doctor', '--deep'], { ...server.environment, LABEL_STORE: '/dev/null/labels' });
  expect(stdout).toMatch(/^CHECK +STATUS +DETAIL +ADVICE$/m);
  expect(stdout).toMatch(/^label store +failed .* see LABEL_STORE: the service must be able to write there$/m);
});

describe('doctor --deep exits with 1 and names', () => {
  test('a label store that cannot be written', async () => {
    expect(await examine({ LABEL_STORE: '/dev/null/labels' })).toMatchObject({ code: 1, failed: ['label store'] });
  });

  test('a Redis that refuses writes', async () => {
    const redis = await startPrivateRedis();
    const client = new Redis(redis.url);
    await client.config('SET', 'min-replicas-to-write', '1');
    client.disconnect();
    try {
      expect(await examine({ REDIS_URL: redis.url })).toMatchObject({ code: 1, failed: ['redis writes'] });
    } finally {
      await redis.stop();
    }
  });

  test('an audit that found broken rows', async () => {
    await sql`insert into audit_runs values (now() + interval '1 minute', 1, 3, ${['sums are wrong']})`.execute(
      server.db,
    );
    const { code, failed, findings } = await examine();
    expect({ code, failed }).toEqual({ code: 1, failed: ['audit'] });
    expect(findings.get('audit')).toMatchObject({ detail: '3 rows violate: sums are wrong' });
    await sql`delete from audit_runs where broken_rows > 0`.execute(server.db);
  });

  test('a queue whose jobs wait', async () => {
    await sql`insert into pgboss.job (name, data, created_on, start_after)
              values (${followChangeJob.name}, '{}', now() - interval '10 minutes', now() - interval '10 minutes')`.execute(
      server.db,
    );
    const { code, failed, findings } = await examine();
    expect({ code, failed }).toEqual({ code: 1, failed: ['queues'] });
    expect(findings.get('queues')?.detail).toMatch(/^jobs wait: follow-change \(6\d\d s\)$/);
    await sql`delete from pgboss.job where name = ${followChangeJob.name}`.execute(server.db);
  });

  test('secrets whose key is missing, and warns of those with an older key', async () => {
    const { id } = await server.createAccount();
    const body = { url: 'https://shop.example/hook', events: ['shipping.created'] };
    await sql`insert into webhooks (account_id, id, url, events, secret_key, sealed_secret, is_active)
              values (${id}, gen_random_uuid(), ${body.url}, ${body.events}, 'abcdef012345', '\\x00', false)`.execute(
      server.db,
    );
    expect(await examine()).toMatchObject({ code: 1, failed: ['sealed secrets'] });
    await sql`delete from webhooks`.execute(server.db);
  });

  test('a certificate that is not trusted, and warns of one that expires soon', async () => {
    const { key, cert } = await createCertificate(); // for two days
    const folder = await mkdtemp(join(tmpdir(), 'navette-doctor-'));
    const authority = join(folder, 'authority.pem');
    await writeFile(authority, cert);
    const proxy = createServer({ key, cert }, (_request, response) => response.end()).listen(0, '127.0.0.1');
    await new Promise((listening) => proxy.once('listening', listening));
    const url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      expect(await examine({ PUBLIC_URL: url })).toMatchObject({ code: 1, failed: ['certificate'] });
      expect(await find('certificate', { PUBLIC_URL: url, NODE_EXTRA_CA_CERTS: authority })).toMatchObject({
        status: 'warning',
        detail: 'expires in 1 days',
      });
    } finally {
      proxy.close();
      await rm(folder, { recursive: true });
    }
  });

  test('a collector that accepts no spans', async () => {
    const collector = await startOtlpReceiver();
    expect(await find('traces', { OTLP_URL: collector.url })).toMatchObject({ status: 'ok' });
    collector.answerWith(503);
    expect(await examine({ OTLP_URL: collector.url })).toMatchObject({ code: 1, failed: ['traces'] });
    await collector.stop();
  });
});

test('public default secrets are a warning', async () => {
  const defaults = SECRET_VARIABLES.map((name) => [name, String(VARIABLES[name]?.default)]);
  expect(await find('secrets', Object.fromEntries(defaults))).toMatchObject({
    status: 'warning',
    detail: `public defaults: ${SECRET_VARIABLES.join(', ')}`,
  });
});

describe('of PostgreSQL, doctor --deep names', () => {
  let postgres: PrivatePostgres;
  let admin: pg.Client;
  beforeAll(async () => {
    postgres = await startPrivatePostgres({ fsync: 'off', archive_mode: 'on', archive_command: 'false' });
    await migrateDatabase(postgres.url);
    await installJobs(postgres.url);
    admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await postgres.remove();
  });
  const configure = async (setting: string) => {
    await admin.query(`alter system set ${setting}`);
    await admin.query('select pg_reload_conf()');
  };

  test('settings that lose commits, an archive that fails, a missing standby, and a database without writes', async () => {
    await admin.query('create table moves_the_log_on (); select pg_switch_wal()');
    await configure(`synchronous_standby_names = 'nobody'`); // no commit from here on: it would wait for that standby
    await configure(`default_transaction_read_only = on`);
    await vi.waitFor(
      async () => {
        const { rows } = await admin.query(`
          select last_failed_time is not null and current_setting('synchronous_standby_names') = 'nobody' as is_set
          from pg_stat_archiver`);
        if (!rows[0].is_set) throw new Error('not yet');
      },
      { timeout: 240_000 },
    );
    const { code, failed, findings } = await examine({ DATABASE_URL: postgres.url });
    expect(code).toBe(1);
    expect(failed).toEqual(['database writes', 'durability', 'replication', 'backup']);
    expect(findings.get('durability')?.detail).toContain('fsync is off');
    expect(findings.get('backup')?.detail).toMatch(/^archiving fails at [0-9A-F]{24}/);
    expect(findings.get('database writes')?.detail).toContain('read-only');
  });
});
