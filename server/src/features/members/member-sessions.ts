import { hash, randomUUIDv7 } from 'node:crypto';
import type { Language, Role } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { MemberSessions, SignedInMember } from '../../http/dashboard-door.ts';
import { hashSecretToken, newSecretToken } from '../../secret-token.ts';
import { isUuid } from '../../uuid.ts';

export const SESSION_SECONDS = 30 * 86_400; // then people sign in again, however busy they are
const IDLE_HOURS = 24; // a weekend away ends it
const MOST_LISTED = 50; // nobody has as many browsers
const SEEN_EVERY_SECONDS = 60; // how often being seen is written down

const PREFIX = 'navette_session_';

const toBytes = (token: string) => Buffer.from(hashSecretToken(token), 'hex');

/** Made of the session's own token, so that it opens nothing elsewhere and ends with it; the token cannot be told from it. */
const csrfTokenOf = (sessionToken: string): string => hash('sha256', `csrf:${sessionToken}`, 'base64url');

interface MemberRef {
  accountId: string;
  memberId: string;
}

/** Opens a session; the token is returned this once and kept hashed. */
export async function openSession(
  tx: Tx | Database,
  { accountId, memberId }: MemberRef,
  device: string | null,
  now: Date,
): Promise<string> {
  const token = newSecretToken(PREFIX);
  await tx
    .insertInto('member_sessions')
    .values({
      id: randomUUIDv7(),
      account_id: accountId,
      member_id: memberId,
      token_hash: toBytes(token),
      device,
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + SESSION_SECONDS * 1_000),
    })
    .execute();
  return token;
}

/** Whoever carries the token is signed out; an unknown one is no matter. */
export async function closeSession(tx: Tx | Database, token: string): Promise<void> {
  await tx.deleteFrom('member_sessions').where('token_hash', '=', toBytes(token)).execute();
}

/** The same session under a new token: what was known of the old one is worth nothing. */
export async function renewSession(tx: Tx, sessionId: string): Promise<string> {
  const token = newSecretToken(PREFIX);
  await tx
    .updateTable('member_sessions')
    .set({ token_hash: toBytes(token) })
    .where('id', '=', sessionId)
    .execute();
  return token;
}

export async function closeOtherSessions(tx: Tx, memberId: string, sessionId: string): Promise<void> {
  await tx.deleteFrom('member_sessions').where('member_id', '=', memberId).where('id', '!=', sessionId).execute();
}

export async function closeAllSessions(tx: Tx | Database, memberId: string): Promise<void> {
  await tx.deleteFrom('member_sessions').where('member_id', '=', memberId).execute();
}

/** False when the member has no such session. */
export async function closeOwnSession(db: Database, memberId: string, sessionId: string): Promise<boolean> {
  if (!isUuid(sessionId)) return false;
  const { numDeletedRows } = await db
    .deleteFrom('member_sessions')
    .where('member_id', '=', memberId)
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export function listSessions(db: Database, memberId: string, now: Date) {
  return db
    .selectFrom('member_sessions')
    .select(['id', 'device', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
    .where('member_id', '=', memberId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', seenSince(now))
    .orderBy('last_seen_at', 'desc')
    .limit(MOST_LISTED)
    .execute();
}

/** Who was not seen since is out. */
export const seenSince = (now: Date) => new Date(now.getTime() - IDLE_HOURS * 3_600_000);

interface OpenSession extends Omit<SignedInMember, 'csrfToken'> {
  seenLately: boolean;
}

export function createMemberSessions(db: Database, now: () => Date): MemberSessions {
  const read = async (token: string, at: Date) => {
    const { rows } = await sql<OpenSession & { role: Role; language: Language }>`
      select m.id as "memberId", m.account_id as "accountId", a.name as "accountName", a.client_id as "clientId",
        m.name, m.email, m.role, m.language, m.second_factor_since is not null as "hasSecondFactor",
        s.id as "sessionId", s.expires_at as "expiresAt",
        s.last_seen_at > ${at}::timestamptz - make_interval(secs => ${SEEN_EVERY_SECONDS}) as "seenLately"
      from member_sessions s
      join members m on m.id = s.member_id
      join accounts a on a.id = m.account_id and a.closed_at is null
      where s.token_hash = ${toBytes(token)} and s.expires_at > ${at}
        and s.last_seen_at > ${seenSince(at)}`.execute(db);
    return rows[0];
  };
  return {
    async find(token) {
      const at = now();
      const found = await read(token, at);
      if (!found) return null;
      const { seenLately, ...member } = found;
      if (!seenLately) {
        await db
          .updateTable('member_sessions')
          .set({ last_seen_at: at })
          .where('id', '=', member.sessionId)
          .where('last_seen_at', '<', at)
          .execute();
      }
      return { ...member, csrfToken: csrfTokenOf(token) };
    },
  };
}
