import type { FastifyInstance } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import { sendMemberMailJob } from '../../jobs/definitions.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { refuseAsTooMany } from '../../refusals/refusal.ts';
import { invite, listInvitations, renewInvitation, withdrawInvitation } from './invitations.ts';
import { presentAct, presentInvitation, presentTeamMember } from './member-json.ts';
import type { MembersOptions } from './members-options.ts';
import { authorizeMember, requireActor } from './require-actor.ts';
import { listActs } from './security-log.ts';
import { changeRole, listMembers, removeMember } from './team.ts';

const INVITATIONS_PER_ACCOUNT = { minute: 50, hour: 50, day: 50 }; // mails to arbitrary addresses, from the operator's domain

/** Endpoints for members, roles, invitations and the security log. */
export function serveTeam(app: FastifyInstance, options: MembersOptions): void {
  const { db, jobs, rateLimiter, now } = options;

  bindDashboard(app, 'listTeam', async ({ member, answer }) => {
    const [members, invitations] = await Promise.all([
      listMembers(db, member.ownAccountId, now()),
      listInvitations(db, member.ownAccountId),
    ]);
    return answer(200, {
      success: true,
      members: members.map(presentTeamMember),
      invitations: invitations.map(presentInvitation),
    });
  });

  bindDashboard(app, 'inviteMember', async ({ member, body, answer }) => {
    await refuseTooManyInvitations(rateLimiter, member.ownAccountId);
    const { email, role, language = member.language } = body;
    const invitation = await db.transaction().execute(async (tx) => {
      const authorize = authorizeMember(member, 'own', now());
      const invited = await invite(tx, member.ownAccountId, authorize, { email, role, language }, now());
      await jobs.send(tx, sendMemberMailJob, { kind: 'invitation', id: invited.id });
      return invited;
    });
    return answer(201, { success: true, invitation: presentInvitation(invitation) });
  });

  bindDashboard(app, 'resendInvitation', async ({ member, params, answer }) => {
    await refuseTooManyInvitations(rateLimiter, member.ownAccountId);
    const invitation = await db.transaction().execute(async (tx) => {
      const actor = await requireActor(tx, member, 'own', now());
      const renewed = await renewInvitation(tx, member.ownAccountId, actor, params.id, now());
      if (renewed) await jobs.send(tx, sendMemberMailJob, { kind: 'invitation', id: renewed.id });
      return renewed;
    });
    if (!invitation) return refuseAsNotFound();
    return answer(200, { success: true, invitation: presentInvitation(invitation) });
  });

  bindDashboard(app, 'withdrawInvitation', async ({ member, params, answer }) => {
    const withdrawn = await db.transaction().execute(async (tx) => {
      const actor = await requireActor(tx, member, 'own', now());
      return withdrawInvitation(tx, member.ownAccountId, actor, params.id, now());
    });
    if (!withdrawn) return refuseAsNotFound();
    return answer(200, { success: true });
  });

  bindDashboard(app, 'changeRole', async ({ member, params, body, answer }) => {
    await changeRole(db, { accountId: member.ownAccountId, by: member, memberId: params.id }, body.role, now());
    return answer(200, { success: true });
  });

  bindDashboard(app, 'removeMember', async ({ member, params, answer }) => {
    const change = { accountId: member.ownAccountId, by: member, memberId: params.id };
    return answer(200, { success: true, ...(await removeMember(options, change, now())) });
  });

  bindDashboard(app, 'listActs', async ({ member, query, answer }) => {
    const { acts, nextCursor } = await listActs(db, member.accountId, query.cursor);
    return answer(200, { success: true, acts: acts.map(presentAct), nextCursor });
  });
}

async function refuseTooManyInvitations(rateLimiter: RateLimiter, accountId: string): Promise<void> {
  const { exhausted } = await rateLimiter.take(`invitations:${accountId}`, INVITATIONS_PER_ACCOUNT);
  if (exhausted) refuseAsTooMany(exhausted);
}
