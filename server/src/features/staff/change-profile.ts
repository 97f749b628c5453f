import type { Language } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import type { SignedInStaff } from '../../http/staff-authentication.ts';
import { recordOperatorAct } from './operator-log.ts';
import { requireStaff } from './require-staff.ts';

/** Records a new name in the log of acts, since colleagues know each other by their name. */
export async function changeStaffProfile(
  db: Database,
  staff: SignedInStaff,
  { name, language }: { name: string; language: Language },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'self', now);
    await tx.updateTable('staff').set({ name, language }).where('id', '=', actor.id).execute();
    if (actor.name === name) return;
    const subject = { type: 'staff', id: actor.id, title: name };
    await recordOperatorAct(tx, actor, { act: 'staff.name_changed', subject }, now);
  });
}
