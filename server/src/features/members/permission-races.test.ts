import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, cookieOf, createTestMember, dashboardCaller, type TestMember } from '../../../test/dashboard.ts';
import { dashboardRefusal, refusedAs } from '../../../test/envelopes.ts';
import { waitForLockWaits } from '../../../test/lock-waits.ts';
import type { TestAccount, TestServer } from '../../../test/test-server.ts';
import { startWebhookServer, type WebhookServer } from '../../../test/webhook-server.ts';
import type { Tx } from '../../database/database.ts';

let stage: WebhookServer;
let server: TestServer;
let account: TestAccount;
let member: TestMember;
let colleague: TestMember;
let webhookId: string;
let keyId: string;
let invitationId: string;

beforeAll(async () => {
  stage = await startWebhookServer();
  server = stage.server;
});
afterAll(() => stage.stop());

let path = 0;
const newWebhook = () => ({ url: `${stage.receiver.url}/races-${++path}`, events: ['shipping.created'] });

beforeEach(async () => {
  account = await server.createAccount();
  member = await createTestMember(server, account.id);
  await createTestMember(server, account.id); // another owner, so that every role may change
  colleague = await createTestMember(server, account.id, 'operations');
  const { body } = await member.call('createWebhook', { body: newWebhook() });
  webhookId = body.webhook.id;
  keyId = (await member.call('createKey', { body: { name: 'Shop', scopes: ['read'] } })).body.key.id;
  const invited = await member.call('inviteMember', { body: { email: `guest-${path}@example.org`, role: 'owner' } });
  invitationId = invited.body.invitation.id;
});

