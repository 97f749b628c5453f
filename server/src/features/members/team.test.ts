import { MAX_TEAM_SIZE } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { dashboardRefusal, messageOnly } from '../../../test/envelopes.ts';
import { waitForLockWaits } from '../../../test/lock-waits.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import type { Tx } from '../../database/database.ts';
import { invite } from './invitations.ts';
import { authorizeOperator } from './require-actor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** A new account with two owners. */
async function twoOwners(): Promise<[TestMember, TestMember, accountId: string]> {
  const { id } = await server.createAccount();
  return [await createTestMember(server, id), await createTestMember(server, id), id];
}
const idIn = ({ id }: { id: string }) => ({ params: { id } });
const roleIn = ({ id }: { id: string }, role: string) => ({ params: { id }, body: { role } });

describe('a role', () => {
  test('that is changed takes effect at the next request of an open session', async () => {
    const [owner, , accountId] = await twoOwners();
    const member = await createTestMember(server, accountId, 'read-only');
    expect(await member.call('listActs')).toEqual(dashboardRefusal('ROLE_NOT_ALLOWED', { needs: 'own' }));
    expect(await owner.call('changeRole', roleIn(member, 'owner'))).toMatchObject({ status: 200 });
    expect(await member.call('readSession')).toMatchObject({
      body: { may: ['read', 'ship', 'pay', 'develop', 'own'] },
    });
    expect(await member.call('listActs')).toMatchObject({ status: 200 });
    expect(await owner.call('changeRole', roleIn(member, 'operations'))).toMatchObject({ status: 200 });
    expect(await member.call('listActs')).toEqual(dashboardRefusal('ROLE_NOT_ALLOWED', { needs: 'own' }));
    expect(await member.call('readSession')).toMatchObject({ body: { may: ['read', 'ship', 'pay'] } });
  });

  test('of the last owner cannot be changed, even by concurrent requests', async () => {
    const [one, two] = await twoOwners();
    const [first, second] = await Promise.all([
      one.call('changeRole', roleIn(two, 'developer')),
      two.call('changeRole', roleIn(one, 'developer')),
    ]);
    const statuses = [first.status, second.status].toSorted((a, b) => a - b);
    // The second request is refused as the last owner, or as no owner, depending on its timing.
    expect([
      [200, 403],
      [200, 409],
    ]).toContainEqual(statuses);
    const last = first.status === 200 ? one : two;
    for (const call of [
      () => last.call('changeRole', roleIn(last, 'read-only')),
      () => last.call('removeMember', idIn(last)),
    ])
      expect(await call()).toEqual(dashboardRefusal('LAST_OWNER'));
    expect(await last.call('readSession')).toMatchObject({ body: { member: { role: 'owner' } } });
  });

  test('of one owner remains when all owners leave concurrently', async () => {
    const [one, two, accountId] = await twoOwners();
    const owners = [one, two, await createTestMember(server, accountId), await createTestMember(server, accountId)];
    const answers = await crowd(4, owners, (owner) => owner.call('removeMember', idIn(owner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const left = await server.db.selectFrom('members').select('role').where('account_id', '=', accountId).execute();
    expect(left).toEqual([{ role: 'owner' }]);
  });
});

describe('a member', () => {
  test('who is removed is signed out everywhere immediately', async () => {
    const [owner, other] = await twoOwners();
    expect(await owner.call('removeMember', idIn(other))).toMatchObject({ status: 200 });
    expect(await other.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await owner.call('removeMember', idIn(other))).toEqual(messageOnly(404));
    const { body } = await owner.call('listTeam');
    expect(body.members.map(({ id }: { id: string }) => id)).toEqual([owner.id]);
  });

  test('who is removed: active keys are reported, and invitations are withdrawn', async () => {
    const [owner, other, accountId] = await twoOwners();
    const create = async (name: string) =>
      (await other.call('createKey', { body: { name, scopes: ['read'] } })).body.key;
    const [shop, erp] = [await create('Shop'), await create('ERP')];
    await other.call('revokeKey', idIn(erp));
    const email = `made-${accountId}@example.org`;
    await other.call('inviteMember', { body: { email, role: 'owner' } });
    await owner.call('inviteMember', { body: { email: `kept-${accountId}@example.org`, role: 'owner' } });
    const keyOf = async () => {
      const { keys } = (await owner.call('listKeys')).body;
      return keys.find(({ id }: { id: string }) => id === shop.id);
    };
    expect((await keyOf()).createdBy).toEqual({ email: other.email, name: 'Zoé Martin', hasLeft: false });

    const { status, body } = await owner.call('removeMember', idIn(other));
    expect(status).toBe(200);
    const left = { id: shop.id, name: 'Shop', hint: shop.hint };
    expect(body).toEqual({ success: true, activeKeys: [left], withdrawnInvitations: [email] });
    expect(await keyOf()).toMatchObject({ state: 'active', createdBy: { email: other.email, hasLeft: true } });
    expect((await owner.call('listTeam')).body.invitations).toMatchObject([{ email: `kept-${accountId}@example.org` }]);
    const { acts } = (await owner.call('listActs')).body;
    expect(acts.slice(0, 3)).toMatchObject([
      { act: 'keys-left', actor: { email: owner.email }, subject: `${other.email} · Shop (…${shop.hint})` },
      { act: 'member-removed', actor: { email: owner.email }, subject: other.email },
      { act: 'invitation-withdrawn', actor: { email: owner.email }, subject: email },
    ]);
  });

  test('of another account is not found, nor is its invitation', async () => {
    const [owner] = await twoOwners();
    const [stranger] = await twoOwners();
    const { body } = await stranger.call('inviteMember', { body: { email: 'new@example.org', role: 'developer' } });
    const calls = [
      owner.call('changeRole', roleIn(stranger, 'read-only')),
      owner.call('removeMember', idIn(stranger)),
      owner.call('removeMember', { params: { id: 'x' } }),
      owner.call('resendInvitation', idIn(body.invitation)),
      owner.call('withdrawInvitation', idIn(body.invitation)),
    ];
    for (const answer of await Promise.all(calls)) expect(answer).toEqual(messageOnly(404));
    expect(await stranger.call('readSession')).toMatchObject({ body: { member: { role: 'owner' } } });
    const team = await stranger.call('listTeam');
    expect(team.body.invitations).toHaveLength(1);
    expect((await owner.call('listTeam')).body.invitations).toEqual([]);
  });
});

describe('an invitation', () => {
  test('of a member of the team is refused; membership of another team is not revealed', async () => {
    const [owner, colleague] = await twoOwners();
    const [stranger] = await twoOwners();
    const invite = (email: string) => owner.call('inviteMember', { body: { email, role: 'owner' } });
    expect(await invite(colleague.email.toUpperCase())).toEqual(dashboardRefusal('EMAIL_TAKEN'));
    expect(await invite(stranger.email)).toMatchObject({ status: 201 });
    expect(await invite('no address')).toMatchObject({ status: 400, body: { errors: [{ rule: 'format' }] } });
  });

  test('sent twice is one invitation; a team has at most a hundred members', async () => {
    const [owner, , accountId] = await twoOwners();
    const invite = (email: string, role = 'read-only') => owner.call('inviteMember', { body: { email, role } });
    await invite('lea@example.org');
    expect(await invite('LEA@example.org', 'developer')).toMatchObject({ status: 201 });
    const { body } = await owner.call('listTeam');
    expect(body.invitations).toMatchObject([{ email: 'LEA@example.org', role: 'developer', invitedBy: owner.email }]);
    const now = new Date();
    const rows = Array.from({ length: 97 }, (_, i) => ({
      ...{ id: crypto.randomUUID(), account_id: accountId, email: `${i}@example.org`, role: 'owner', language: 'fr' },
      ...{ created_at: now, expires_at: now },
    }));
    await server.db.insertInto('member_invitations').values(rows).execute();
    expect(await invite('one-too-many@example.org')).toEqual(dashboardRefusal('TEAM_FULL'));
    expect(await invite('lea@example.org')).toMatchObject({ status: 201 });
  });

  test('two concurrent ones cannot both take the last place of a team', async () => {
    const { id: accountId } = await server.createAccount();
    const now = new Date();
    const rows = Array.from({ length: MAX_TEAM_SIZE - 1 }, (_, i) => ({
      ...{ id: crypto.randomUUID(), account_id: accountId, email: `${i}@example.org`, role: 'owner', language: 'fr' },
      ...{ created_at: now, expires_at: now },
    }));
    await server.db.insertInto('member_invitations').values(rows).execute();
    const inviteAs = (tx: Tx, email: string) =>
      invite(tx, accountId, authorizeOperator, { email, role: 'read-only', language: 'fr' }, now);
    const { second } = await server.db.transaction().execute(async (first) => {
      await inviteAs(first, 'first@example.org');
      const second = server.db.transaction().execute((tx) => inviteAs(tx, 'second@example.org'));
      second.catch(() => {}); // judged below
      await waitForLockWaits(server.db, 1);
      return { second };
    });
    await expect(second).rejects.toMatchObject({ envelope: { error: 'TEAM_FULL' } });
  });
});
