import { STAFF_ROLE_ALLOWS, type StaffNeed, type StaffRole } from '@navette/contract';
import type { Tx } from '../../database/database.ts';
import { lacksSecondFactor, type SignedInStaff } from '../../http/staff-authentication.ts';
import { STAFF } from '../../identity/people.ts';
import { lockOpenSession } from '../../identity/sessions.ts';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import type { OperatorActor, StaffActor } from './operator-log.ts';

/** `self`: the person's own data; `set-up`: before there is a second factor. */
type StaffPermission = StaffNeed | 'self' | 'set-up';

/** Checks inside the transaction that the caller still has permission, and returns the actor for the log of acts. */
export type AuthorizeOperator = (tx: Tx) => Promise<OperatorActor>;

export const authorizeStaff =
  (staff: SignedInStaff, need: StaffPermission, now: Date): AuthorizeOperator =>
  (tx) =>
    requireStaff(tx, staff, need, now);

/**
 * Locks and re-reads the staff member and the session of a request. A concurrent removal, role change or sign-out either
 * waits for this transaction, or has committed and is visible here.
 *
 * Lock order: staff (by id) and staff_sessions come before all other rows; the end of the log of acts comes last.
 */
export async function requireStaff(
  tx: Tx,
  { staffId, sessionId, bySingleSignOn }: Pick<SignedInStaff, 'staffId' | 'sessionId' | 'bySingleSignOn'>,
  need: StaffPermission,
  now: Date,
): Promise<StaffActor> {
  const staff = await tx
    .selectFrom('staff')
    .select(['name', 'role', 'second_factor_since as secondFactorSince'])
    .where('id', '=', staffId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!staff || !(await lockOpenSession(tx, STAFF, { personId: staffId, sessionId }, now)))
    return refuseConsole('NOT_SIGNED_IN');
  const hasSecondFactor = staff.secondFactorSince !== null;
  if (need !== 'set-up' && lacksSecondFactor({ hasSecondFactor, bySingleSignOn }))
    refuseConsole('SECOND_FACTOR_MISSING');
  if (need !== 'self' && need !== 'set-up' && !STAFF_ROLE_ALLOWS[staff.role as StaffRole].includes(need))
    refuseConsole('ROLE_NOT_ALLOWED', { needs: need });
  return { kind: 'staff', id: staffId, name: staff.name };
}
