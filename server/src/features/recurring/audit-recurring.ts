import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';

/** Compares occurrences with shipments. Reads only. */
export function auditRecurring(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'every created occurrence has one shipment, of its day and of this origin': sql`
      select o.schedule_id || ' ' || o.day as broken from recurring_occurrences o
      left join shipments s on (s.account_id, s.id) = (o.account_id, o.shipment_id)
      left join archived_shipments z on (z.account_id, z.id) = (o.account_id, o.shipment_id)
      where (s.id is null and z.id is null) or s.platform <> 'recurring' or s.scheduled_date <> o.day`,
    'every shipment of this origin is an occurrence': sql`
      select s.id::text as broken from shipments s
      left join recurring_occurrences o on (o.account_id, o.shipment_id) = (s.account_id, s.id)
      where s.platform = 'recurring' and o.day is null`,
    'no shipment is created on a day that was skipped': sql`
      select e.schedule_id || ' ' || e.day as broken from recurring_exceptions e
      join recurring_occurrences o using (account_id, schedule_id, day) where e.kind = 'skipped'`,
  });
}
