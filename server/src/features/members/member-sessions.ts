import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { MemberSessions, SignedInMember } from '../../http/member-authentication.ts';
import { MEMBERS } from '../../identity/people.ts';
import { createSessionFinder } from '../../identity/sessions.ts';
import { accountMoving } from '../../refusals/refusal.ts';

/** A session of an account that another cell serves is not ended: its caller tries again, and is sent there. */
export function createMemberSessions(db: Database, now: () => Date): MemberSessions {
  const sessions = createSessionFinder<Omit<SignedInMember, 'csrfToken'> & { isMoved: boolean }>(
    db,
    MEMBERS,
    sql`p.id as "memberId", p.account_id as "ownAccountId", a.name as "accountName",
      coalesce(s.test_account_id, p.account_id) as "accountId", s.test_account_id is not null as "isTestMode",
      coalesce((select t.client_id from accounts t where t.id = s.test_account_id), a.client_id) as "clientId",
      coalesce((select t.clock_ahead_ms from accounts t where t.id = s.test_account_id), 0) as "clockAheadMs",
      p.name, p.email, p.role, p.language, p.second_factor_since is not null as "hasSecondFactor",
      a.moved_to is not null as "isMoved", null as view`,
    now,
  );
  return {
    async find(token) {
      const found = await sessions.find(token);
      if (!found) return null;
      const { isMoved, ...member } = found;
      if (isMoved) throw accountMoving();
      return member;
    },
  };
}
