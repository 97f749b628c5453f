import type { FastifyInstance } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { refuseAsNotFound } from '../../http/dashboard-refusal.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import { refuseAsTooMany } from '../../http/refusal.ts';
import { sendMemberMailJob } from '../../jobs/definitions.ts';
import { listActs } from './acts.ts';
import { invite, listInvitations, renewInvitation, withdrawInvitation } from './invitations.ts';
import type { MembersOptions } from './members-options.ts';
import { presentAct, presentInvitation, presentTeamMember } from './present.ts';
import { changeRole, listMembers, removeMember } from './team.ts';

const INVITATIONS_PER_ACCOUNT = { minute: 20, hour: 100, day: 300 }; // letters, to whomever

/** Who works for the account, and as what. */
export function serveTeam(app: FastifyInstance, { db, jobs, rateLimiter, now }: MembersOptions): void {
  bindDashboard(app, 'listTeam', async ({ member, answer }) => {
    const [members, invitations] = await Promise.all([
      listMembers(db, member.accountId, now()),
      listInvitations(db, member.accountId),
    ]);
    return answer(200, {
      success: true,
      members: members.map(presentTeamMember),
      invitations: invitations.map(presentInvitation),
    });
  });

  bindDashboard(app, 'inviteMember', async ({ member, body, answer }) => {
    await refuseTooManyLetters(rateLimiter, member.accountId);
    const { email, role, language = member.language } = body;
    const invitation = await db.transaction().execute(async (tx) => {
      const made = await invite(tx, member.accountId, member, { email, role, language }, now());
      await jobs.send(tx, sendMemberMailJob, { kind: 'invitation', id: made.id });
      return made;
    });
    return answer(201, { success: true, invitation: presentInvitation(invitation) });
  });

  bindDashboard(app, 'resendInvitation', async ({ member, params, answer }) => {
    await refuseTooManyLetters(rateLimiter, member.accountId);
    const invitation = await db.transaction().execute(async (tx) => {
      const renewed = await renewInvitation(tx, member.accountId, params.id, now());
      if (renewed) await jobs.send(tx, sendMemberMailJob, { kind: 'invitation', id: renewed.id });
      return renewed;
    });
    if (!invitation) return refuseAsNotFound();
    return answer(200, { success: true, invitation: presentInvitation(invitation) });
  });

  bindDashboard(app, 'withdrawInvitation', async ({ member, params, answer }) => {
    const withdrawn = await db
      .transaction()
      .execute((tx) => withdrawInvitation(tx, member.accountId, member, params.id, now()));
    if (!withdrawn) return refuseAsNotFound();
    return answer(200, { success: true });
  });

  bindDashboard(app, 'changeRole', async ({ member, params, body, answer }) => {
    await changeRole(db, member.accountId, member, { memberId: params.id, role: body.role }, now());
    return answer(200, { success: true });
  });

  bindDashboard(app, 'removeMember', async ({ member, params, answer }) => {
    await removeMember(db, member.accountId, member, params.id, now());
    return answer(200, { success: true });
  });

  bindDashboard(app, 'listActs', async ({ member, query, answer }) => {
    const { acts, nextCursor } = await listActs(db, member.accountId, query.cursor);
    return answer(200, { success: true, acts: acts.map(presentAct), nextCursor });
  });
}

async function refuseTooManyLetters(rateLimiter: RateLimiter, accountId: string): Promise<void> {
  const { exhausted } = await rateLimiter.take(`invitations:${accountId}`, INVITATIONS_PER_ACCOUNT);
  if (exhausted) refuseAsTooMany(exhausted);
}
