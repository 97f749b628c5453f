import { randomUUID } from 'node:crypto';
import type { KeyNarrowing } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { readNetworks } from './narrowing.ts';
import { remindExpiringKeys } from './remind-expiring-keys.handler.ts';

const DAY = 86_400_000;
let mailbox: FakeMailbox;
let server: TestServer;
let worker: TestWorker;
let shop: TestAccount;
let developer: TestMember;
beforeAll(async () => {
  mailbox = await startFakeMailbox();
  server = await startTestServer({ MAIL_URL: mailbox.url, TRUSTED_PROXIES: '127.0.0.1/32' });
  worker = await startTestWorker(server);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  developer = await createTestMember(server, shop.id, 'developer');
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await mailbox.stop();
});

const create = async (narrowing: Partial<KeyNarrowing>) =>
  developer.call('createKey', { body: { name: 'Robot', scopes: ['read', 'write'], ...narrowing } });
const call = async (key: string, path: string, { method = 'GET', from = '203.0.113.9' } = {}) => {
  const response = await fetch(`${server.url}/pro/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'x-client-id': shop.clientId, 'x-forwarded-for': from },
  });
  const body = await response.json();
  return body.error ?? response.status;
};
const REFUSED = 'INSUFFICIENT_PERMISSIONS';

describe('a narrowed key', () => {
  test('calls its resources only, and can always be tested', async () => {
    const { secret } = (await create({ resources: ['shipments'] })).body;
    const answers = await Promise.all(
      ['/shipping', '/shipping/stats', '/shipping/auth/test', '/account', '/webhooks', '/feed/events'].map((path) =>
        call(secret, path),
      ),
    );
    expect(answers).toEqual([200, 200, 200, REFUSED, REFUSED, REFUSED]);
    expect(await call(secret, '/rates', { method: 'POST' })).toBe(REFUSED);
    expect(await call(secret, '/shipping/pickup-address', { method: 'PUT' })).toBe(REFUSED);
    const account = (await create({ resources: ['account', 'webhooks'] })).body.secret;
    expect([
      await call(account, '/account'),
      await call(account, '/webhooks'),
      await call(account, '/shipping'),
    ]).toEqual([200, 200, REFUSED]);
  });

  test('works from its networks only, of both versions of the protocol', async () => {
    const { secret, key } = (await create({ networks: [' 203.0.113.77/24 ', '2001:db8:1::/48', '198.51.100.4'] })).body;
    expect(key.networks).toEqual(['203.0.113.0/24', '2001:db8:1::/48', '198.51.100.4/32']);
    const from = (address: string) => call(secret, '/account', { from: address });
    for (const address of ['203.0.113.9', '2001:db8:1:ffff::1', '198.51.100.4', '::ffff:203.0.113.9'])
      expect([address, await from(address)]).toEqual([address, 200]);
    for (const address of ['203.0.114.9', '2001:db8:2::1', '198.51.100.5', '127.0.0.1'])
      expect([address, await from(address)]).toEqual([address, REFUSED]);
  });

  test('is changed by developers within a second, and the log names it', async () => {
    const { secret, key } = (await create({})).body;
    expect([key.networks, key.resources, await call(secret, '/account')]).toEqual([null, null, 200]);
    const narrow = (body: Partial<KeyNarrowing>, by = developer) =>
      by.call('narrowKey', { params: { id: key.id }, body });
    expect((await narrow({ resources: ['rates'] })).body.key.resources).toEqual(['rates']);
    await eventually(async () => expect(await call(secret, '/account')).toBe(REFUSED));
    expect((await narrow({ networks: [], resources: [] })).body.key).toMatchObject({ networks: null, resources: null });
    await eventually(async () => expect(await call(secret, '/account')).toBe(200));
    expect((await narrow({ networks: ['10.0.0.0/33'] })).body.error).toBe('KEY_NETWORK_INVALID');
    const stranger = await createTestMember(server, (await server.createAccount()).id, 'owner');
    expect((await narrow({ resources: ['rates'] }, stranger)).status).toBe(404);
    const clerk = await createTestMember(server, shop.id, 'operations');
    expect((await narrow({ resources: ['rates'] }, clerk)).body.error).toBe('ROLE_NOT_ALLOWED');
    const owner = await createTestMember(server, shop.id, 'owner');
    const { acts } = (await owner.call('listActs')).body;
    expect(acts.filter(({ act }: { act: string }) => act === 'key-narrowed')).toHaveLength(2);
  });

  test('mails owners when it may do more than before, and not when it may do less', async () => {
    const account = await server.createAccount();
    const owner = await createTestMember(server, account.id, 'owner');
    const maker = await createTestMember(server, account.id, 'developer');
    const { key } = (await maker.call('createKey', { body: { name: 'Caisse', scopes: ['read'] } })).body;
    const widened = async (body: Partial<KeyNarrowing>) => {
      const before = mailbox.sentTo(owner.email).length;
      expect((await maker.call('narrowKey', { params: { id: key.id }, body })).status).toBe(200);
      await workDone(server);
      return mailbox.sentTo(owner.email).length - before;
    };
    await workDone(server); // the mail about the new key
    expect(await widened({ networks: ['10.0.0.0/8'], resources: ['rates', 'account'] })).toBe(0);
    expect(await widened({ networks: ['10.1.0.0/16', '10.2.0.9'], resources: ['rates'] })).toBe(0);
    expect(await widened({ networks: ['10.1.0.0/16', '10.2.0.0/30'], resources: ['rates'] })).toBe(1);
    expect(await widened({ networks: ['10.1.0.0/16'], resources: ['rates', 'webhooks'] })).toBe(1);
    expect(await widened({ networks: ['10.1.0.0/16'] })).toBe(1);
    expect(await widened({ networks: ['2001:db8::/32'] })).toBe(1);
    expect(await widened({ networks: [] })).toBe(1);
    const [mail] = mailbox.sentTo(owner.email).slice(-1);
    expect(mail?.subject).toBe('Les restrictions d’une clé API ont été levées ou élargies');
    expect(mail?.text).toContain('Caisse');
  });

  test('mails owners also after many changes that widen nothing, and after attempts with unknown keys', async () => {
    const account = await server.createAccount();
    const owner = await createTestMember(server, account.id, 'owner');
    const maker = await createTestMember(server, account.id, 'developer');
    const { key } = (await maker.call('createKey', { body: { name: 'Caisse', scopes: ['read'] } })).body;
    const narrow = (id: string, body: Partial<KeyNarrowing>) => maker.call('narrowKey', { params: { id }, body });
    for (let i = 0; i < 12; i++) {
      expect((await narrow(key.id, { resources: ['rates'] })).status).toBe(200);
      expect((await narrow(randomUUID(), { resources: [] })).status).toBe(404);
    }
    await narrow(key.id, {});
    await workDone(server);
    expect(mailbox.sentTo(owner.email)).toHaveLength(2); // the new key, and the lifted restriction
  });

  test('is created and changed at the command line', async () => {
    const env = { DATABASE_URL: server.config.databaseUrl };
    const made = await runNavette(
      ['key', 'create', shop.id, '--networks', '10.0.0.0/8', '--resources', 'shipments,rates', '--json'],
      env,
    );
    const { id } = JSON.parse(made.stdout);
    const read = async () => {
      const { keys } = (await developer.call('listKeys')).body;
      return keys.find((key: { id: string }) => key.id === id);
    };
    expect(await read()).toMatchObject({ networks: ['10.0.0.0/8'], resources: ['shipments', 'rates'] });
    await runNavette(['key', 'narrow', id, '--networks', '192.0.2.1'], env);
    expect(await read()).toMatchObject({ networks: ['192.0.2.1/32'], resources: null });
    const wrong = await runNavette(['key', 'narrow', id, '--resources', 'everything'], env);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('unknown resource "everything"')]);
  });
});

test.each(['10.0.0.0/33', '::1/129', 'example.org', '1.2.3', '1.2.3.4/', '1.2.3.4/x', 'fe80::1%eth0', ''])(
  '%j is no network',
  (text) => expect(readNetworks([text])).toBeNull(),
);

test('owners and developers are reminded 14 and 3 days before a key expires, once each', async () => {
  const account = await server.createAccount();
  const owner = await createTestMember(server, account.id, 'owner');
  await createTestMember(server, account.id, 'operations');
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 30 * DAY).toISOString();
  const key = await owner.call('createKey', { body: { name: 'ERP', scopes: ['read'], expiresAt } });
  expect(key.status).toBe(201);
  const mails = () => mailbox.sentTo(owner.email).filter(({ subject }) => subject === 'Une clé API expire bientôt');
  const remind = async (daysBefore: number) => {
    const at = new Date(now.getTime() + (30 - daysBefore) * DAY + 60_000);
    server.setNow(at);
    await Promise.all([1, 2, 3].map(() => remindExpiringKeys(server.db, server.jobs, at)));
    await workDone(server);
    return mails().length;
  };
  expect([await remind(15), await remind(14), await remind(10), await remind(3), await remind(1)]).toEqual([
    0, 1, 1, 2, 2,
  ]);
  server.setNow(null);
  expect(mails()[0]?.text).toContain('ERP');
});
