import type { StaffRole } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { seenSince } from '../../identity/sessions.ts';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { recordOperatorAct } from './operator-log.ts';
import type { AuthorizeOperator } from './require-staff.ts';

const MOST_LISTED = 1_000;

export function listStaff(db: Database, now: Date) {
  return db
    .selectFrom('staff as p')
    .select(['p.id', 'p.name', 'p.email', 'p.role', 'p.second_factor_since as secondFactorSince'])
    .select(['p.single_sign_on_subject as singleSignOnSubject', 'p.created_at as createdAt'])
    .select((eb) =>
      eb
        .selectFrom('staff_sessions as s')
        .select(({ fn }) => fn.max('s.last_seen_at').as('at'))
        .whereRef('s.staff_id', '=', 'p.id')
        .where('s.last_seen_at', '>', seenSince(now))
        .as('lastSeenAt'),
    )
    .orderBy('p.id')
    .limit(MOST_LISTED)
    .execute();
}

/** Takes effect at the person's next request: every request reads the role. */
export async function changeStaffRole(
  db: Database,
  authorize: AuthorizeOperator,
  { staffId, role }: { staffId: string; role: StaffRole },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { actor, ...staff } = await lockStaff(tx, authorize, staffId, role !== 'admin');
    if (staff.role === role) return;
    await tx.updateTable('staff').set({ role }).where('id', '=', staff.id).execute();
    const subject = { type: 'staff', id: staff.id, title: staff.name };
    await recordOperatorAct(
      tx,
      actor,
      { act: 'staff.role_changed', subject, details: { from: staff.role, to: role } },
      now,
    );
  });
}

/** Deletes the person with sessions, codes, links and their invitations, which must not grant access any more. */
export async function removeStaff(
  db: Database,
  authorize: AuthorizeOperator,
  staffId: string,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { actor, id, name, role } = await lockStaff(tx, authorize, staffId, true);
    await tx.deleteFrom('staff_invitations').where('invited_by_id', '=', id).execute();
    await tx.deleteFrom('staff').where('id', '=', id).execute();
    const subject = { type: 'staff', id, title: name };
    await recordOperatorAct(tx, actor, { act: 'staff.removed', subject, details: { role } }, now);
  });
}

/**
 * Locks all administrators and the person in id order. This serialises two administrators who demote each other, so that
 * one remains.
 */
async function lockStaff(tx: Tx, authorize: AuthorizeOperator, staffId: string, losesAdmin: boolean) {
  if (!isUuid(staffId)) return refuseAsNotFound();
  const locked = await tx
    .selectFrom('staff')
    .select(['id', 'name', 'role'])
    .where((eb) => eb.or([eb('role', '=', 'admin'), eb('id', '=', staffId)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const actor = await authorize(tx);
  const staff = locked.find(({ id }) => id === staffId.toLowerCase()) ?? refuseAsNotFound();
  const isLastAdmin = !locked.some(({ id, role }) => role === 'admin' && id !== staff.id);
  if (losesAdmin && isLastAdmin) return refuseConsole('LAST_ADMIN');
  return { actor, ...staff };
}

export const findStaffByEmail = (db: Database, email: string) =>
  db
    .selectFrom('staff')
    .select(['id', 'email'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
