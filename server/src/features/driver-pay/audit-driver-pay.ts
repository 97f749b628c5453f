import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';

/** Compares the pay of shipments with the drivers' ledger. Reads only. */
export function auditDriverPay(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'every delivered shipment with a pay is paid once, this pay, to its driver': sql`
      select s.id::text as broken
      from every_shipment s left join driver_ledger_entries l
        on (l.account_id, l.shipment_id, l.kind) = (s.account_id, s.id, 'run')
      where s.status = 'delivered' and s.driver_pay_cents > 0
        and (l.driver_id, l.amount_cents) is distinct from (s.driver_id, s.driver_pay_cents)
        and not exists (select from drivers d where d.id = s.driver_id and d.works_in is not null)`,
    'no driver is paid for a shipment that is not delivered, or has no pay': sql`
      select l.driver_id || ' entry ' || l.entry as broken
      from driver_ledger_entries l left join every_shipment s on (s.account_id, s.id) = (l.account_id, l.shipment_id)
      where l.kind = 'run' and (s.status is distinct from 'delivered' or s.driver_pay_cents = 0)
        and (s.id is not null or ${servedHere('l.account_id')})`,
    'a shipment has a pay only with a driver': sql`
      select id::text as broken from shipments where driver_pay_cents <> 0 and driver_id is null`,
  });
}

/** Recomputes the ledger of each driver. Reads only. */
export function auditDriverLedgers(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'entries of a driver are numbered without gaps, in the order of their times, and each carries the balance after it': sql`
      select driver_id || ' entry ' || entry as broken from (
        select driver_id, entry, balance_after_cents, at < lag(at) over driver as backwards,
               row_number() over driver as position, sum(amount_cents) over driver as balance
        from driver_ledger_entries window driver as (partition by driver_id order by entry)
      ) line where entry <> position or balance_after_cents <> balance or backwards`,
    'the balance of a driver is the sum of the entries': sql`
      select driver_id::text as broken
      from driver_balances b full join (
        select driver_id, sum(amount_cents) as total, count(*) as entries, max(at) as last_at
        from driver_ledger_entries group by driver_id) l using (driver_id)
      where (b.balance_cents, b.last_entry, b.last_at) is distinct from (l.total, l.entries, l.last_at)`,
  });
}
