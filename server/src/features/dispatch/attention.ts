import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** Shipments of any account for which all waves were spent once and that still have no driver, oldest first. */
export async function listAnyUnassigned(db: Database) {
  const { rows } = await sql<{
    reference: string;
    account: string;
    waitingSince: Date;
    rounds: number;
    asked: number;
    from: string;
  }>`
    select s.reference_number as reference, a.name as account, q.started_at as "waitingSince",
           greatest(1, q.round - 1) as rounds,
           (select count(distinct o.driver_id) from driver_offers o where o.account_id = s.account_id
            and o.shipment_id = s.id and o.search_id = q.id) as asked,
           s.pickup_address->>'city' as "from"
    from driver_searches q
    join shipments s on (s.account_id, s.id) = (q.account_id, q.shipment_id)
    join accounts a on a.id = s.account_id
    where q.ended_at is null and q.spent_at is not null and s.status = 'created'
    order by q.started_at`.execute(db);
  return rows;
}

/** Shipments of any account with an address that nobody found on the map. */
export async function listAnyWithoutLocation(db: Database) {
  const { rows } = await sql<{
    reference: string;
    account: string;
    status: string;
    createdAt: Date;
    missing: string;
    address: string;
  }>`
    select s.reference_number as reference, a.name as account, s.status, s.created_at as "createdAt",
           concat_ws(', ', case when s.pickup_address->>'location' is null then 'pickup' end,
                           case when s.delivery_address->>'coordinates' is null then 'delivery' end) as missing,
           case when s.pickup_address->>'location' is null
             then concat_ws(' ', s.pickup_address->>'street', s.pickup_address->>'postalCode', s.pickup_address->>'city')
             else concat_ws(' ', s.delivery_address->>'street', s.delivery_address->>'postalCode',
                            s.delivery_address->>'city') end as address
    from shipments s join accounts a on a.id = s.account_id
    where s.needs_location and s.status in ('programmed', 'created')
    order by s.created_at`.execute(db);
  return rows;
}
