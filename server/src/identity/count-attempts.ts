import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { verifyPassword } from '../secrets/hash-password.ts';
import type { Person } from './identity.ts';
import type { People } from './people.ts';

const WRONG_IN_A_ROW = 5;
const PASSWORD_LOCK_MINUTES = 15; // never longer: anyone who knows an e-mail address can cause it
/** Wrong codes require the right password, so longer locks affect attackers rather than the person. */
const CODE_LOCK_MINUTES = [15, 60, 240, 1_440];
const CODE_LOCKS_FORGOTTEN_DAYS = 7;

/** A person whose password was verified. */
export interface VerifiedPerson extends Person {
  hasSecondFactor: boolean;
  /** The hash that the password matched. */
  passwordHash: string;
}

interface PasswordAttempt extends VerifiedPerson {
  isRight: boolean;
  /** This attempt reached the limit. */
  isLocked: boolean;
}

/**
 * Counts the attempt before it verifies the password, in one statement: of a thousand concurrent guesses, five are
 * verified. The right password resets the count. Returns null for unknown and locked people, after the same delay as
 * for a wrong password.
 */
async function tryPassword(
  db: Database,
  { people, join, accountId }: People,
  who: RawBuilder<boolean>,
  password: string,
  now: Date,
): Promise<PasswordAttempt | null> {
  const { rows } = await sql<Omit<PasswordAttempt, 'isRight'>>`
    update ${sql.table(people)} p
    set wrong_passwords = case when locked_until is null then wrong_passwords + 1 else 1 end,
        locked_until = case when locked_until is null and wrong_passwords + 1 >= ${WRONG_IN_A_ROW}
          then ${now}::timestamptz + make_interval(mins => ${PASSWORD_LOCK_MINUTES}) end
    where p.id = (select p.id from ${sql.table(people)} p ${join} where ${who})
      and (locked_until is null or locked_until <= ${now})
    returning p.id as "personId", ${accountId} as "accountId", p.email, p.name, p.password_hash as "passwordHash",
      p.second_factor_since is not null as "hasSecondFactor", p.locked_until is not null as "isLocked"`.execute(db);
  const [person] = rows;
  const isRight = await verifyPassword(password, person?.passwordHash ?? null);
  if (!person) return null;
  if (isRight) {
    await sql`update ${sql.table(people)} set wrong_passwords = 0, locked_until = null
      where id = ${person.personId}`.execute(db);
  }
  return { ...person, isRight };
}

/** Verifies the password of an e-mail address, at sign-in. */
export const tryPasswordOf = (db: Database, people: People, email: string, password: string, now: Date) =>
  tryPassword(db, people, sql`lower(p.email) = lower(${email})`, password, now);

/** Verifies the password of a signed-in person. */
export const tryOwnPassword = (db: Database, people: People, personId: string, password: string, now: Date) =>
  tryPassword(db, people, sql`p.id = ${personId}`, password, now);

/** Number of recent consecutive locks. */
const RECENT_LOCKS = (now: Date) => sql<number>`
  case when last_code_lock_at > ${now}::timestamptz - make_interval(days => ${CODE_LOCKS_FORGOTTEN_DAYS})
    then code_locks else 0 end`;

/** Counts an attempt to enter a code, like password attempts. Null while locked. */
export async function countCodeAttempt(
  db: Database,
  { people }: People,
  personId: string,
  now: Date,
): Promise<{ isLocked: boolean } | null> {
  const { rows } = await sql<{ isLocked: boolean }>`
    update ${sql.table(people)}
    set wrong_codes = case when codes_locked_until is null then wrong_codes + 1 else 1 end,
        codes_locked_until = case when codes_locked_until is null and wrong_codes + 1 >= ${WRONG_IN_A_ROW}
          then ${now}::timestamptz + make_interval(mins =>
            (${CODE_LOCK_MINUTES}::int[])[1 + least(${RECENT_LOCKS(now)}, ${CODE_LOCK_MINUTES.length - 1})]) end
    where id = ${personId} and (codes_locked_until is null or codes_locked_until <= ${now})
    returning codes_locked_until is not null as "isLocked"`.execute(db);
  return rows[0] ?? null;
}

/** Counts the lock, so that the next one lasts longer. */
export async function recordCodeLock(db: Database, { people }: People, personId: string, now: Date): Promise<void> {
  await sql`update ${sql.table(people)} set code_locks = ${RECENT_LOCKS(now)} + 1, last_code_lock_at = ${now}
    where id = ${personId}`.execute(db);
}

/** Keeps the number of locks: a right code does not prove that the wrong ones came from the person. */
export const CODES_CLEARED = sql`wrong_codes = 0, codes_locked_until = null`;

export async function clearCodeAttempts(db: Database, { people }: People, personId: string): Promise<void> {
  await sql`update ${sql.table(people)} set ${CODES_CLEARED} where id = ${personId}`.execute(db);
}
