import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { startFakeMailbox } from '../../test/fake-mailbox.ts';
import { startFakeTwilio, TWILIO_TOKEN } from '../../test/fake-twilio.ts';
import { runNavette } from '../../test/navette-process.ts';

const name = `navette_test_fresh_${randomBytes(4).toString('hex')}`;
const fresh = Object.assign(new URL(inject('templateDatabaseUrl')), { pathname: `/${name}` });
afterAll(() => asAdmin(`drop database if exists ${name} with (force)`));

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: Object.assign(new URL(fresh), { pathname: '/postgres' }).href });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}

const doctor = async (settings: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await runNavette(['doctor', '--json'], { DATABASE_URL: fresh.href, ...settings });
  const findings = JSON.parse(stdout) as { check: string; status: string; detail: string }[];
  const failed = findings.filter(({ status }) => status === 'failed').map(({ check }) => check);
  return { code, stderr, findings, failed };
};

describe('navette migrate and navette doctor', () => {
  test('a missing database: commands ask for `navette migrate`, doctor exits with 1', async () => {
    const { code, stderr } = await runNavette(['account', 'list'], { DATABASE_URL: fresh.href });
    expect(code).toBe(1);
    expect(stderr).toContain('run `navette migrate`');
    expect(await doctor()).toMatchObject({ code: 1, failed: expect.arrayContaining(['postgresql', 'migrations']) });
  });

  test('an empty database: doctor exits with 1 and names the pending migrations', async () => {
    await asAdmin(`create database ${name}`);
    const { code, failed, findings } = await doctor();
    expect({ code, failed }).toEqual({ code: 1, failed: ['migrations', 'job engine'] });
    expect(findings.find(({ check }) => check === 'migrations')?.detail).toContain('0001_accounts');
    await asAdmin(`drop database ${name}`);
  });

  test('ten simultaneous migrations of a missing database all succeed, and doctor passes', async () => {
    const migrate = () => runNavette(['migrate', '--json'], { DATABASE_URL: fresh.href });
    const results = await Promise.all(Array.from({ length: 10 }, migrate));
    expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array.from({ length: 10 }, () => ({ code: 0, stderr: '' })),
    );
    const migrated = results.flatMap(({ stdout }) => JSON.parse(stdout).migrated);
    expect(new Set(migrated).size).toBe(migrated.length); // each migration ran once
    expect(migrated).toContain('0001_accounts');
    expect(await doctor()).toMatchObject({ code: 0, failed: [], stderr: '' });
    expect(JSON.parse((await migrate()).stdout).migrated).toEqual([]);
  });

  test('doctor exits with 1 and names Redis, PostgreSQL or the geocoder when it is unreachable', async () => {
    const nobody = '127.0.0.1:1';
    expect(await doctor({ REDIS_URL: `redis://${nobody}` })).toMatchObject({ code: 1, failed: ['redis'] });
    expect(await doctor({ GEOCODER_URL: `http://${nobody}` })).toMatchObject({ code: 1, failed: ['geocoder'] });
    const { code, failed, findings } = await doctor({ DATABASE_URL: `postgres://${nobody}/x` });
    expect({ code, failed }).toEqual({ code: 1, failed: ['postgresql', 'migrations', 'partitions', 'job engine'] });
    expect(findings.map(({ detail }) => detail).join()).not.toContain('navette migrate');
  });

  test('doctor terminates when PostgreSQL and Redis accept connections and never respond', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { code, failed, findings } = await doctor({
      DATABASE_URL: `postgres://${address}/x`,
      REDIS_URL: `redis://${address}`,
    });
    silent.close();
    expect({ code, failed }).toEqual({
      code: 1,
      failed: ['postgresql', 'migrations', 'partitions', 'job engine', 'redis'],
    });
    expect(findings.map(({ detail }) => detail).join()).not.toContain('navette migrate');
  });

  test('doctor checks the SMS and mail providers and does not print their passwords', async () => {
    const [twilio, mailbox] = [await startFakeTwilio(), await startFakeMailbox({ password: 'mail-pass' })];
    const detail = ({ findings }: Awaited<ReturnType<typeof doctor>>) =>
      Object.fromEntries(findings.map(({ check, detail }) => [check, detail]));
    const good = await doctor({ SMS_URL: twilio.url, MAIL_URL: mailbox.url });
    expect(detail(good)).toMatchObject({ sms: 'twilio answers', mail: 'smtp answers' });
    const wrong = await doctor({
      SMS_URL: twilio.url.replace(TWILIO_TOKEN, 'wrong-token'),
      MAIL_URL: mailbox.url.replace('mail-pass', 'wrong-pass'),
    });
    expect(wrong).toMatchObject({ code: 1, failed: ['sms', 'mail'] });
    expect(JSON.stringify(wrong)).not.toMatch(/wrong-(token|pass)/);
    const inTheClear = await doctor({ MAIL_URL: mailbox.url, MAIL_TLS: 'required' });
    expect(inTheClear).toMatchObject({ code: 1, failed: ['mail'] });
    expect(detail(inTheClear).mail).toBe('smtp: the relay offers no TLS (STARTTLS); see MAIL_TLS');
    const nobody = await doctor({ SMS_URL: 'smpp://navette:secret@127.0.0.1:1' });
    expect(nobody).toMatchObject({ code: 1, failed: ['sms'] });
    expect(detail(nobody).sms).toBe('smpp ECONNREFUSED');
    expect(detail(await doctor()).sms).toContain('set SMS_URL');
    await Promise.all([twilio.stop(), mailbox.stop()]);
  });
});
