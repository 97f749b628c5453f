import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { refuseDriver } from '../../refusals/driver-refusal.ts';
import { verifyPassword } from '../../secrets/hash-password.ts';
import { hashSecretToken } from '../../secrets/secret-token.ts';
import { openSession, toBytes } from './driver-sessions.ts';

const WRONG_PASSWORDS = 5; // in a row
const LOCKED_FOR_MINUTES = 15;

export interface Credentials {
  email: string;
  password: string;
  /** The device's last token. */
  previousToken?: string;
}

/**
 * Counts the attempt before comparing the password, in one statement: of a thousand concurrent guesses, five are
 * compared. The right password resets the count. Unknown, disabled, locked and wrong get the same response in the same
 * time.
 *
 * Attempts are counted by e-mail, so anybody who knows the e-mail can lock it. A device whose old token proves that the
 * driver was signed in on it has its own count, which is used first.
 */
export async function signIn(
  db: Database,
  { email, password, previousToken }: Credentials,
  device: string | null,
  now: Date,
): Promise<{ driverId: string; token: string }> {
  const previous = previousToken === undefined ? null : toBytes(hashSecretToken(previousToken));
  const driver =
    (previous && (await countDeviceAttempt(db, email, previous, now))) ?? (await countAttempt(db, email, now));
  const right = await verifyPassword(password, driver?.password_hash ?? null);
  if (!driver || !right) return refuseDriver('WRONG_CREDENTIALS');
  return openSessionFor(db, driver, { device, previous }, now);
}

/** Opens the session and ends the device's old one, unless the password was changed while it was being compared. */
export function openSessionFor(
  db: Database,
  { id, password_hash }: Attempt,
  { device, previous }: { device: string | null; previous: Buffer | null },
  now: Date,
) {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('drivers')
      .set({ wrong_passwords: 0, locked_until: null })
      .where('id', '=', id)
      .where('password_hash', '=', password_hash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return refuseDriver('WRONG_CREDENTIALS');
    if (previous) {
      await tx
        .updateTable('driver_sessions')
        .set({ closed_at: now })
        .where('token_hash', '=', previous)
        .where('driver_id', '=', id)
        .execute();
    }
    return { driverId: id, token: await openSession(tx, id, device, now) };
  });
}

interface Attempt {
  id: string;
  password_hash: string | null;
}

export async function countAttempt(db: Database, email: string, now: Date) {
  const { rows } = await sql<Attempt>`
    update drivers d
    set ${oneMoreAttempt('d', now)}
    where lower(d.email) = lower(${email}) and d.disabled_at is null and ${isUnlocked('d', now)}
    returning d.id, d.password_hash`.execute(db);
  return rows[0];
}

/**
 * A device is recognised by a session that was not ended. It may have expired, since that is when devices sign in again.
 * A lost phone whose session was ended is not recognised.
 */
async function countDeviceAttempt(db: Database, email: string, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<Attempt>`
    update driver_sessions s
    set ${oneMoreAttempt('s', now)}
    from drivers d
    where s.token_hash = ${tokenHash} and s.closed_at is null and ${isUnlocked('s', now)}
      and d.id = s.driver_id and lower(d.email) = lower(${email}) and d.disabled_at is null
    returning d.id, d.password_hash`.execute(db);
  return rows[0];
}

const oneMoreAttempt = (row: string, now: Date) => {
  const [wrong, lock] = [sql.ref(`${row}.wrong_passwords`), sql.ref(`${row}.locked_until`)];
  return sql`
    wrong_passwords = case when ${lock} is null then ${wrong} + 1 else 1 end,
    locked_until = case when ${lock} is null and ${wrong} + 1 >= ${WRONG_PASSWORDS}
      then ${now}::timestamptz + make_interval(mins => ${LOCKED_FOR_MINUTES}) end`;
};

const isUnlocked = (row: string, now: Date) => {
  const lock = sql.ref(`${row}.locked_until`);
  return sql`(${lock} is null or ${lock} <= ${now})`;
};
