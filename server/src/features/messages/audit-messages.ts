import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import { sendMessageJob } from '../../jobs/definitions.ts';

/**
 * Of a row `m` of messages: it is to be sent, and no job will do it. Without a correlation, PostgreSQL reads the jobs once, also
 * when its statistics are from before a burst.
 */
export const isWithoutJob = sql<boolean>`m.status in ('pending', 'sending') and m.id::text not in (
  select j.data->>'messageId' from pgboss.job j where j.name = ${sendMessageJob.name} and j.state < 'completed'
    and j.data->>'messageId' is not null)`;

/** By then a message that a worker was sending when it died has a job. */
const RESUMED = sql`interval '3 minutes'`;

/** Invariants of shipments and messages. Skips the latest minute, whose jobs may still run. */
export function auditMessages(db: Database): Promise<AuditFinding[]> {
  const settled = sql`s.updated_at < now() - interval '1 minute' and not exists (
    select from pgboss.job j where j.name = 'follow-change' and j.state < 'completed')`;
  return findBrokenRows(db, {
    'the recipient of a shipment under way has a message': sql`
      select s.id::text as broken from shipments s
      where ${settled} and (
          s.status in ('assigned', 'picked_up', 'in_transit')
          or (s.status = 'created' and s.status_history->0->>'status' = 'created'))
        and not exists (select from messages m
          where (m.account_id, m.shipment_id, m.kind) = (s.account_id, s.id, 'recipient-sms'))`,
    'before the search for a driver only the booked slot is announced': sql`
      select s.id::text as broken from shipments s
      where s.status = 'programmed' and exists (
        select from messages m where (m.account_id, m.shipment_id) = (s.account_id, s.id) and m.kind <> 'booked-email')`,
    'a delivery or cancellation is announced only once it happened': sql`
      select m.id::text as broken from messages m
      join shipments s on (s.account_id, s.id) = (m.account_id, m.shipment_id)
      where (m.kind = 'delivered-email' and s.status <> 'delivered') or (m.kind = 'cancelled-email' and s.status <> 'cancelled')`,
    'an unsent message has a job that sends it': sql`
      select m.id::text as broken from messages m
      where m.created_at < now() - ${RESUMED} and ${isWithoutJob} and ${servedHere('m.account_id')}`,
  });
}
