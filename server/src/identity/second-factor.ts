import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import { refuseSignIn } from '../refusals/sign-in-refusal.ts';
import { confirmCode, confirmPassword } from './confirm-identity.ts';
import { readSecondFactor } from './consume-code.ts';
import { CODES_CLEARED } from './count-attempts.ts';
import type { IdentityOptions, Person } from './identity.ts';
import { drawQr, enrolmentUri, newCodeSecret } from './one-time-code.ts';
import type { People } from './people.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { closeOtherSessions, renewSession } from './sessions.ts';

interface Proof {
  password: string;
  code: string;
}

const NONE = sql`second_factor_key = null, sealed_second_factor = null, second_factor_since = null,
  last_code_step = null, ${CODES_CLEARED}`;

/** Creates a secret. It takes effect once a code proves that the phone has it. */
export async function startSecondFactor<S>(options: IdentityOptions<S>, signedIn: S, password: string, now: Date) {
  const { db, sealer, identity } = options;
  const { personId, email, hasSecondFactor } = identity.personOf(signedIn);
  if (hasSecondFactor) refuseSignIn('SECOND_FACTOR_ON');
  const { passwordHash } = await confirmPassword(options, signedIn, password, now);
  const secret = newCodeSecret();
  const { key, sealed } = sealer.seal(personId, secret);
  await db.transaction().execute(async (tx) => {
    await identity.require(tx, signedIn, now, 'set-up');
    const { numAffectedRows } = await sql`
      update ${sql.table(identity.people.people)}
      set second_factor_key = ${key}, sealed_second_factor = ${sealed}, last_code_step = null, ${CODES_CLEARED}
      where id = ${personId} and password_hash = ${passwordHash} and second_factor_since is null`.execute(tx);
    if (numAffectedRows === 0n) refuseSignIn('SECOND_FACTOR_ON');
  });
  const uri = enrolmentUri(secret, email);
  return { secret, uri, qr: drawQr(uri) };
}

/** Turns the second factor on. Ends the person's other sessions, which were opened without it. */
export async function confirmSecondFactor<S>(
  options: IdentityOptions<S>,
  signedIn: S,
  code: string,
  now: Date,
): Promise<{ recoveryCodes: string[]; token: string }> {
  const { db, jobs, identity } = options;
  const { people } = identity;
  const { personId, sessionId, hasSecondFactor } = identity.personOf(signedIn);
  if (hasSecondFactor) refuseSignIn('SECOND_FACTOR_ON');
  if ((await readSecondFactor(db, people, personId)) === null) refuseSignIn('SECOND_FACTOR_OFF');
  const secondFactor = await confirmCode(options, signedIn, code, now);
  return db.transaction().execute(async (tx) => {
    const person = await identity.require(tx, signedIn, now, 'set-up');
    // The second condition excludes a set-up that was started meanwhile.
    const { numAffectedRows } = await sql`
      update ${sql.table(people.people)} set second_factor_since = ${now}
      where id = ${personId} and sealed_second_factor = ${secondFactor} and second_factor_since is null`.execute(tx);
    if (numAffectedRows === 0n) refuseSignIn('WRONG_CODE');
    const recoveryCodes = await replaceRecoveryCodes(tx, people, personId);
    await closeOtherSessions(tx, people, personId, sessionId);
    const token = await renewSession(tx, people, sessionId);
    await identity.notify(tx, jobs, 'second-factor-on', personId);
    await identity.record(tx, { act: 'second-factor-on', person, by: person }, now);
    return { recoveryCodes, token };
  });
}

export async function removeSecondFactor<S>(
  options: IdentityOptions<S>,
  signedIn: S,
  proof: Proof,
  now: Date,
): Promise<void> {
  const { identity, jobs } = options;
  await actWithBothFactors(options, signedIn, proof, now, async (tx, person) => {
    await deleteSecondFactor(tx, identity.people, person.personId);
    await identity.notify(tx, jobs, 'second-factor-off', person.personId);
    await identity.record(tx, { act: 'second-factor-off', person, by: person }, now);
  });
}

export async function deleteSecondFactor(tx: Tx, people: People, personId: string): Promise<void> {
  await sql`update ${sql.table(people.people)} set ${NONE} where id = ${personId}`.execute(tx);
  await deleteRecoveryCodes(tx, people, personId);
}

export function renewRecoveryCodes<S>(
  options: IdentityOptions<S>,
  signedIn: S,
  proof: Proof,
  now: Date,
): Promise<string[]> {
  const { identity, jobs } = options;
  return actWithBothFactors(options, signedIn, proof, now, async (tx, person) => {
    const codes = await replaceRecoveryCodes(tx, identity.people, person.personId);
    await identity.notify(tx, jobs, 'recovery-codes-renewed', person.personId);
    await identity.record(tx, { act: 'recovery-codes-renewed', person, by: person }, now);
    return codes;
  });
}

/** Verifies password and code, then acts in a transaction that checks that neither has changed since. */
async function actWithBothFactors<S, T>(
  options: IdentityOptions<S>,
  signedIn: S,
  { password, code }: Proof,
  now: Date,
  act: (tx: Tx, person: Person) => Promise<T>,
): Promise<T> {
  const { identity, db } = options;
  if (!identity.personOf(signedIn).hasSecondFactor) refuseSignIn('SECOND_FACTOR_OFF');
  const { passwordHash } = await confirmPassword(options, signedIn, password, now);
  const secondFactor = await confirmCode(options, signedIn, code, now);
  return db.transaction().execute(async (tx) => {
    const person = await identity.require(tx, signedIn, now);
    if (!(await areUnchanged(tx, identity.people, person.personId, passwordHash, secondFactor)))
      refuseSignIn('SECOND_FACTOR_OFF');
    return act(tx, person);
  });
}

async function areUnchanged(
  tx: Tx,
  { people }: People,
  personId: string,
  passwordHash: string,
  secondFactor: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    select id from ${sql.table(people)}
    where id = ${personId} and password_hash = ${passwordHash} and sealed_second_factor = ${secondFactor}
      and second_factor_since is not null`.execute(tx);
  return rows.length > 0;
}
