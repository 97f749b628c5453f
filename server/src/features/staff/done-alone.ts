import { sql } from 'kysely';
import { localDay, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Tx } from '../../database/database.ts';

interface DoneAlone {
  /** Deliveries without a code: confirmed, or as the end of an incident. */
  confirmations: number;
  creditedCents: number;
}

/**
 * The acts of a person since local midnight without a second one: an approved act counts for neither of the two. Reliable
 * while the person's row is locked, as `requireStaff` does.
 */
export async function readDoneAloneToday(tx: Tx, staffId: string, timeZone: string, now: Date): Promise<DoneAlone> {
  const { rows } = await sql<DoneAlone>`
    select
      (count(*) filter (where act = 'shipment.delivery_confirmed'
        or (act = 'incident.resolved' and details ->> 'resolution' in ('confirmed', 'left_with'))))::int as confirmations,
      coalesce(sum((details ->> 'amountCents')::bigint) filter (where act = 'account.credited'), 0)::int8 as "creditedCents"
    from operator_acts
    where staff_id = ${staffId} and at >= ${startOfDateFilter(localDay(now, timeZone), timeZone)}
      and details -> 'approval' is null`.execute(tx);
  return rows[0] ?? { confirmations: 0, creditedCents: 0 };
}
