import { randomUUIDv7 } from 'node:crypto';
import { type Language, MAX_TEAM_SIZE, type Role } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { hashLinkToken, newLinkToken } from '../../secrets/link-token.ts';
import type { Authorize } from './require-actor.ts';
import { type Actor, recordAct } from './security-log.ts';

const INVITATION_DAYS = 7;

export interface InvitationRequest {
  email: string;
  role: Role;
  language: Language;
}

const COLUMNS = [
  'id',
  'email',
  'role',
  'language',
  'invited_by_email as invitedBy',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

/**
 * Replaces an open invitation of the same address. Does not reveal to the inviter whether the address is a member of
 * another account: the invited person learns it on following the link.
 */
export async function invite(
  tx: Tx,
  accountId: string,
  authorize: Authorize,
  { email, role, language }: InvitationRequest,
  now: Date,
) {
  // Serialises the invitations of one account, so that none exceeds the limit.
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const actor = await authorize(tx);
  await refuseFullTeam(tx, accountId, email);
  const values = { email, role, language, ...inviterOf(actor), token_hash: null, ...validFrom(now) };
  const invitation = await tx
    .insertInto('member_invitations')
    .values({ id: randomUUIDv7(), account_id: accountId, ...values })
    .onConflict((conflict) => conflict.expression(sql`account_id, lower(email)`).doUpdateSet(values))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  const { id: subjectId } = invitation;
  await recordAct(tx, accountId, actor, { act: 'member-invited', subject: `${email} · ${role}`, subjectId }, now);
  return invitation;
}

const validFrom = (now: Date) => ({
  created_at: now,
  expires_at: new Date(now.getTime() + INVITATION_DAYS * 86_400_000),
});

const inviterOf = (actor: Actor) =>
  actor.kind === 'member'
    ? { invited_by: actor.name, invited_by_id: actor.id, invited_by_email: actor.email }
    : { invited_by: null, invited_by_id: null, invited_by_email: null };

async function refuseFullTeam(tx: Tx, accountId: string, email: string): Promise<void> {
  // Read before the members: an invitation accepted between the two reads is counted twice, never missed.
  const others = await tx
    .selectFrom('member_invitations')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => eb(eb.fn('lower', ['email']), '!=', email.toLowerCase()))
    .limit(MAX_TEAM_SIZE)
    .execute();
  const members = await tx
    .selectFrom('members')
    .select((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()).as('isInvited'))
    .where('account_id', '=', accountId)
    .limit(MAX_TEAM_SIZE)
    .execute();
  if (members.some(({ isInvited }) => isInvited)) refuseDashboard('EMAIL_TAKEN');
  if (members.length + others.length >= MAX_TEAM_SIZE) refuseDashboard('TEAM_FULL');
}

/** Renews the validity. The worker creates the new link. Undefined if the account has no such invitation. */
export async function renewInvitation(tx: Tx, accountId: string, actor: Actor, invitationId: string, now: Date) {
  if (!isUuid(invitationId)) return undefined;
  const renewed = await tx
    .updateTable('member_invitations')
    .set({ token_hash: null, ...inviterOf(actor), ...validFrom(now) })
    .where('account_id', '=', accountId)
    .where('id', '=', invitationId)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!renewed) return undefined;
  const subject = `${renewed.email} · ${renewed.role}`;
  await recordAct(tx, accountId, actor, { act: 'invitation-resent', subject, subjectId: renewed.id }, now);
  return renewed;
}

export async function withdrawInvitation(
  tx: Tx,
  accountId: string,
  actor: Actor,
  invitationId: string,
  now: Date,
): Promise<boolean> {
  if (!isUuid(invitationId)) return false;
  const withdrawn = await tx
    .deleteFrom('member_invitations')
    .where('account_id', '=', accountId)
    .where('id', '=', invitationId)
    .returning('email')
    .executeTakeFirst();
  if (!withdrawn) return false;
  const subject = withdrawn.email;
  await recordAct(tx, accountId, actor, { act: 'invitation-withdrawn', subject, subjectId: invitationId }, now);
  return true;
}

/** Withdraws the invitations of a removed member, who must not grant access any more. Returns the invited addresses. */
export async function withdrawInvitationsBy(
  tx: Tx,
  accountId: string,
  actor: Actor,
  memberId: string,
  now: Date,
): Promise<string[]> {
  const invited = await tx
    .selectFrom('member_invitations')
    .select(['id', 'email'])
    .where('account_id', '=', accountId)
    .where('invited_by_id', '=', memberId)
    .orderBy('id')
    .execute();
  for (const { id } of invited) await withdrawInvitation(tx, accountId, actor, id, now);
  return invited.map(({ email }) => email);
}

export function listInvitations(db: Database, accountId: string) {
  return db
    .selectFrom('member_invitations')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(MAX_TEAM_SIZE)
    .execute();
}

/** Replaces the token: the previous link stops working. */
export async function replaceInvitationToken(db: Database | Tx, invitationId: string): Promise<string> {
  const { token, tokenHash } = newLinkToken('invitation');
  await db.updateTable('member_invitations').set({ token_hash: tokenHash }).where('id', '=', invitationId).execute();
  return token;
}

/** The token is the only credential. */
export function findInvitationByToken(db: Database | Tx, token: string, now: Date) {
  return db
    .selectFrom('member_invitations as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .select(['i.id', 'i.account_id as accountId', 'i.email', 'i.role', 'i.language', 'i.invited_by_email as invitedBy'])
    .select('a.name as accountName')
    .where('i.token_hash', '=', hashLinkToken(token))
    .where('i.expires_at', '>', now)
    .where('a.closed_at', 'is', null)
    .executeTakeFirst();
}
