import type { Database } from '../../database/database.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import type { SecretSealer } from '../../secret-sealer.ts';
import { recordAct } from './acts.ts';
import { provePasswordOf } from './attempts.ts';
import { closeSession, openSession } from './member-sessions.ts';
import { takeCode } from './take-code.ts';

export interface Credentials {
  email: string;
  password: string;
  code?: string;
}

export interface Browser {
  device: string | null;
  /** What the browser carried until now: it ends, so that a planted one is worth nothing. */
  oldToken: string | null;
}

/** Only who has the right password learns that there is a second factor. Nothing is kept between the two steps. */
export async function signIn(
  db: Database,
  sealer: SecretSealer,
  { email, password, code }: Credentials,
  { device, oldToken }: Browser,
  now: Date,
): Promise<string> {
  const member = (await provePasswordOf(db, email, password, now)) ?? refuseDashboard('WRONG_CREDENTIALS');
  if (member.hasSecondFactor) {
    if (code === undefined) return refuseDashboard('SECOND_FACTOR_REQUIRED');
    if (!(await takeCode(db, sealer, member.memberId, code, now))) return refuseDashboard('WRONG_SECOND_FACTOR');
  }
  return db.transaction().execute(async (tx) => {
    if (oldToken) await closeSession(tx, oldToken);
    await recordAct(tx, member.accountId, member, 'signed-in', device, now);
    return openSession(tx, member, device, now);
  });
}
