import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import { refuseSignIn } from '../refusals/sign-in-refusal.ts';
import { consumeCode } from './consume-code.ts';
import { tryPasswordOf, type VerifiedPerson } from './count-attempts.ts';
import type { IdentityOptions, Person } from './identity.ts';
import type { People } from './people.ts';
import { closeSession, openSession } from './sessions.ts';

export interface Credentials {
  email: string;
  password: string;
  code?: string;
}

export interface Browser {
  device: string | null;
  /** Token that the browser sent. Its session ends, which prevents session fixation. */
  oldToken: string | null;
}

/** Reveals a second factor only after the right password. Stores nothing between the two steps. */
export async function signIn<S>(
  options: Omit<IdentityOptions<S>, 'jobs'>,
  { email, password, code }: Credentials,
  browser: Browser,
  now: Date,
): Promise<string> {
  const { db, identity, failures } = options;
  const person = await tryPasswordOf(db, identity.people, email, password, now);
  if (!person?.isRight) {
    const lock = person?.isLocked ? 'password-locked' : null;
    if (person) failures.recordLater({ person, by: null, act: 'sign-in-failed', lock }, now);
    return refuseSignIn('WRONG_CREDENTIALS');
  }
  if (person.hasSecondFactor) {
    if (code === undefined) return refuseSignIn('SECOND_FACTOR_REQUIRED');
    const attempt = await consumeCode(options, person, code, now);
    if (!attempt?.secondFactor) {
      const lock = attempt?.isLocked ? 'codes-locked' : null;
      if (attempt) await failures.record({ person, by: null, act: 'code-failed', lock }, now);
      return refuseSignIn('WRONG_SECOND_FACTOR');
    }
  }
  return openVerifiedSession(options, person, browser, now);
}

/** Opens the session, unless the password or the second factor has changed since the check. */
export function openVerifiedSession<S>(
  { db, identity }: Pick<IdentityOptions<S>, 'db' | 'identity'>,
  person: VerifiedPerson,
  { device, oldToken }: Browser,
  now: Date,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    if (!(await isUnchanged(tx, identity.people, person))) return refuseSignIn('WRONG_CREDENTIALS');
    if (oldToken) await closeSession(tx, identity.people, oldToken);
    const token = await openSession(tx, identity.people, { ...newSessionOf(person), device }, now);
    await identity.record(tx, { act: 'signed-in', person, by: person, device }, now);
    return token;
  });
}

const newSessionOf = ({ personId, accountId }: Pick<Person, 'personId' | 'accountId'>) => ({
  personId,
  more: accountId === null ? {} : { account_id: accountId },
});

/** Locks the person, so that a later password change sees this session and ends it. */
async function isUnchanged(
  tx: Tx,
  { people }: People,
  { personId, passwordHash, hasSecondFactor }: VerifiedPerson,
): Promise<boolean> {
  const { rows } = await sql`
    select id from ${sql.table(people)}
    where id = ${personId} and password_hash = ${passwordHash}
      and (second_factor_since is not null) = ${hasSecondFactor}
    for share`.execute(tx);
  return rows.length > 0;
}
