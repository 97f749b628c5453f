import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { WebhookRef } from './webhook-secret.ts';

export interface ResentCounts {
  sent: number;
  /** Their delivery was pending: they are being sent anyway. */
  inProgress: number;
  /** Their body was erased. */
  unavailable: number;
}

/**
 * Makes the deliveries of events to a webhook pending again, with three new attempts and the same body. A row per request
 * and event ensures that a repeated call sends nothing twice. The lock on events makes an erasure wait, which then
 * deletes these deliveries, too.
 */
export async function resendDeliveries(
  tx: Tx,
  { accountId, webhookId, resendId }: WebhookRef & { resendId: string },
  eventIds: readonly string[],
): Promise<ResentCounts> {
  const { rows } = await sql<ResentCounts>`
    with wanted as materialized (
      select id, body is not null as has_body from events
      where account_id = ${accountId} and id = any(${eventIds}::uuid[])
      order by id for share
    ), claimed as (
      insert into webhook_resent_events (account_id, resend_id, event_id)
      select ${accountId}::uuid, ${resendId}::uuid, id from wanted where has_body
      on conflict do nothing
      returning event_id
    ), again as (
      insert into webhook_deliveries as d (account_id, event_id, webhook_id, resends)
      select ${accountId}::uuid, event_id, ${webhookId}::uuid, 1 from claimed
      order by event_id -- the lock order of deliveries
      on conflict (account_id, event_id, webhook_id) do update
      set status = 'pending', attempts = 0, recorded = 0, attempted_at = null, failed_at = null, settled_at = null,
          created_at = now(), resends = d.resends + 1, traceparent = null
      where d.settled_at is not null
      returning event_id
    )
    select (select count(*) from again)::int as sent,
           (select count(*) from claimed)::int - (select count(*) from again)::int as "inProgress",
           (select count(*) from wanted where not has_body)::int as unavailable`.execute(tx);
  return rows[0] as ResentCounts;
}
