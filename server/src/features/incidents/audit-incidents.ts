import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';

/** Checks incidents against the shipments that they belong to. Read-only. */
export const auditIncidents = (db: Database): Promise<AuditFinding[]> =>
  findBrokenRows(db, {
    'an incident is open only while its shipment is under way': sql`
      select i.id::text as broken from incidents i
      join shipments s on (s.account_id, s.id) = (i.account_id, i.shipment_id)
      where i.resolved_at is null and (s.status in ('delivered', 'cancelled') or s.returned_at is not null)`,
    'an incident belongs to a shipment': sql`
      select i.id::text as broken from incidents i
      left join shipments s on (s.account_id, s.id) = (i.account_id, i.shipment_id) where s.id is null`,
    'a shipment is returned exactly when an incident says so, and then it is not delivered': sql`
      select s.id::text as broken from shipments s
      where s.returned_at is not null and (
        s.status not in ('picked_up', 'in_transit') or not exists (
          select from incidents i
          where (i.account_id, i.shipment_id) = (s.account_id, s.id) and i.resolution = 'returned'))
      union all
      select i.shipment_id::text from incidents i
      join shipments s on (s.account_id, s.id) = (i.account_id, i.shipment_id)
      where i.resolution = 'returned' and s.returned_at is null`,
    'what was left with a person or confirmed by the operator is delivered': sql`
      select i.id::text as broken from incidents i
      join shipments s on (s.account_id, s.id) = (i.account_id, i.shipment_id)
      where i.resolution in ('left_with', 'confirmed') and s.status <> 'delivered'`,
  });
