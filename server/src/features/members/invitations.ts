import { randomUUIDv7 } from 'node:crypto';
import { type Language, MAX_TEAM_SIZE, type Role } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import { isUuid } from '../../uuid.ts';
import { type Actor, recordAct } from './acts.ts';
import { hashLinkToken, newLinkToken } from './link-token.ts';

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
  'invited_by as invitedBy',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

const expiryFrom = (now: Date) => new Date(now.getTime() + INVITATION_DAYS * 86_400_000);

/**
 * An open invitation of the same address is replaced. Whether the address has an account elsewhere is for the invited to
 * learn when they follow the link, not for whoever invites.
 */
export async function invite(
  tx: Tx,
  accountId: string,
  actor: Actor,
  { email, role, language }: InvitationRequest,
  now: Date,
) {
  await refuseFullTeam(tx, accountId, email);
  const values = {
    ...{ email, role, language, invited_by: actor.name, token_hash: null },
    ...{ created_at: now, expires_at: expiryFrom(now) },
  };
  const invitation = await tx
    .insertInto('member_invitations')
    .values({ id: randomUUIDv7(), account_id: accountId, ...values })
    .onConflict((conflict) => conflict.expression(sql`account_id, lower(email)`).doUpdateSet(values))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await recordAct(tx, accountId, actor, 'member-invited', email, now);
  return invitation;
}

async function refuseFullTeam(tx: Tx, accountId: string, email: string): Promise<void> {
  const members = await tx
    .selectFrom('members')
    .select((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()).as('isInvited'))
    .where('account_id', '=', accountId)
    .limit(MAX_TEAM_SIZE)
    .execute();
  if (members.some(({ isInvited }) => isInvited)) refuseDashboard('EMAIL_TAKEN');
  const others = await tx
    .selectFrom('member_invitations')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => eb(eb.fn('lower', ['email']), '!=', email.toLowerCase()))
    .limit(MAX_TEAM_SIZE)
    .execute();
  if (members.length + others.length >= MAX_TEAM_SIZE) refuseDashboard('TEAM_FULL');
}

/** Valid for as long again, under a link that is still to be made. Undefined when the account has none such. */
export async function renewInvitation(tx: Tx, accountId: string, invitationId: string, now: Date) {
  if (!isUuid(invitationId)) return undefined;
  return tx
    .updateTable('member_invitations')
    .set({ token_hash: null, created_at: now, expires_at: expiryFrom(now) })
    .where('account_id', '=', accountId)
    .where('id', '=', invitationId)
    .returning(COLUMNS)
    .executeTakeFirst();
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
  if (withdrawn) await recordAct(tx, accountId, actor, 'invitation-withdrawn', withdrawn.email, now);
  return withdrawn !== undefined;
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

/** The link that counts from now on; the one before is dead. */
export async function makeInvitationToken(db: Database | Tx, invitationId: string): Promise<string> {
  const { token, tokenHash } = newLinkToken('invitation');
  await db.updateTable('member_invitations').set({ token_hash: tokenHash }).where('id', '=', invitationId).execute();
  return token;
}

/** Whoever carries the link may read it: it is the permission. */
export function findInvitationByToken(db: Database | Tx, token: string, now: Date) {
  return db
    .selectFrom('member_invitations as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .select(['i.id', 'i.account_id as accountId', 'i.email', 'i.role', 'i.language', 'i.invited_by as invitedBy'])
    .select('a.name as accountName')
    .where('i.token_hash', '=', hashLinkToken(token))
    .where('i.expires_at', '>', now)
    .where('a.closed_at', 'is', null)
    .executeTakeFirst();
}
