import type { Database, Tx } from '../../database/database.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import type { SecretSealer } from '../../secret-sealer.ts';
import { recordAct } from './acts.ts';
import { type ProvenMember, provePasswordOf } from './attempts.ts';
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
  return enter(db, member, { device, oldToken }, now);
}

/** Opens the session, unless the password was changed or a second factor turned on while this one was being checked. */
export function enter(db: Database, member: ProvenMember, { device, oldToken }: Browser, now: Date): Promise<string> {
  return db.transaction().execute(async (tx) => {
    if (!(await stillHolds(tx, member))) return refuseDashboard('WRONG_CREDENTIALS');
    if (oldToken) await closeSession(tx, oldToken);
    await recordAct(tx, member.accountId, member, 'signed-in', device, now);
    return openSession(tx, member, device, now);
  });
}

/** Locks the member: whoever changes the password next finds this session, and ends it. */
async function stillHolds(tx: Tx, { memberId, passwordHash, hasSecondFactor }: ProvenMember): Promise<boolean> {
  const member = await tx
    .selectFrom('members')
    .select('id')
    .where('id', '=', memberId)
    .where('password_hash', '=', passwordHash)
    .where('second_factor_since', hasSecondFactor ? 'is not' : 'is', null)
    .forShare()
    .executeTakeFirst();
  return member !== undefined;
}
