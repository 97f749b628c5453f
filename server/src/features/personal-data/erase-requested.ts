import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import { ENDED_AT, eraseShipments, type ShipmentToErase, TO_ERASE } from './erase-shipments.ts';

const AT_ONCE = 500;
const SETTLED_AFTER_MS = 3_600_000;

/**
 * Erases the shipments whose erasure was requested, once they have ended and their follow-up work is done: an hour has
 * passed for the jobs, and no delivery of their events is pending. The other requests stay.
 */
export async function eraseRequested(db: Database, now: Date): Promise<number> {
  const { rows: accounts } = await sql<{ id: string }>`
    select distinct account_id as id from erasure_requests r where ${servedHere('r.account_id')} order by 1`.execute(
    db,
  );
  let erased = 0;
  for (const { id } of accounts) {
    for (let rows = AT_ONCE; rows === AT_ONCE; erased += rows) {
      rows = await db.transaction().execute((tx) => eraseBatch(tx, id, now));
    }
  }
  return erased;
}

async function eraseBatch(tx: Tx, accountId: string, now: Date): Promise<number> {
  const settled = new Date(now.getTime() - SETTLED_AFTER_MS);
  const { rows } = await sql<ShipmentToErase>`
    select ${TO_ERASE} from erasure_requests r
    join shipments s on s.account_id = r.account_id and s.id = r.shipment_id
    where r.account_id = ${accountId} and ${ENDED_AT} < ${settled} and not exists (${PENDING_DELIVERIES})
    limit ${AT_ONCE} for update of s skip locked`.execute(tx);
  if (rows.length > 0) await eraseShipments(tx, accountId, rows, now);
  return rows.length;
}

/** Two indexes cover a shipment's events: one for the creation, one for later events. */
const PENDING_DELIVERIES = sql`
  select from (
    select e.account_id, e.id from events e
    where e.account_id = s.account_id and e.shipment_id = s.id and e.type = 'shipping.created'
    union all
    select e.account_id, e.id from events e
    where e.account_id = s.account_id and e.shipment_id = s.id and e.type <> 'shipping.created'
  ) event
  join webhook_deliveries d on d.account_id = event.account_id and d.event_id = event.id
  where d.status = 'pending'`;
