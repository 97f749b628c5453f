import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { refuseDriver } from '../../http/driver-refusal.ts';
import { isPassword } from '../../password.ts';
import { openSession } from './driver-sessions.ts';

const WRONG_PASSWORDS = 5; // in a row
const LOCKED_FOR_MINUTES = 15;

/**
 * The attempt is counted before it is looked at, in one statement: of a thousand guesses that arrive together five are
 * looked at. The right password clears the count. Unknown, disabled, locked and wrong answer alike and as slowly.
 */
export async function signIn(
  db: Database,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<{ driverId: string; token: string }> {
  const driver = await countAttempt(db, email, now);
  const right = await isPassword(password, driver?.password_hash ?? null);
  if (!driver || !right) return refuseDriver('WRONG_CREDENTIALS');
  return enter(db, driver, now);
}

/** Opens the session, unless another password was set while this one was being checked. */
export function enter(db: Database, { id, password_hash }: Attempt, now: Date) {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('drivers')
      .set({ wrong_passwords: 0, locked_until: null })
      .where('id', '=', id)
      .where('password_hash', '=', password_hash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return refuseDriver('WRONG_CREDENTIALS');
    return { driverId: id, token: await openSession(tx, id, now) };
  });
}

interface Attempt {
  id: string;
  password_hash: string | null;
}

export async function countAttempt(db: Database, email: string, now: Date) {
  const { rows } = await sql<Attempt>`
    update drivers
    set wrong_passwords = case when locked_until is null then wrong_passwords + 1 else 1 end,
        locked_until = case when locked_until is null and wrong_passwords + 1 >= ${WRONG_PASSWORDS}
          then ${now}::timestamptz + make_interval(mins => ${LOCKED_FOR_MINUTES}) end
    where lower(email) = lower(${email}) and disabled_at is null
      and (locked_until is null or locked_until <= ${now})
    returning id, password_hash`.execute(db);
  return rows[0];
}
