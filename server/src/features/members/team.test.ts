import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crowd } from '../../../test/crowd.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { dashboardRefusal, messageOnly } from '../../../test/envelopes.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** An account of its own, with two owners. */
async function twoOwners(): Promise<[TestMember, TestMember, accountId: string]> {
  const { id } = await server.createAccount();
  return [await createTestMember(server, id), await createTestMember(server, id), id];
}
const idIn = ({ id }: { id: string }) => ({ params: { id } });
const roleIn = ({ id }: { id: string }, role: string) => ({ params: { id }, body: { role } });

describe('a role', () => {
  test('that is changed counts from the next request of an open session on', async () => {
    const [owner, , accountId] = await twoOwners();
    const member = await createTestMember(server, accountId, 'read-only');
    expect(await member.call('listActs')).toEqual(dashboardRefusal('ROLE_NOT_ALLOWED', { needs: 'own' }));
    expect(await owner.call('changeRole', roleIn(member, 'owner'))).toMatchObject({ status: 200 });
    expect(await member.call('readSession')).toMatchObject({ body: { may: ['read', 'ship', 'develop', 'own'] } });
    expect(await member.call('listActs')).toMatchObject({ status: 200 });
    expect(await owner.call('changeRole', roleIn(member, 'operations'))).toMatchObject({ status: 200 });
    expect(await member.call('listActs')).toEqual(dashboardRefusal('ROLE_NOT_ALLOWED', { needs: 'own' }));
    expect(await member.call('readSession')).toMatchObject({ body: { may: ['read', 'ship'] } });
  });

  test('of the last owner stays, however many ask at once', async () => {
    const [one, two] = await twoOwners();
    const [first, second] = await Promise.all([
      one.call('changeRole', roleIn(two, 'developer')),
      two.call('changeRole', roleIn(one, 'developer')),
    ]);
    const statuses = [first.status, second.status].toSorted((a, b) => a - b);
    // The second finds itself the last owner, or no owner at all, by when its request came in.
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

  test('of owners who all leave at once is kept by one of them', async () => {
    const [one, two, accountId] = await twoOwners();
    const owners = [one, two, await createTestMember(server, accountId), await createTestMember(server, accountId)];
    const answers = await crowd(4, owners, (owner) => owner.call('removeMember', idIn(owner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const left = await server.db.selectFrom('members').select('role').where('account_id', '=', accountId).execute();
    expect(left).toEqual([{ role: 'owner' }]);
  });
});

describe('a member', () => {
  test('who is removed is out at once, in every window', async () => {
    const [owner, other] = await twoOwners();
    expect(await owner.call('removeMember', idIn(other))).toMatchObject({ status: 200 });
    expect(await other.call('readSession')).toEqual(dashboardRefusal('NOT_SIGNED_IN'));
    expect(await owner.call('removeMember', idIn(other))).toEqual(messageOnly(404));
    const { body } = await owner.call('listTeam');
    expect(body.members.map(({ id }: { id: string }) => id)).toEqual([owner.id]);
  });

  test('of another account is unknown, and so is its invitation', async () => {
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
  test('of somebody who is in the team is refused; whether they are in another one is not told', async () => {
    const [owner, colleague] = await twoOwners();
    const [stranger] = await twoOwners();
    const invite = (email: string) => owner.call('inviteMember', { body: { email, role: 'owner' } });
    expect(await invite(colleague.email.toUpperCase())).toEqual(dashboardRefusal('EMAIL_TAKEN'));
    expect(await invite(stranger.email)).toMatchObject({ status: 201 });
    expect(await invite('no address')).toMatchObject({ status: 400, body: { errors: [{ rule: 'format' }] } });
  });

  test('sent twice stays one; a team has room for a hundred', async () => {
    const [owner, , accountId] = await twoOwners();
    const invite = (email: string, role = 'read-only') => owner.call('inviteMember', { body: { email, role } });
    await invite('lea@example.org');
    expect(await invite('LEA@example.org', 'developer')).toMatchObject({ status: 201 });
    const { body } = await owner.call('listTeam');
    expect(body.invitations).toMatchObject([{ email: 'LEA@example.org', role: 'developer', invitedBy: 'Zoé Martin' }]);
    const now = new Date();
    const rows = Array.from({ length: 97 }, (_, i) => ({
      ...{ id: crypto.randomUUID(), account_id: accountId, email: `${i}@example.org`, role: 'owner', language: 'fr' },
      ...{ created_at: now, expires_at: now },
    }));
    await server.db.insertInto('member_invitations').values(rows).execute();
    expect(await invite('one-too-many@example.org')).toEqual(dashboardRefusal('TEAM_FULL'));
    expect(await invite('lea@example.org')).toMatchObject({ status: 201 });
  });
});

describe('the security log', () => {
  test('tells owners who did what, page by page, the latest first, and nothing of other accounts', async () => {
    const [owner, other, accountId] = await twoOwners();
    await owner.call('changeRole', roleIn(other, 'developer'));
    await owner.call('removeMember', idIn(other));
    const { body } = await owner.call('listActs');
    expect(body.acts).toMatchObject([
      { act: 'member-removed', actor: 'Zoé Martin', subject: other.email },
      { act: 'role-changed', actor: 'Zoé Martin', subject: `${other.email}: developer` },
      { act: 'signed-in' },
      { act: 'signed-in' },
      { act: 'key-created', actor: null }, // by the operator, with the account
    ]);
    const many = Array.from({ length: 60 }, (_, i) => ({
      ...{ account_id: accountId, id: `00000000-0000-7000-8000-0000000000${String(i).padStart(2, '0')}` },
      ...{ at: new Date(), act: 'signed-in' },
    }));
    await server.db.insertInto('member_acts').values(many).execute();
    const first = (await owner.call('listActs')).body;
    const rest = (await owner.call('listActs', { query: { cursor: first.nextCursor } })).body;
    expect([first.acts.length, rest.acts.length, rest.nextCursor]).toEqual([50, 15, null]);
    const ids = [...first.acts, ...rest.acts].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });
});
