import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import { refuseSignIn } from '../refusals/sign-in-refusal.ts';
import { hashPassword } from '../secrets/hash-password.ts';
import { confirmPassword } from './confirm-identity.ts';
import type { IdentityOptions } from './identity.ts';
import type { People } from './people.ts';
import { refuseGuessable } from './refuse-guessable.ts';
import { closeOtherSessions, renewSession } from './sessions.ts';

/**
 * Ends the person's other sessions and returns a new token for this one. Saves only if the verified password and the
 * session are still valid: a concurrent reset wins.
 */
export async function changePassword<S>(
  options: Omit<IdentityOptions<S>, 'sealer'>,
  signedIn: S,
  { password, newPassword }: { password: string; newPassword: string },
  now: Date,
): Promise<string> {
  const { db, jobs, identity } = options;
  const { personId, sessionId, email, name, words } = identity.personOf(signedIn);
  await refuseGuessable('newPassword', newPassword, [email, name, ...words]);
  const verified = await confirmPassword(options, signedIn, password, now);
  const passwordHash = await hashPassword(newPassword);
  return db.transaction().execute(async (tx) => {
    const person = await identity.require(tx, signedIn, now);
    const isSaved = await savePassword(tx, identity.people, personId, passwordHash, verified.passwordHash);
    if (!isSaved) refuseSignIn('WRONG_PASSWORD');
    await closeOtherSessions(tx, identity.people, personId, sessionId);
    const token = await renewSession(tx, identity.people, sessionId);
    await identity.notify(tx, jobs, 'password-changed', personId);
    await identity.record(tx, { act: 'password-changed', person, by: person }, now);
    return token;
  });
}

/** Also invalidates reset links and lifts a lock. Returns false if the old password has changed meanwhile. */
export async function savePassword(
  tx: Tx,
  { people, passwordResets, personId: column }: People,
  personId: string,
  passwordHash: string,
  oldPasswordHash?: string,
): Promise<boolean> {
  const isOld = oldPasswordHash === undefined ? sql`true` : sql`password_hash = ${oldPasswordHash}`;
  const { numAffectedRows } = await sql`
    update ${sql.table(people)} set password_hash = ${passwordHash}, wrong_passwords = 0, locked_until = null
    where id = ${personId} and ${isOld}`.execute(tx);
  await sql`delete from ${sql.table(passwordResets)} where ${sql.ref(column)} = ${personId}`.execute(tx);
  return numAffectedRows === 1n;
}
