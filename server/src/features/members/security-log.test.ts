import { DASHBOARD_BASE_PATH } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  codeOf,
  cookieOf,
  createTestMember,
  dashboardCaller,
  signInAs,
  TEST_PASSWORD,
  type TestMember,
} from '../../../test/dashboard.ts';
import { eventually } from '../../../test/eventually.ts';
import type { TestAccount, TestServer } from '../../../test/test-server.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';

let stage: WebhookServer;
let server: TestServer;
let account: TestAccount;
let owner: TestMember;
beforeAll(async () => {
  stage = await startWebhookServer();
  server = stage.server;
});
afterAll(() => stage.stop());
let hours = 0;
beforeEach(async () => {
  server.setNow(new Date(Date.now() + ++hours * 3_600_000)); // another minute of this address
  account = await server.createAccount();
  owner = await createTestMember(server, account.id, 'owner', { name: 'Ana Lopes' });
});
afterEach(() => server.setNow(null));

interface LoggedAct {
  act: string;
  subject: string | null;
  actor: { kind: string; id: string | null; email: string | null; name: string | null; hint: string | null };
}
const actsOf = async (member = owner): Promise<LoggedAct[]> => (await member.call('listActs')).body.acts;
/** Act, actor and subject, oldest first, without the entries of `beforeEach`. */
const lines = async () =>
  (await actsOf())
    .toReversed()
    .slice(2)
    .map(({ act, actor, subject }) => [act, actor.email ?? actor.kind, subject]);

const PLACE = { street: '2 rue Neuve', city: 'Paris', postalCode: '75002', country: 'France' };
const MOVED = { ...PLACE, coordinates: { latitude: 48.87, longitude: 2.33 } };

