import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { Found } from './find-person.ts';

/** Ends a recurring shipment and erases its recipient and content. Its shipments have data and a retention of their own. */
export const endRecurring = (now: Date): RawBuilder<unknown> => sql`
  request = null, created_by = null, state = 'ended', ended_at = coalesce(ended_at, ${now}), due_at = null,
  refused_since = null, version = version + 1`;

/** Those that mention the person: nothing more is created for them. */
export async function eraseFoundRecurring(
  tx: Tx,
  { recurring_schedules: found = [] }: Found,
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update recurring_schedules r set ${endRecurring(now)}
    from json_to_recordset(${JSON.stringify(found)}) as f (account_id uuid, id uuid)
    where (r.account_id, r.id) = (f.account_id, f.id)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
