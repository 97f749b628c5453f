import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type AuditFinding, findBrokenRows } from '../../find-broken-rows.ts';

/** What must hold between shipments and messages, once the jobs of a change have had their minute. */
export function auditMessages(db: Database): Promise<AuditFinding[]> {
  const settled = sql`s.updated_at < now() - interval '1 minute' and not exists (
    select from pgboss.job j where j.name = 'follow-change' and j.state < 'completed')`;
  return findBrokenRows(db, {
    'who waits for a shipment on its way was told of it': sql`
      select s.id::text as broken from shipments s
      where ${settled} and (
          s.status in ('assigned', 'picked_up', 'in_transit')
          or (s.status = 'created' and s.status_history->0->>'status' = 'created'))
        and not exists (select from messages m
          where (m.account_id, m.shipment_id, m.kind) = (s.account_id, s.id, 'recipient-sms'))`,
    'nobody was told of a shipment for which no driver is searched yet': sql`
      select s.id::text as broken from shipments s
      where s.status = 'programmed' and exists (
        select from messages m where (m.account_id, m.shipment_id) = (s.account_id, s.id))`,
    'a message that is to be sent has the job that sends it': sql`
      select m.id::text as broken from messages m
      where m.status in ('pending', 'sending') and m.created_at < now() - interval '1 minute' and not exists (
        select from pgboss.job j where j.name = 'send-message' and j.state < 'completed'
          and j.data->>'messageId' = m.id::text)`,
  });
}