describe('the security log', () => {
  test('lists acts with their actor for owners, in pages, newest first, of their own account only', async () => {
    const other = await createTestMember(server, account.id);
    await owner.call('changeRole', { params: { id: other.id }, body: { role: 'developer' } });
    await owner.call('removeMember', { params: { id: other.id } });
    expect(await actsOf()).toMatchObject([
      { act: 'member-removed', actor: { kind: 'member', id: owner.id, email: owner.email }, subject: other.email },
      { act: 'role-changed', actor: { name: 'Ana Lopes', hint: null }, subject: `${other.email} · developer` },
      { act: 'signed-in', actor: { email: other.email } },
      { act: 'signed-in', actor: { email: owner.email } },
      { act: 'key-created', actor: { kind: 'operator', id: null, email: null, name: null } }, // with the account
    ]);
    const many = Array.from({ length: 60 }, (_, i) => ({
      ...{ account_id: account.id, id: `00000000-0000-7000-8000-0000000000${String(i).padStart(2, '0')}` },
      ...{ at: new Date(), act: 'signed-in' },
    }));
    await server.db.insertInto('member_acts').values(many).execute();
    const first = (await owner.call('listActs')).body;
    const rest = (await owner.call('listActs', { query: { cursor: first.nextCursor } })).body;
    expect([first.acts.length, rest.acts.length, rest.nextCursor]).toEqual([50, 15, null]);
    const ids = [...first.acts, ...rest.acts].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  test('records changes of webhooks and the pickup address, and exports, with the member', async () => {
    const host = new URL(stage.receiver.url).host;
    const url = `${stage.receiver.url}/hook?token=secret`;
    const { body } = await owner.call('createWebhook', { body: { url, events: ['shipping.created'] } });
    const { id } = body.webhook;
    await owner.call('readWebhookSecret', { params: { id } });
    await owner.call('updateWebhook', { params: { id }, body: { isActive: false } });
    await owner.call('updateWebhook', { params: { id }, body: { isActive: false } }); // changes nothing
    await owner.call('testWebhook', { params: { id }, body: {} });
    await owner.call('deleteWebhook', { params: { id } });
    await owner.call('setPickupAddress', { body: MOVED });
    await owner.call('setPickupAddress', { body: MOVED }); // changes nothing
    const file = await fetch(`${server.url}${DASHBOARD_BASE_PATH}/shipments.csv`, {
      headers: { cookie: owner.cookie },
    });
    expect(file.status).toBe(200);
    await file.text();
    expect(await lines()).toEqual([
      ['webhook-created', owner.email, host],
      ['webhook-secret-read', owner.email, host],
      ['webhook-changed', owner.email, host],
      ['webhook-tested', owner.email, host],
      ['webhook-deleted', owner.email, host],
      ['pickup-address-changed', owner.email, '2 rue Neuve, 75002 Paris'],
      ['shipments-exported', owner.email, null],
    ]);
  });

  test('names the API key that changed webhooks or the pickup address', async () => {
    const body = { url: `${stage.receiver.url}/by-key`, events: ['shipping.created'] };
    const { _id: id } = (await server.call(account, 'POST', '/webhooks', { body })).body.webhook;
    await server.call(account, 'PUT', `/webhooks/${id}`, { body: { url: `${stage.receiver.url}/elsewhere` } });
    await server.call(account, 'DELETE', `/webhooks/${id}`);
    await server.call(account, 'PUT', '/shipping/pickup-address', { body: MOVED });
    const key = { kind: 'key', name: 'test', hint: account.key.slice(-4), id: expect.any(String), email: null };
    const acts = (await actsOf()).toReversed().slice(2);
    expect(acts.map(({ act }) => act)).toEqual([
      ...['webhook-created', 'webhook-changed', 'webhook-deleted', 'pickup-address-changed'],
    ]);
    for (const { actor } of acts) expect(actor).toEqual(key);
  });

  test('records keys, invitations, passwords, second factors and recovery codes', async () => {
    const { key } = (await owner.call('createKey', { body: { name: 'ERP', scopes: ['read'] } })).body;
    await owner.call('revokeKey', { params: { id: key.id } });
    const invitation = { email: `new-${hours}@example.org`, role: 'developer' };
    const { id } = (await owner.call('inviteMember', { body: invitation })).body.invitation;
    await owner.call('resendInvitation', { params: { id } });
    await owner.call('withdrawInvitation', { params: { id } });
    const { body: setUp } = await owner.call('startSecondFactor', { body: { password: TEST_PASSWORD } });
    const code = codeOf(setUp.secret, new Date(Date.now() + hours * 3_600_000));
    const { headers, body } = await owner.call('confirmSecondFactor', { body: { code } });
    const cookie = cookieOf(headers);
    const { csrfToken } = (await dashboardCaller(server.url, { cookie })('readSession')).body;
    owner = { ...owner, cookie, csrfToken, call: dashboardCaller(server.url, { cookie, csrfToken }) };
    const [first, second] = body.recoveryCodes;
    const renewed = await owner.call('renewRecoveryCodes', { body: { password: TEST_PASSWORD, code: first } });
    expect(renewed.status).toBe(200);
    expect(await owner.call('removeSecondFactor', { body: { password: TEST_PASSWORD, code: second } })).toMatchObject({
      status: 403,
    });
    const proof = { password: TEST_PASSWORD, code: renewed.body.recoveryCodes[0] };
    expect(await owner.call('removeSecondFactor', { body: proof })).toMatchObject({ status: 200 });
    const change = await owner.call('changePassword', {
      body: { password: TEST_PASSWORD, newPassword: 'une autre phrase longue' },
    });
    owner = { ...owner, call: dashboardCaller(server.url, { cookie: cookieOf(change.headers) }) };
    expect(await lines()).toEqual([
      ['key-created', owner.email, `ERP (…${key.hint})`],
      ['key-revoked', owner.email, `ERP (…${key.hint})`],
      ['member-invited', owner.email, `${invitation.email} · developer`],
      ['invitation-resent', owner.email, `${invitation.email} · developer`],
      ['invitation-withdrawn', owner.email, invitation.email],
      ['second-factor-on', owner.email, null],
      ['recovery-code-used', owner.email, null],
      ['recovery-codes-renewed', owner.email, null],
      ['confirmation-failed', owner.email, owner.email],
      ['recovery-code-used', owner.email, null],
      ['second-factor-off', owner.email, null],
      ['password-changed', owner.email, null],
    ]);
  });

  test('identifies members by id and e-mail, so that a copied name impersonates nobody, and records renaming', async () => {
    const developer = await createTestMember(server, account.id, 'developer', { name: 'Max' });
    const rename = (name: string) => developer.call('updateProfile', { body: { name, language: 'fr' } });
    await rename('Ana Lopes');
    await developer.call('createKey', { body: { name: 'Shop', scopes: ['read', 'write'] } });
    await rename('Max');
    await rename('Max');
    const acts = (await actsOf()).filter(({ actor }) => actor.id === developer.id && actor.kind === 'member');
    expect(acts.map(({ act, actor, subject }) => [act, actor.email, actor.name, subject])).toEqual([
      ['name-changed', developer.email, 'Ana Lopes', 'Max'],
      ['key-created', developer.email, 'Ana Lopes', expect.stringMatching(/^Shop \(…....\)$/)],
      ['name-changed', developer.email, 'Max', 'Ana Lopes'],
      ['signed-in', developer.email, 'Max', null],
    ]);
    const { keys } = (await owner.call('listKeys')).body;
    expect(keys.find(({ name }: { name: string }) => name === 'Shop').createdBy).toMatchObject({
      email: developer.email,
    });
  });

  test('contains no characters that hide or reorder text', async () => {
    await owner.call('updateProfile', {
      body: { name: 'Ana\u202egro.elpmaxe\u2066\u0007\u200b Lopes', language: 'fr' },
    });
    const [act] = await actsOf();
    expect(act?.subject).toBe('Anagro.elpmaxe Lopes');
    await owner.call('createKey', { body: { name: 'Shop', scopes: ['read'] } });
    const [key] = (await owner.call('listKeys')).body.keys;
    expect(key.createdBy.name).toBe('Anagro.elpmaxe Lopes');
  });

  test('rejects updates and deletions in the database, even by the service itself', async () => {
    for (const statement of ['update member_acts set actor = null', 'delete from member_acts', 'truncate member_acts'])
      await expect(sql.raw(statement).execute(server.db)).rejects.toThrow('member_acts is append-only');
    const other = await createTestMember(server, account.id);
    await owner.call('removeMember', { params: { id: other.id } }); // and what the member did stays
    expect((await actsOf()).filter(({ actor }) => actor.email === other.email)).toMatchObject([{ act: 'signed-in' }]);
  });
});

describe('failed attempts', () => {
  const guess = (email: string, password: string, code?: string) =>
    dashboardCaller(server.url)('signIn', { body: { email, password, ...(code ? { code } : {}) } });
  const failures = async () =>
    (await lines())
      .filter(([act]) => act !== 'signed-in' && act !== 'second-factor-on')
      .map(([act, actor]) => `${act} ${actor}`);

  test('to sign in, and locks, are listed for existing members only', async () => {
    await guess('nobody@example.org', 'wrong');
    for (let i = 0; i < 7; i++) await guess(owner.email, `wrong ${i}`); // the sixth and seventh are not looked at
    await eventually(async () =>
      expect(await failures()).toEqual([
        ...Array.from({ length: 4 }, () => 'sign-in-failed unknown'),
        'password-locked unknown',
      ]),
    );
    const [lock] = await actsOf();
    expect(lock).toMatchObject({ subject: owner.email, actor: { kind: 'unknown', id: null, name: null } });
    const { rows } = await sql<{ count: number }>`
      select count(*) from member_acts where subject = 'nobody@example.org'`.execute(server.db);
    expect(rows[0]?.count).toBe(0);
  });

  test('are listed up to ten per member and hour, then summarised once', async () => {
    const start = Date.now() + hours * 3_600_000;
    const at = (minutes: number) => server.setNow(new Date(start + minutes * 60_000));
    for (let round = 0; round < 4; round++) {
      at(round);
      for (let i = 0; i < 4; i++) await guess(owner.email, `wrong ${i}`);
      expect(await guess(owner.email, TEST_PASSWORD)).toMatchObject({ status: 201 }); // clears the count of the lock
    }
    await eventually(async () =>
      expect(await failures()).toEqual([
        ...Array.from({ length: 10 }, () => 'sign-in-failed unknown'),
        'many-failures unknown',
      ]),
    );
    at(61);
    hours += 2;
    await guess(owner.email, 'wrong');
    await eventually(async () => expect((await failures()).at(-1)).toBe('sign-in-failed unknown'));
    expect(await failures()).toHaveLength(12);
  });

  test('in an open session are listed with the member as actor', async () => {
    await owner.call('changePassword', { body: { password: 'wrong', newPassword: 'une autre phrase longue' } });
    expect(await failures()).toEqual([`confirmation-failed ${owner.email}`]);
  });

  test('at codes lock for longer each time, up to a day; the count resets after a week without locks', async () => {
    const { body: setUp } = await owner.call('startSecondFactor', { body: { password: TEST_PASSWORD } });
    let now = Date.now() + hours * 3_600_000;
    const codeNow = () => codeOf(setUp.secret, new Date(now));
    const later = (minutes: number) => {
      now += minutes * 60_000;
      hours += Math.ceil(minutes / 60);
      server.setNow(new Date(now));
    };
    await owner.call('confirmSecondFactor', { body: { code: codeNow() } });
    const watcher = await createTestMember(server, account.id);
    const lock = async () => {
      for (let i = 0; i < 5; i++)
        expect(await guess(owner.email, TEST_PASSWORD, '000000')).toMatchObject({ status: 401 });
    };
    for (const minutes of [15, 60, 240, 1_440, 1_440]) {
      await lock();
      later(minutes - 1);
      expect(await guess(owner.email, TEST_PASSWORD, codeNow())).toMatchObject({ status: 401 });
      later(2);
      expect(await guess(owner.email, TEST_PASSWORD, codeNow())).toMatchObject({ status: 201 });
    }
    later(8 * 24 * 60);
    await lock();
    later(16);
    expect(await guess(owner.email, TEST_PASSWORD, codeNow())).toMatchObject({ status: 201 });
    const again = await signInAs(server.url, watcher.email, TEST_PASSWORD);
    const locks = (await again.call('listActs')).body.acts.filter(({ act }: LoggedAct) => act === 'codes-locked');
    expect(locks).toHaveLength(6);
    const { rows } = await sql<{ count: number }>`
      select count(*) from pgboss.job where name = 'send-member-mail' and data ->> 'kind' = 'codes-locked'
        and data ->> 'id' = ${owner.id}`.execute(server.db);
    expect(rows[0]?.count).toBe(6);
  });
});
