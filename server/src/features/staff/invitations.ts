import { randomUUIDv7 } from 'node:crypto';
import type { Language, StaffRole } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import { hashLinkToken, newLinkToken } from '../../secrets/link-token.ts';
import { nameOfActor, recordOperatorAct } from './operator-log.ts';
import type { AuthorizeOperator } from './require-staff.ts';

const INVITATION_DAYS = 7;
const MOST_LISTED = 500;

export interface StaffInvitationRequest {
  email: string;
  role: StaffRole;
  language: Language;
}

const COLUMNS = [
  'id',
  'email',
  'role',
  'language',
  'invited_by as invitedBy',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

/** Replaces an open invitation of the same address, whose link becomes invalid. */
export async function inviteStaff(
  tx: Tx,
  authorize: AuthorizeOperator,
  { email, role, language }: StaffInvitationRequest,
  now: Date,
) {
  const actor = await authorize(tx);
  const taken = await tx
    .selectFrom('staff')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  if (taken) refuseConsole('EMAIL_TAKEN');
  const values = {
    email,
    role,
    language,
    invited_by: nameOfActor(actor),
    invited_by_id: actor.kind === 'staff' ? actor.id : null,
    token_hash: null,
    created_at: now,
    expires_at: new Date(now.getTime() + INVITATION_DAYS * 86_400_000),
  };
  const invitation = await tx
    .insertInto('staff_invitations')
    .values({ id: randomUUIDv7(), ...values })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doUpdateSet(values))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  const subject = { type: 'invitation', id: invitation.id, title: email };
  await recordOperatorAct(tx, actor, { act: 'staff.invited', subject, details: { role } }, now);
  return invitation;
}

/** False if there is no such invitation. */
export async function withdrawStaffInvitation(
  tx: Tx,
  authorize: AuthorizeOperator,
  invitationId: string,
  now: Date,
): Promise<boolean> {
  if (!isUuid(invitationId)) return false;
  const actor = await authorize(tx);
  const withdrawn = await tx
    .deleteFrom('staff_invitations')
    .where('id', '=', invitationId)
    .returning('email')
    .executeTakeFirst();
  if (!withdrawn) return false;
  const subject = { type: 'invitation', id: invitationId, title: withdrawn.email };
  await recordOperatorAct(tx, actor, { act: 'staff.invitation_withdrawn', subject }, now);
  return true;
}

export const listStaffInvitations = (db: Database) =>
  db.selectFrom('staff_invitations').select(COLUMNS).orderBy('created_at', 'desc').limit(MOST_LISTED).execute();

/** Replaces the token: the previous link stops working. */
export async function replaceStaffInvitationToken(db: Database | Tx, invitationId: string): Promise<string> {
  const { token, tokenHash } = newLinkToken('invitation');
  await db.updateTable('staff_invitations').set({ token_hash: tokenHash }).where('id', '=', invitationId).execute();
  return token;
}

/** The token is the only credential. */
export const findStaffInvitationByToken = (db: Database | Tx, token: string, now: Date) =>
  db
    .selectFrom('staff_invitations')
    .select(COLUMNS)
    .where('token_hash', '=', hashLinkToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
