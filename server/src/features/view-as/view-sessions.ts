import { type Role, STAFF_ROLE_ALLOWS, STAFF_ROLES } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { MemberSessions, SignedInMember } from '../../http/member-authentication.ts';
import { csrfTokenOf, seenSince, toBytes } from '../../identity/sessions.ts';
import { tokenPrefix } from '../../secrets/secret-token.ts';

export const VIEW_TOKEN = 'view';
const VIEW_TOKEN_PREFIX = tokenPrefix(VIEW_TOKEN);

const ROLE: Role = 'owner'; // sees every page; SERVED_IN_VIEW limits the operations
const VIEWING_ROLES = STAFF_ROLES.filter((role) => STAFF_ROLE_ALLOWS[role].includes('support'));

/** Adds views of staff to the sessions of members. The prefix of the token decides, so that none is looked up as both. */
export function withViews(members: MemberSessions, db: Database, now: () => Date): MemberSessions {
  return {
    find: (token) => (token.startsWith(VIEW_TOKEN_PREFIX) ? findView(db, token, now()) : members.find(token)),
  };
}

/** Null once the view or the staff session has ended, the role has changed, or the account was closed. */
async function findView(db: Database, token: string, now: Date): Promise<SignedInMember | null> {
  const { rows } = await sql<Omit<SignedInMember, 'csrfToken' | 'role'>>`
    select p.id as "memberId", v.account_id as "accountId", v.account_id as "ownAccountId", false as "isTestMode", 0 as "clockAheadMs", a.name as "accountName", a.client_id as "clientId",
      p.name, p.email, p.language, p.second_factor_since is not null as "hasSecondFactor", v.id as "sessionId",
      v.expires_at as "expiresAt", json_build_object('id', v.id, 'reason', v.reason) as view
    from merchant_views v
    join staff_sessions s on s.id = v.staff_session_id
    join staff p on p.id = s.staff_id
    join accounts a on a.id = v.account_id and a.closed_at is null
    where v.token_hash = ${toBytes(token)} and v.expires_at > ${now}
      and s.expires_at > ${now} and s.last_seen_at > ${seenSince(now)}
      and p.role = v.staff_role and p.role in (${sql.join(VIEWING_ROLES)})`.execute(db);
  const [found] = rows;
  return found ? { ...found, role: ROLE, csrfToken: csrfTokenOf(token) } : null;
}
