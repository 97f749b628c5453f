import type { Database, Tx } from '../../database/database.ts';
import type { SignedInMember } from '../../http/dashboard-door.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import type { SecretSealer } from '../../secret-sealer.ts';
import { recordAct } from './acts.ts';
import { askPassword, CODES_CLEARED } from './attempts.ts';
import { closeOtherSessions, renewSession } from './member-sessions.ts';
import { drawQr, enrolmentUri, newCodeSecret } from './one-time-code.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { readSecondFactor, takeCode } from './take-code.ts';

interface Proof {
  password: string;
  code: string;
}

const NONE = {
  ...{ second_factor_key: null, sealed_second_factor: null, second_factor_since: null, last_code_step: null },
  ...CODES_CLEARED,
};

/** A secret that counts for nothing until a code has shown that the telephone has it. */
export async function startSecondFactor(
  db: Database,
  sealer: SecretSealer,
  { memberId, email, hasSecondFactor }: SignedInMember,
  password: string,
  now: Date,
) {
  if (hasSecondFactor) refuseDashboard('SECOND_FACTOR_ON');
  await askPassword(db, memberId, password, now);
  const secret = newCodeSecret();
  const { key, sealed } = sealer.seal(memberId, secret);
  await db
    .updateTable('members')
    .set({ ...NONE, second_factor_key: key, sealed_second_factor: sealed })
    .where('id', '=', memberId)
    .where('second_factor_since', 'is', null)
    .execute();
  const uri = enrolmentUri(secret, email);
  return { secret, uri, qr: drawQr(uri) };
}

/** From now on the second factor is asked for, and whoever was in without it is out, except who has just shown it. */
export async function confirmSecondFactor(
  db: Database,
  sealer: SecretSealer,
  member: SignedInMember,
  code: string,
  now: Date,
): Promise<{ recoveryCodes: string[]; token: string }> {
  const { memberId, sessionId, hasSecondFactor } = member;
  if (hasSecondFactor) refuseDashboard('SECOND_FACTOR_ON');
  if ((await readSecondFactor(db, sealer, memberId)) === null) refuseDashboard('SECOND_FACTOR_OFF');
  if (!(await takeCode(db, sealer, memberId, code, now))) refuseDashboard('WRONG_CODE');
  return db.transaction().execute(async (tx) => {
    await tx.updateTable('members').set({ second_factor_since: now }).where('id', '=', memberId).execute();
    const recoveryCodes = await replaceRecoveryCodes(tx, memberId);
    await closeOtherSessions(tx, memberId, sessionId);
    await recordAct(tx, member.accountId, member, 'second-factor-on', null, now);
    return { recoveryCodes, token: await renewSession(tx, sessionId) };
  });
}

export async function removeSecondFactor(
  db: Database,
  sealer: SecretSealer,
  member: SignedInMember,
  proof: Proof,
  now: Date,
): Promise<void> {
  await askBoth(db, sealer, member, proof, now);
  await db.transaction().execute(async (tx) => {
    await dropSecondFactor(tx, member.memberId);
    await recordAct(tx, member.accountId, member, 'second-factor-off', null, now);
  });
}

export async function dropSecondFactor(tx: Tx, memberId: string): Promise<void> {
  await tx.updateTable('members').set(NONE).where('id', '=', memberId).execute();
  await tx.deleteFrom('member_recovery_codes').where('member_id', '=', memberId).execute();
}

export async function renewRecoveryCodes(
  db: Database,
  sealer: SecretSealer,
  member: SignedInMember,
  proof: Proof,
  now: Date,
): Promise<string[]> {
  await askBoth(db, sealer, member, proof, now);
  return db.transaction().execute(async (tx) => {
    await recordAct(tx, member.accountId, member, 'recovery-codes-renewed', null, now);
    return replaceRecoveryCodes(tx, member.memberId);
  });
}

async function askBoth(
  db: Database,
  sealer: SecretSealer,
  { memberId, hasSecondFactor }: SignedInMember,
  { password, code }: Proof,
  now: Date,
): Promise<void> {
  if (!hasSecondFactor) refuseDashboard('SECOND_FACTOR_OFF');
  await askPassword(db, memberId, password, now);
  if (!(await takeCode(db, sealer, memberId, code, now))) refuseDashboard('WRONG_CODE');
}