/** Every table that a request could write to. */
async function written(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(k order by k.id) from (select id, revoked_at from api_keys) k) as keys,
      (select json_agg(w order by w.id) from (select id, url, events, is_active from webhooks) w) as webhooks,
      (select json_agg(i order by i.id) from (select id, email, token_hash, expires_at from member_invitations) i) as invitations,
      (select json_agg(m order by m.id) from
        (select id, name, role, password_hash, sealed_second_factor, second_factor_since from members where id <> ${member.id}) m) as members,
      (select json_agg(c order by c.code_hash) from member_recovery_codes c where member_id <> ${member.id}) as codes,
      (select json_agg(p) from pickup_addresses p where account_id = ${account.id}) as pickup,
      (select count(*) from member_acts) as acts,
      (select count(*) from pgboss.job where name = 'send-member-mail') as mails`.execute(server.db);
  return rows[0];
}

/**
 * Sends the request while `withdraw` has taken the permission away in a transaction that is still open, so that the
 * request's first look finds it, and commits once the request waits for a lock or has been answered.
 */
async function whileWithdrawn<Result>(withdraw: (tx: Tx) => Promise<unknown>, send: () => Promise<Result>) {
  const { sent, before } = await server.db.transaction().execute(async (tx) => {
    await withdraw(tx);
    const before = await written();
    const answer = send();
    await Promise.race([answer, waitForLockWaits(server.db, 1)]);
    return { sent: { answer }, before };
  });
  return { answer: await sent.answer, before };
}

const remove = (tx: Tx) => tx.deleteFrom('members').where('id', '=', member.id).execute();
const signOut = (tx: Tx) => tx.deleteFrom('member_sessions').where('member_id', '=', member.id).execute();
const demote = (tx: Tx) => tx.updateTable('members').set({ role: 'read-only' }).where('id', '=', member.id).execute();
const revokeKeys = (tx: Tx) =>
  tx.updateTable('api_keys').set({ revoked_at: new Date() }).where('account_id', '=', account.id).execute();

const PLACE = { street: '2 rue Neuve', city: 'Paris', postalCode: '75002', country: 'France' };
const ACTS: [name: string, send: () => ReturnType<TestMember['call']>][] = [
  ['making a key', () => member.call('createKey', { body: { name: 'Late', scopes: ['read', 'write'] } })],
  ['revoking a key', () => member.call('revokeKey', { params: { id: keyId } })],
  ['inviting', () => member.call('inviteMember', { body: { email: 'late@example.org', role: 'owner' } })],
  ['sending an invitation again', () => member.call('resendInvitation', { params: { id: invitationId } })],
  ['withdrawing an invitation', () => member.call('withdrawInvitation', { params: { id: invitationId } })],
  ['changing a role', () => member.call('changeRole', { params: { id: colleague.id }, body: { role: 'owner' } })],
  ['removing a colleague', () => member.call('removeMember', { params: { id: colleague.id } })],
  ['making a webhook', () => member.call('createWebhook', { body: newWebhook() })],
  ['changing a webhook', () => member.call('updateWebhook', { params: { id: webhookId }, body: { isActive: false } })],
  ['deleting a webhook', () => member.call('deleteWebhook', { params: { id: webhookId } })],
  ['reading a webhook’s secret', () => member.call('readWebhookSecret', { params: { id: webhookId } })],
  ['testing a webhook', () => member.call('testWebhook', { params: { id: webhookId }, body: {} })],
  [
    'moving the pickup address',
    () => member.call('setPickupAddress', { body: { ...PLACE, coordinates: { latitude: 48.8, longitude: 2.3 } } }),
  ],
];

describe('a request that passed the first check', () => {
  test.each(ACTS)('%s is refused to a member who is removed meanwhile, and writes nothing', async (_name, send) => {
    const { answer, before } = await whileWithdrawn(remove, send);
    expect(answer).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await written()).toEqual(before);
  });

  test.each(ACTS)('%s is refused when the session ends meanwhile', async (_name, send) => {
    const { answer, before } = await whileWithdrawn(signOut, send);
    expect(answer).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await written()).toEqual(before);
  });

  test.each(ACTS)('%s is refused when the role stops allowing it meanwhile', async (_name, send) => {
    const { answer, before } = await whileWithdrawn(demote, send);
    expect(answer).toMatchObject({ status: 403, body: { error: 'ROLE_NOT_ALLOWED' } });
    expect(await written()).toEqual(before);
  });

  test('under a cookie that a password change replaces meanwhile is refused', async () => {
    const { password } = member;
    const countKeys = async () => (await server.db.selectFrom('api_keys').select('id').execute()).length;
    const before = await countKeys();
    const { change, late } = await server.db.transaction().execute(async (tx) => {
      // Blocks the change at the sessions, when it has already locked the member.
      await tx.selectFrom('member_sessions').select('id').where('member_id', '=', member.id).forUpdate().execute();
      const change = member.call('changePassword', { body: { password, newPassword: 'une autre phrase longue' } });
      await waitForLockWaits(server.db, 1);
      const late = member.call('createKey', { body: { name: 'Late', scopes: ['read'] } });
      await Promise.race([late, waitForLockWaits(server.db, 2)]);
      return { change, late };
    });
    expect(await change).toMatchObject({ status: 200 });
    expect(await late).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await countKeys()).toBe(before);
  });
});

describe('a member’s own password and second factor', () => {
  const OWN: [name: string, prepare: () => Promise<() => ReturnType<TestMember['call']>>][] = [
    [
      'changing the password',
      async () => () =>
        member.call('changePassword', { body: { password: member.password, newPassword: 'une autre phrase longue' } }),
    ],
    [
      'beginning a second factor',
      async () => () => member.call('startSecondFactor', { body: { password: member.password } }),
    ],
    [
      'switching the second factor on',
      async () => {
        const { body } = await member.call('startSecondFactor', { body: { password: member.password } });
        return () => member.call('confirmSecondFactor', { body: { code: codeOf(body.secret) } });
      },
    ],
    [
      'switching the second factor off',
      async () => {
        const code = await switchOn();
        return () => member.call('removeSecondFactor', { body: { password: member.password, code } });
      },
    ],
    [
      'replacing the recovery codes',
      async () => {
        const code = await switchOn();
        return () => member.call('renewRecoveryCodes', { body: { password: member.password, code } });
      },
    ],
    ['changing the name', async () => () => member.call('updateProfile', { body: { name: 'Ana', language: 'fr' } })],
  ];

  /** Returns a recovery code; the member continues with the new cookie. */
  async function switchOn(): Promise<string> {
    const { body } = await member.call('startSecondFactor', { body: { password: member.password } });
    const confirmed = await member.call('confirmSecondFactor', { body: { code: codeOf(body.secret) } });
    const cookie = cookieOf(confirmed.headers);
    const { csrfToken } = (await dashboardCaller(server.url, { cookie })('readSession')).body;
    member = { ...member, cookie, csrfToken, call: dashboardCaller(server.url, { cookie, csrfToken }) };
    return confirmed.body.recoveryCodes[0];
  }

  const own = () =>
    server.db
      .selectFrom('members')
      .select(['name', 'password_hash', 'second_factor_since', 'email'])
      .select((eb) => eb(eb.ref('sealed_second_factor'), 'is', null).as('hasNoSecret'))
      .where('id', '=', member.id)
      .execute();

  test.each(OWN)('%s is refused when the session ends meanwhile, and changes nothing', async (_name, prepare) => {
    const send = await prepare();
    const before = await own();
    const { answer } = await whileWithdrawn(signOut, send);
    expect(answer).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await own()).toEqual(before);
  });
});

describe('a request of the merchant API that passed the first check', () => {
  const WRITES: [name: string, send: () => ReturnType<TestServer['call']>][] = [
    ['making a webhook', () => server.call(account, 'POST', '/webhooks', { body: newWebhook() })],
    ['changing a webhook', () => server.call(account, 'PUT', `/webhooks/${webhookId}`, { body: { isActive: false } })],
    ['deleting a webhook', () => server.call(account, 'DELETE', `/webhooks/${webhookId}`)],
    [
      'moving the pickup address',
      () => {
        const body = { ...PLACE, coordinates: { latitude: 48.8, longitude: 2.3 } };
        return server.call(account, 'PUT', '/shipping/pickup-address', { body });
      },
    ],
  ];

  test.each(WRITES)('%s is refused to a key that is revoked meanwhile, and writes nothing', async (_name, send) => {
    expect((await server.call(account, 'GET', '/account')).status).toBe(200); // the key finder remembers the key
    const { answer, before } = await whileWithdrawn(revokeKeys, send);
    expect(answer).toEqual(refusedAs('INVALID_API_KEY'));
    const { keys: _before, ...rest } = before as Record<string, unknown>;
    const { keys: _after, ...now } = (await written()) as Record<string, unknown>;
    expect(now).toEqual(rest);
  });

  test.each(WRITES)('%s is refused to a key that expires meanwhile', async (_name, send) => {
    expect((await server.call(account, 'GET', '/account')).status).toBe(200);
    const expire = (tx: Tx) =>
      tx
        .updateTable('api_keys')
        .set({ expires_at: new Date(0) })
        .where('account_id', '=', account.id)
        .execute();
    const { answer } = await whileWithdrawn(expire, send);
    expect(answer).toEqual(refusedAs('EXPIRED_API_KEY'));
  });
});
