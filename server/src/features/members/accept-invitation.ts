import type { Language, Role } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { MEMBERS } from '../../identity/people.ts';
import { refuseGuessable } from '../../identity/refuse-guessable.ts';
import { closeSession, openSession } from '../../identity/sessions.ts';
import type { Browser } from '../../identity/sign-in.ts';
import { refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { hashPassword } from '../../secrets/hash-password.ts';
import { createMember } from './create-member.ts';
import { findInvitationByToken } from './invitations.ts';
import { actorOf, recordAct } from './security-log.ts';

interface Acceptance {
  token: string;
  name: string;
  password: string;
  language: Language;
}

/** Uses up the link: of two concurrent requests, one creates the member. Returns the token of the first session. */
export async function acceptInvitation(
  db: Database,
  { token, name, password, language }: Acceptance,
  { device, oldToken }: Browser,
  now: Date,
): Promise<string> {
  const invited = (await findInvitationByToken(db, token, now)) ?? refuseDashboard('LINK_GONE');
  await refuseGuessable('password', password, [invited.email, name, invited.accountName]);
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (tx) => {
    const invitation = (await findInvitationByToken(tx, token, now)) ?? refuseDashboard('LINK_GONE');
    const { accountId, email } = invitation;
    const used = await tx.deleteFrom('member_invitations').where('id', '=', invitation.id).executeTakeFirst();
    if (used.numDeletedRows === 0n) refuseDashboard('LINK_GONE');
    const person = { email, name, role: invitation.role as Role, language, passwordHash };
    const memberId = (await createMember(tx, accountId, person, now)) ?? refuseDashboard('EMAIL_TAKEN');
    if (oldToken) await closeSession(tx, MEMBERS, oldToken);
    await recordAct(
      tx,
      accountId,
      actorOf({ memberId, email, name }),
      { act: 'invitation-accepted', subject: email },
      now,
    );
    return openSession(tx, MEMBERS, { personId: memberId, device, more: { account_id: accountId } }, now);
  });
}
