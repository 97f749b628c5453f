import type { Database } from '../../database/database.ts';
import { createSealer, type SecretSealer } from '../../secret-sealer.ts';
import { CODES_CLEARED, countCodeAttempt } from './attempts.ts';
import { stepOfCode } from './one-time-code.ts';
import { takeRecoveryCode } from './recovery-codes.ts';

export const createSecondFactorSealer = (passphrases: readonly string[]): SecretSealer =>
  createSealer({ of: 'second factor', setting: 'SECOND_FACTOR_KEYS' }, passphrases);

/**
 * True for a code of the member's second factor, and for a recovery code; each opens once. Counted before it is looked
 * at, as passwords are: five wrong ones lock, whoever tries.
 */
export async function takeCode(
  db: Database,
  sealer: SecretSealer,
  memberId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  if (!(await countCodeAttempt(db, memberId, now))) return false;
  const taken =
    (await takeOneTimeCode(db, sealer, memberId, code, now)) || (await takeRecoveryCode(db, memberId, code, now));
  if (taken) await db.updateTable('members').set(CODES_CLEARED).where('id', '=', memberId).execute();
  return taken;
}

/** A step is used up in the statement that accepts it: of two that bring the same code, one gets in. */
async function takeOneTimeCode(db: Database, sealer: SecretSealer, memberId: string, code: string, now: Date) {
  const secret = await readSecondFactor(db, sealer, memberId);
  const step = secret === null ? null : stepOfCode(secret, code, now);
  if (secret === null || step === null) return false;
  const { key, sealed } = sealer.seal(memberId, secret); // comes under the newest key by being used
  const { numUpdatedRows } = await db
    .updateTable('members')
    .set({ last_code_step: step, second_factor_key: key, sealed_second_factor: sealed })
    .where('id', '=', memberId)
    .where((eb) => eb.or([eb('last_code_step', 'is', null), eb('last_code_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Also while it is only being set up; null when there is none. */
export async function readSecondFactor(db: Database, sealer: SecretSealer, memberId: string): Promise<string | null> {
  const row = await db
    .selectFrom('members')
    .select(['second_factor_key as key', 'sealed_second_factor as sealed'])
    .where('id', '=', memberId)
    .executeTakeFirst();
  return row?.key && row.sealed ? sealer.open(memberId, { key: row.key, sealed: row.sealed }) : null;
}
