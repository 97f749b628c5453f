import type { FastifyInstance } from 'fastify';
import type { Database, Tx } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { MemberSessions, SignedInMember } from '../../http/member-authentication.ts';
import { MEMBER_COOKIE } from '../../http/session-cookie.ts';
import { MEMBERS } from '../../identity/people.ts';
import { renewSession } from '../../identity/sessions.ts';
import { refuseAsNotFound, refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { findOrCreateTwin, findTwin } from '../accounts/index.ts';
import { authorizeMember, presentSession, recordAct } from '../members/index.ts';

export interface ModeOptions {
  db: Database;
  sessions: MemberSessions;
  now: () => Date;
}

/** The dashboard's switch between the live account and its test twin. */
export function serveModeSwitch(app: FastifyInstance, { db, sessions, now }: ModeOptions): void {
  bindDashboard(app, 'switchMode', async ({ member, body, answer }) => {
    const token = await db.transaction().execute(async (tx) => {
      const twin = body.mode === 'test' ? await openTwin(tx, member, now()) : null;
      if (body.mode === 'live') await authorizeMember(member, 'read', now())(tx);
      const session = { account_id: member.ownAccountId, test_account_id: twin };
      await tx.updateTable('member_sessions').set(session).where('id', '=', member.sessionId).execute();
      return renewSession(tx, MEMBERS, member.sessionId);
    });
    const renewed = (await sessions.find(token)) ?? refuseDashboard('NOT_SIGNED_IN');
    return answer(200, presentSession(renewed), MEMBER_COOKIE.set(token, MEMBERS.sessionSeconds));
  });
}

/** Creates the twin for a member who may manage keys; the others use the one that exists. */
async function openTwin(tx: Tx, member: SignedInMember, now: Date): Promise<string> {
  const { ownAccountId } = member;
  const existing = await findTwin(tx, ownAccountId);
  if (existing) {
    await authorizeMember(member, 'read', now)(tx);
    return existing;
  }
  const { id, isNew } = (await findOrCreateTwin(tx, ownAccountId)) ?? refuseAsNotFound();
  const actor = await authorizeMember(member, 'develop', now)(tx);
  if (isNew) await recordAct(tx, ownAccountId, actor, { act: 'test-mode-created', subjectId: id }, now);
  return id;
}
