import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { SignedInStaff, StaffSessions } from '../../http/staff-authentication.ts';
import { STAFF } from '../../identity/people.ts';
import { createSessionFinder } from '../../identity/sessions.ts';

export const createStaffSessions = (db: Database, now: () => Date): StaffSessions =>
  createSessionFinder<Omit<SignedInStaff, 'csrfToken'>>(
    db,
    STAFF,
    sql`p.id as "staffId", p.name, p.email, p.role, p.language, p.second_factor_since is not null as "hasSecondFactor",
      s.by_single_sign_on as "bySingleSignOn"`,
    now,
  );
