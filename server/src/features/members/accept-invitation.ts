import type { Language, Role } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import { hashPassword } from '../../password.ts';
import { recordAct } from './acts.ts';
import { createMember } from './create-member.ts';
import { findInvitationByToken } from './invitations.ts';
import { closeSession, openSession } from './member-sessions.ts';
import type { Browser } from './sign-in.ts';

interface Acceptance {
  token: string;
  name: string;
  password: string;
  language: Language;
}

/** The link opens once: of two who follow it together, one becomes the member. Returns the token of a first session. */
export async function acceptInvitation(
  db: Database,
  { token, name, password, language }: Acceptance,
  { device, oldToken }: Browser,
  now: Date,
): Promise<string> {
  if (!(await findInvitationByToken(db, token, now))) refuseDashboard('LINK_GONE');
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const invitation = (await findInvitationByToken(tx, token, now)) ?? refuseDashboard('LINK_GONE');
    const { accountId, email } = invitation;
    const used = await tx.deleteFrom('member_invitations').where('id', '=', invitation.id).executeTakeFirst();
    if (used.numDeletedRows === 0n) refuseDashboard('LINK_GONE');
    const person = { email, name, role: invitation.role as Role, language, passwordHash };
    const memberId = (await createMember(tx, accountId, person, now)) ?? refuseDashboard('EMAIL_TAKEN');
    if (oldToken) await closeSession(tx, oldToken);
    await recordAct(tx, accountId, { memberId, name }, 'invitation-accepted', email, now);
    return openSession(tx, { accountId, memberId }, device, now);
  });
}
