import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type AuditFinding, findBrokenRows } from '../../find-broken-rows.ts';

/**
 * What must hold between shipments, searches and offers. A search starts and ends by a job: while that is still queued,
 * nothing was forgotten.
 */
export function auditDispatch(db: Database): Promise<AuditFinding[]> {
  const settled = sql`s.updated_at < now() - interval '1 minute'
        and not exists (select from pgboss.job j where j.name = 'follow-change' and j.state < 'completed')
        and not exists (select from pgboss.job j where j.name = 'search-driver' and j.state < 'completed'
          and j.data->'timer' is null and j.data->>'shipmentId' = s.id::text)`; // one that is to look now
  return findBrokenRows(db, {
    'a shipment has a driver exactly while it is assigned, picked up, in transit or delivered': sql`
      select s.id::text as broken from shipments s
      where (s.status in ('assigned', 'picked_up', 'in_transit', 'delivered') and s.driver_id is null)
         or (s.status in ('programmed', 'created') and s.driver_id is not null)`,
    'no driver is searched for a shipment that has one or needs none': sql`
      select s.id::text as broken from driver_searches q
      join shipments s on (s.account_id, s.id) = (q.account_id, q.shipment_id)
      where q.ended_at is null and s.status <> 'created' and (s.status <> 'cancelled' or (${settled}))`,
    'a driver is searched for every shipment that needs one': sql`
      select s.id::text as broken from shipments s
      left join driver_searches q on (q.account_id, q.shipment_id) = (s.account_id, s.id) and q.ended_at is null
      where s.status = 'created' and q.id is null and ${settled}`,
    'a search that goes on has the timer of its next step': sql`
      select q.shipment_id::text as broken from driver_searches q
      where q.ended_at is null and not exists (
        select from pgboss.job j where j.name = 'search-driver' and j.state < 'completed'
          and j.data->'timer'->>'searchId' = q.id::text and (j.data->'timer'->>'step')::int = q.step)`,
    'a search that found a driver has one accepted offer, or the operator’s word': sql`
      select q.shipment_id::text as broken from driver_searches q
      left join driver_offers o on o.search_id = q.id and o.answer in ('accepted', 'assigned')
      left join dispatch_decisions x on x.account_id = q.account_id and x.shipment_id = q.shipment_id
        and x.search_id = q.id and x.kind = 'assigned'
      group by q.id, q.state, q.shipment_id
      having (q.state = 'assigned' and (count(distinct x.number) <> 1 or count(distinct o.id) <>
                count(distinct x.number) filter (where x.details->>'by' <> 'operator')))
          or (q.state <> 'assigned' and count(o.id) + count(x.number) > 0)`,
    'the driver who accepted last has the shipment': sql`
      select s.id::text as broken from shipments s
      join lateral (
        select x.driver_id from dispatch_decisions x
        where x.account_id = s.account_id and x.shipment_id = s.id and x.kind = 'assigned'
        order by x.number desc limit 1) last on true
      where s.status in ('assigned', 'picked_up', 'in_transit', 'delivered') and s.driver_id <> last.driver_id`,
    'nothing is offered once its search is over': sql`
      select o.shipment_id::text as broken from driver_offers o join driver_searches q on q.id = o.search_id
      where o.answer is null and q.ended_at is not null`,
    'no delivery was confirmed after five wrong codes without the operator’s reason': sql`
      select s.id::text as broken from shipments s
      where s.wrong_delivery_codes >= 5 and s.status = 'delivered' and s.delivery_reason is null`,
  });
}
