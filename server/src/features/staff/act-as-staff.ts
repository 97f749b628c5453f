import type { StaffNeed } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { surroundTransaction } from '../../database/join-transaction.ts';
import type { SignedInStaff } from '../../http/staff-authentication.ts';
import { type NewOperatorAct, recordOperatorAct } from './operator-log.ts';
import { requireStaff } from './require-staff.ts';

interface StaffAct<T> {
  staff: SignedInStaff;
  needs: StaffNeed;
  now: Date;
  /** Refuses, before the use case writes: a version that has changed. */
  check?: (tx: Tx) => Promise<void>;
  /** Null when nothing changed. */
  describe: (result: T) => NewOperatorAct | null;
  /** In the same transaction, after the use case. */
  follow?: (tx: Tx, result: T) => Promise<void>;
}

/**
 * The handle for a use case of the command line: its transaction starts with the check of the permission and ends with the
 * entry of the log of acts. A use case that opens no transaction is run in one of this handle, with `joinTransaction`.
 */
export const actAsStaff = <T>(db: Database, { staff, needs, now, check, describe, follow }: StaffAct<T>): Database =>
  surroundTransaction(db, async (tx, work) => {
    const actor = await requireStaff(tx, staff, needs, now);
    await check?.(tx);
    const result = (await work()) as T;
    const act = describe(result);
    if (!act) return result;
    await follow?.(tx, result);
    await recordOperatorAct(tx, actor, act, now);
    return result;
  });
