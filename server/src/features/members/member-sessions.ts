import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { MemberSessions, SignedInMember } from '../../http/member-authentication.ts';
import { MEMBERS } from '../../identity/people.ts';
import { createSessionFinder } from '../../identity/sessions.ts';

export const createMemberSessions = (db: Database, now: () => Date): MemberSessions =>
  createSessionFinder<Omit<SignedInMember, 'csrfToken'>>(
    db,
    MEMBERS,
    sql`p.id as "memberId", p.account_id as "accountId", a.name as "accountName", a.client_id as "clientId",
      p.name, p.email, p.role, p.language, p.second_factor_since is not null as "hasSecondFactor"`,
    now,
  );
