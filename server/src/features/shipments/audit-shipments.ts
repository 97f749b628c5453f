import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';
import { legalSteps } from './lifecycle.ts';

/** Recomputes all redundant data and checks the invariants between tables. Reads only. */
export async function auditShipments(db: Database, timeZone: string): Promise<AuditFinding[]> {
  const steps = legalSteps().map(({ from, to }) => `${from}>${to}`);
  const firstSteps = ['>programmed', '>created'];
  return findBrokenRows(db, {
    'every shipment is charged once, its price': sql`
      select s.id::text as broken
      from every_shipment s left join ledger_entries l on (l.account_id, l.shipment_id, l.kind) = (s.account_id, s.id, 'charge')
      group by s.id, s.price_cents having count(l.entry) <> 1 or min(l.amount_cents) <> -s.price_cents`,
    'a shipment is refunded, in full, exactly when it is cancelled': sql`
      select s.id::text as broken
      from every_shipment s left join ledger_entries l on (l.account_id, l.shipment_id, l.kind) = (s.account_id, s.id, 'refund')
      where (s.status = 'cancelled') <> (l.entry is not null) or l.amount_cents <> s.price_cents`,
    'nothing is charged or refunded without a shipment': sql`
      select l.account_id || ' entry ' || l.entry as broken
      from ledger_entries l left join every_shipment s on (s.account_id, s.id) = (l.account_id, l.shipment_id)
      where l.shipment_id is not null and s.id is null`,
    'ledger entries are numbered without gaps and each carries the balance after it': sql`
      select account_id || ' entry ' || entry as broken from (
        select account_id, entry, balance_after_cents,
               row_number() over account as position, sum(amount_cents) over account as balance
        from ledger_entries window account as (partition by account_id order by entry)
      ) line where entry <> position or balance_after_cents <> balance`,
    'the balance is the sum of the ledger': sql`
      select c.account_id::text as broken
      from account_counters c left join ledger_entries l using (account_id)
      group by c.account_id, c.balance_cents, c.last_entry
      having c.balance_cents <> coalesce(sum(l.amount_cents), 0) or c.last_entry <> count(l.entry)`,
    'a prepaid balance is never below zero': sql`
      select account_id || ' entry ' || entry as broken from ledger_entries
      where payment_mode = 'prepaid' and balance_after_cents < 0`, // the mode at the time of the charge, not the account's current one
    'every shipment has one shipping.created event': sql`
      select s.id::text as broken
      from shipments s left join events e on (e.account_id, e.shipment_id, e.type) = (s.account_id, s.id, 'shipping.created')
      where e.id is null`,
    'a shipment has one shipping.cancelled event exactly when it is cancelled': sql`
      select s.id::text as broken
      from shipments s left join events e on (e.account_id, e.shipment_id, e.type) = (s.account_id, s.id, 'shipping.cancelled')
      group by s.id, s.status having count(e.id) <> (s.status = 'cancelled')::int`,
    'no event without a shipment': sql`
      select e.id::text as broken from events e left join shipments s on (s.account_id, s.id) = (e.account_id, e.shipment_id)
      where s.id is null`,
    'the positions of the event feed end at the account’s last one': sql`
      select e.id::text as broken from events e left join account_counters c using (account_id)
      where e.feed_position > coalesce(c.last_event, 0)`,
    'the status history follows the lifecycle and ends in the status': sql`
      select id::text as broken from (
        select s.id, coalesce(lag(h.step->>'status') over life, '') || '>' || (h.step->>'status') as step,
               (h.step->>'at')::timestamptz < lag((h.step->>'at')::timestamptz) over life as backwards,
               h.position = jsonb_array_length(s.status_history) and h.step->>'status' <> s.status as misplaced
        from shipments s cross join jsonb_array_elements(s.status_history) with ordinality as h (step, position)
        window life as (partition by s.account_id, s.id order by h.position)
      ) history
      where backwards or misplaced or not (step = any(${[...firstSteps, ...steps]}::text[]))
      group by id
      union all
      select id::text from shipments where status_history = '[]'`,
    'shipments are numbered without gaps, in the order of creation': sql`
      select account_id || ' number ' || number as broken from (
        select account_id, number, row_number() over account as position,
               created_at < lag(created_at) over account as backwards
        from every_shipment window account as (partition by account_id order by number)
      ) line where number <> position or backwards`,
    'the counters agree with the shipments': sql`
      select c.account_id::text as broken
      from account_counters c left join every_shipment s using (account_id)
      group by c.account_id, c.last_shipment, c.amount_cents, c.programmed, c.created, c.assigned, c.picked_up, c.in_transit,
        c.delivered, c.cancelled
      having (c.last_shipment, c.amount_cents, c.programmed, c.created, c.assigned, c.picked_up, c.in_transit, c.delivered, c.cancelled)
        <> (count(s.id), coalesce(sum(s.price_cents) filter (where s.status <> 'cancelled'), 0),
            count(*) filter (where s.status = 'programmed'), count(*) filter (where s.status = 'created'),
            count(*) filter (where s.status = 'assigned'), count(*) filter (where s.status = 'picked_up'),
            count(*) filter (where s.status = 'in_transit'), count(*) filter (where s.status = 'delivered'),
            count(*) filter (where s.status = 'cancelled'))`,
    'the daily totals agree with the shipments': sql`
      select account_id || ' ' || day as broken from daily_totals t
      full join (
        select account_id, (created_at at time zone ${timeZone})::date as day, count(*) as shipments,
               coalesce(sum(price_cents) filter (where status <> 'cancelled'), 0) as amount_cents
        from every_shipment group by 1, 2
      ) s using (account_id, day)
      where (t.shipments, t.amount_cents) is distinct from (s.shipments::int, s.amount_cents::bigint)`,
    'the daily deliveries agree with the shipments': sql`
      select account_id || ' ' || day as broken from daily_deliveries t
      full join (
        select account_id, (delivered_at at time zone ${timeZone})::date as day, count(*) as delivered,
               count(*) filter (where case when slot_starts_at is null
                 then (delivered_at at time zone ${timeZone})::date
                      <= (coalesce(estimated_delivery_at, created_at) at time zone ${timeZone})::date
                 else delivered_at <= estimated_delivery_at end) as on_time
        from every_shipment where status = 'delivered' group by 1, 2
      ) s using (account_id, day)
      where (t.delivered, t.on_time) is distinct from (s.delivered::int, s.on_time::int)`,
    'a shipment is archived or in its table, not both': sql`
      select z.id::text as broken from archived_shipments z
      join shipments s on (s.account_id, s.id) = (z.account_id, z.id)`,
    'every archived shipment is in a file, whose numbers follow those of the file before': sql`
      select f.account_id || ' number ' || f.first_number as broken
      from (
        select *, lag(last_number, 1, 0::bigint) over (partition by account_id order by last_number) as previous
        from archive_files) f
      left join archived_shipments z on z.account_id = f.account_id and z.number between f.first_number and f.last_number
      group by f.account_id, f.first_number, f.last_number, f.previous
      having f.first_number <> f.previous + 1 or count(z.id) <> f.last_number - f.first_number + 1
      union all
      select z.account_id || ' number ' || z.number from archived_shipments z
      where not exists (select from archive_files f
        where f.account_id = z.account_id and z.number between f.first_number and f.last_number)`,
  });
}

/** Compares idempotency keys with their shipments. Their only index is by key, so they are not found by account. Reads only. */
export function auditIdempotencyKeys(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'every idempotency key belongs to the shipment that carries it': sql`
      select k.key as broken from idempotency_keys k
      left join shipments s on (s.account_id, s.id) = (k.account_id, k.shipment_id)
      left join archived_shipments z on (z.account_id, z.id) = (k.account_id, k.shipment_id)
      where (s.id is null and z.id is null)
        or (s.personal_data_erased_at is null and z.id is null and s.metadata->>'idempotencyKey' is distinct from
          case when k.key like ' test:%' then substr(k.key, length(' test:' || k.account_id || ':') + 1) else k.key end)`, // not the reverse: merchants may send any metadata
  });
}
