import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { createSealer, type SecretSealer } from '../secrets/secret-sealer.ts';
import { clearCodeAttempts, countCodeAttempt } from './count-attempts.ts';
import type { IdentityOptions, Person } from './identity.ts';
import { stepOfCode } from './one-time-code.ts';
import type { People } from './people.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';

export const createSecondFactorSealer = (passphrases: readonly string[]): SecretSealer =>
  createSealer({ of: 'second factor', setting: 'SECOND_FACTOR_KEYS' }, passphrases);

type Options<S> = Pick<IdentityOptions<S>, 'identity' | 'db' | 'sealer'>;

interface CodeAttempt {
  /** The sealed second factor that the code matched, as stored now; null for a wrong code. */
  secondFactor: Buffer | null;
  /** This attempt reached the limit. */
  isLocked: boolean;
}

/**
 * Consumes a code of the person's second factor, or a recovery code. Each is accepted once. Counts the attempt before
 * verifying it, as for passwords: five wrong ones lock. Null while locked.
 */
export async function consumeCode<S>(
  options: Options<S>,
  person: Person,
  code: string,
  now: Date,
): Promise<CodeAttempt | null> {
  const { db, identity } = options;
  const attempt = await countCodeAttempt(db, identity.people, person.personId, now);
  if (!attempt) return null;
  const secondFactor =
    (await consumeOneTimeCode(options, person.personId, code, now)) ??
    (await consumeRecovery(options, person, code, now));
  if (secondFactor) await clearCodeAttempts(db, identity.people, person.personId);
  return { secondFactor, isLocked: attempt.isLocked };
}

/** Accepts and uses up the time step in one statement: of two requests with the same code, one is accepted. */
async function consumeOneTimeCode<S>(
  { db, identity, sealer }: Options<S>,
  personId: string,
  code: string,
  now: Date,
): Promise<Buffer | null> {
  const { people } = identity.people;
  const found = await readSecondFactor(db, identity.people, personId);
  if (!found) return null;
  const secret = sealer.open(personId, found);
  const step = stepOfCode(secret, code, now);
  if (step === null) return null;
  const { key, sealed } = sealer.seal(personId, secret); // re-encrypts with the newest key
  const { numAffectedRows } = await sql`
    update ${sql.table(people)}
    set last_code_step = ${step}, second_factor_key = ${key}, sealed_second_factor = ${sealed}
    where id = ${personId} and sealed_second_factor = ${found.sealed}
      and (last_code_step is null or last_code_step < ${step})`.execute(db);
  return numAffectedRows === 1n ? sealed : null;
}

async function consumeRecovery<S>(
  { db, identity }: Options<S>,
  person: Person,
  code: string,
  now: Date,
): Promise<Buffer | null> {
  return db.transaction().execute(async (tx) => {
    const found = await readSecondFactor(tx, identity.people, person.personId);
    if (!found || !(await consumeRecoveryCode(tx, identity.people, person.personId, code, now))) return null;
    await identity.record(tx, { act: 'recovery-code-used', person, by: person }, now);
    return found.sealed;
  });
}

/** Also during set-up. Null if there is none. */
export async function readSecondFactor(
  db: Database,
  { people }: People,
  personId: string,
): Promise<{ key: string; sealed: Buffer } | null> {
  const { rows } = await sql<{ key: string | null; sealed: Buffer | null }>`
    select second_factor_key as key, sealed_second_factor as sealed from ${sql.table(people)}
    where id = ${personId}`.execute(db);
  const [row] = rows;
  return row?.key && row.sealed ? { key: row.key, sealed: row.sealed } : null;
}
