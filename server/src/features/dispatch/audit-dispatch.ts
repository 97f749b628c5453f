import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';

/**
 * Invariants of shipments, searches and offers. A search starts and ends by a job, so a shipment whose job is still queued
 * breaks none of them.
 */
export function auditDispatch(db: Database): Promise<AuditFinding[]> {
  const settled = sql`s.updated_at < now() - interval '1 minute'
        and not exists (select from pgboss.job j where j.name = 'follow-change' and j.state < 'completed')
        and not exists (select from pgboss.job j where j.name = 'search-driver' and j.state < 'completed'
          and j.data->'timer' is null and j.data->>'shipmentId' = s.id::text)`; // a job without a timer, which is due now
  return findBrokenRows(db, {
    'a shipment has a driver exactly while it is assigned, picked up, in transit or delivered': sql`
      select s.id::text as broken from shipments s
      where (s.status in ('assigned', 'picked_up', 'in_transit', 'delivered') and s.driver_id is null)
         or (s.status in ('programmed', 'created') and s.driver_id is not null)`,
    'a shipment that has a driver or needs none has no active search': sql`
      select s.id::text as broken from driver_searches q
      join shipments s on (s.account_id, s.id) = (q.account_id, q.shipment_id)
      where q.ended_at is null and s.status <> 'created' and (s.status <> 'cancelled' or (${settled}))`,
    'a programmed shipment has a time at which its search starts (if not, give its account an agreedPickupTime with `navette account update`)': sql`
      select s.reference_number as broken from shipments s where s.status = 'programmed' and s.activate_at is null`,
    'a shipment that needs a driver has an active search': sql`
      select s.id::text as broken from shipments s
      left join driver_searches q on (q.account_id, q.shipment_id) = (s.account_id, s.id) and q.ended_at is null
      where s.status = 'created' and q.id is null and ${settled} and ${servedHere('s.account_id')}`,
    'an active search has a timer for its next step': sql`
      select q.shipment_id::text as broken from driver_searches q
      where q.ended_at is null and ${servedHere('q.account_id')} and not exists (
        select from pgboss.job j where j.name = 'search-driver' and j.state < 'completed'
          and j.data->'timer'->>'searchId' = q.id::text and (j.data->'timer'->>'step')::int = q.step)`,
    'a search that found a driver has one accepted offer, or was assigned by the operator': sql`
      select q.shipment_id::text as broken from driver_searches q
      left join driver_offers o on o.search_id = q.id and o.answer in ('accepted', 'assigned')
      left join dispatch_decisions x on x.account_id = q.account_id and x.shipment_id = q.shipment_id
        and x.search_id = q.id and x.kind = 'assigned'
      group by q.id, q.state, q.shipment_id
      having (q.state = 'assigned' and (count(distinct x.number) <> 1 or count(distinct o.id) <>
                count(distinct x.number) filter (where x.details->>'by' <> 'operator')))
          or (q.state <> 'assigned' and count(o.id) + count(x.number) > 0)`,
    'a shipment belongs to the driver who was assigned last': sql`
      select s.id::text as broken from shipments s
      join lateral (
        select case when x.kind = 'assigned' then x.driver_id else (x.details->>'previous')::uuid end as driver_id
        from dispatch_decisions x
        where x.account_id = s.account_id and x.shipment_id = s.id and x.kind in ('assigned', 'assignment undone')
        order by x.number desc limit 1) last on true
      where s.status in ('assigned', 'picked_up', 'in_transit', 'delivered')
        and (last.driver_id is null or s.driver_id <> last.driver_id)`,
    'an ended search has no open offers': sql`
      select o.shipment_id::text as broken from driver_offers o join driver_searches q on q.id = o.search_id
      where o.answer is null and q.ended_at is not null`,
    'an offer or a decision names a search that exists': sql`
      select o.shipment_id::text as broken from driver_offers o left join driver_searches q on q.id = o.search_id
      where q.id is null
      union all
      select x.shipment_id::text from dispatch_decisions x left join driver_searches q on q.id = x.search_id
      where x.search_id is not null and q.id is null`,
    'a shipment whose searches are summarised has ended, and has none': sql`
      select m.shipment_id::text as broken from dispatch_summaries m
      left join shipments s on (s.account_id, s.id) = (m.account_id, m.shipment_id)
      where s.id is null or (s.status not in ('delivered', 'cancelled') and s.returned_at is null)
        or exists (select from driver_searches q where (q.account_id, q.shipment_id) = (m.account_id, m.shipment_id))`,
    'a delivery after five wrong codes has a reason given by the operator': sql`
      select s.id::text as broken from shipments s
      where s.wrong_delivery_codes >= 5 and s.status = 'delivered' and s.delivery_reason is null`,
  });
}
