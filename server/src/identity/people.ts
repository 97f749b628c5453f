import { type RawBuilder, sql } from 'kysely';

/**
 * Tables of people who sign in with a password and a second factor: members of merchants, and staff. They have the same
 * columns for passwords, codes and sessions, so that one module serves both.
 */
export interface People {
  people: 'members' | 'staff';
  sessions: 'member_sessions' | 'staff_sessions';
  recoveryCodes: 'member_recovery_codes' | 'staff_recovery_codes';
  passwordResets: 'member_password_resets' | 'staff_password_resets';
  /** Column of the dependent tables that refers to the person. */
  personId: 'member_id' | 'staff_id';
  /** Absolute lifetime of a session, also of an active one. */
  sessionSeconds: number;
  /** Purpose in session tokens. */
  tokenPurpose: string;
  /** Further tables, joined to the person `p`; a person without a match cannot sign in and has no session. */
  join: RawBuilder<unknown>;
  /** Whether this cell serves the person of a row `t` of a dependent table. */
  isServed: RawBuilder<unknown>;
  /** The account of a person `p`; null for staff. */
  accountId: RawBuilder<string | null>;
  /** Words that must not make up the password of a person `p`, besides name and address. */
  words: RawBuilder<string[]>;
}

export const MEMBERS: People = {
  people: 'members',
  sessions: 'member_sessions',
  recoveryCodes: 'member_recovery_codes',
  passwordResets: 'member_password_resets',
  personId: 'member_id',
  sessionSeconds: 30 * 86_400,
  tokenPurpose: 'session',
  join: sql`join accounts a on a.id = p.account_id and a.closed_at is null`,
  isServed: sql`exists (
    select from members m join accounts a on a.id = m.account_id where m.id = t.member_id and a.moved_to is null)`,
  accountId: sql`p.account_id`,
  words: sql`array(select a.name from accounts a where a.id = p.account_id)`,
};

export const STAFF: People = {
  people: 'staff',
  sessions: 'staff_sessions',
  recoveryCodes: 'staff_recovery_codes',
  passwordResets: 'staff_password_resets',
  personId: 'staff_id',
  sessionSeconds: 12 * 3_600, // a shift: the identity provider gives the role at each sign-in
  tokenPurpose: 'console',
  join: sql``,
  isServed: sql`true`,
  accountId: sql`null::uuid`,
  words: sql`'{}'::text[]`,
};
