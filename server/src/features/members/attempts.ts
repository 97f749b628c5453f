import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import { isPassword } from '../../password.ts';

const WRONG_IN_A_ROW = 5;
const LOCKED_FOR_MINUTES = 15;

/** Whose password it is, once it was right. */
export interface ProvenMember {
  memberId: string;
  accountId: string;
  name: string;
  hasSecondFactor: boolean;
  /** What it was right by. */
  passwordHash: string;
}

/**
 * The attempt is counted before it is looked at, in one statement: of a thousand guesses that arrive together five are
 * looked at. The right password clears the count. Null for unknown, locked and wrong, all as slowly.
 */
async function provePassword(
  db: Database,
  who: RawBuilder<boolean>,
  password: string,
  now: Date,
): Promise<ProvenMember | null> {
  const { rows } = await sql<ProvenMember>`
    update members m
    set wrong_passwords = case when locked_until is null then wrong_passwords + 1 else 1 end,
        locked_until = case when locked_until is null and wrong_passwords + 1 >= ${WRONG_IN_A_ROW}
          then ${now}::timestamptz + make_interval(mins => ${LOCKED_FOR_MINUTES}) end
    from accounts a
    where ${who} and a.id = m.account_id and a.closed_at is null and (locked_until is null or locked_until <= ${now})
    returning m.id as "memberId", m.account_id as "accountId", m.name, m.password_hash as "passwordHash",
      m.second_factor_since is not null as "hasSecondFactor"`.execute(db);
  const [proven] = rows;
  const right = await isPassword(password, proven?.passwordHash ?? null);
  if (!proven || !right) return null;
  await db
    .updateTable('members')
    .set({ wrong_passwords: 0, locked_until: null })
    .where('id', '=', proven.memberId)
    .execute();
  return proven;
}

/** Of somebody at the door, known by their e-mail. */
export const provePasswordOf = (db: Database, email: string, password: string, now: Date) =>
  provePassword(db, sql`lower(m.email) = lower(${email})`, password, now);

/** Of somebody who is in, before what a found laptop must not be able to do. */
export async function askPassword(db: Database, memberId: string, password: string, now: Date): Promise<void> {
  if (!(await provePassword(db, sql`m.id = ${memberId}`, password, now))) refuseDashboard('WRONG_PASSWORD');
}

/** Counts an attempt at a code as passwords are counted; false while locked. */
export async function countCodeAttempt(db: Database, memberId: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update members
    set wrong_codes = case when codes_locked_until is null then wrong_codes + 1 else 1 end,
        codes_locked_until = case when codes_locked_until is null and wrong_codes + 1 >= ${WRONG_IN_A_ROW}
          then ${now}::timestamptz + make_interval(mins => ${LOCKED_FOR_MINUTES}) end
    where id = ${memberId} and (codes_locked_until is null or codes_locked_until <= ${now})`.execute(db);
  return numAffectedRows === 1n;
}

export const CODES_CLEARED = { wrong_codes: 0, codes_locked_until: null };
