import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { ShipmentChange } from '../../jobs/definitions.ts';
import { isSampled, type Traced } from '../../observability/trace-context.ts';
import type { WebhookRef } from './webhook-secret.ts';

/** A webhook with deliveries to send. */
export interface PendingWebhook extends WebhookRef {
  /** Its last delivery was dropped: healthy webhooks come first. */
  isFailing: boolean;
}

/**
 * Inserts one delivery per event and active webhook that subscribes to it. Idempotent: the job may run again. Returns the
 * webhooks, whose senders must be woken after the commit: a sender that is just ending would not see the rows before.
 */
export async function addDeliveries(tx: Tx, changes: readonly Traced<ShipmentChange>[]): Promise<PendingWebhook[]> {
  const announced = changes.flatMap(({ accountId, eventId, traceparent }) =>
    eventId === null
      ? []
      : { account_id: accountId, event_id: eventId, traceparent: isSampled(traceparent) ? traceparent : null },
  );
  if (announced.length === 0) return [];
  const { rows } = await sql<PendingWebhook>`
    with wanted as (
      select e.account_id, e.id as event_id, w.id as webhook_id, w.failing_since is not null as is_failing,
             announced.traceparent
      from json_to_recordset(${JSON.stringify(announced)}) as announced (account_id uuid, event_id uuid, traceparent text)
      join events e on (e.account_id, e.id) = (announced.account_id, announced.event_id) and e.body is not null
      join webhooks w on w.account_id = e.account_id and w.is_active and e.type = any(w.events)
    ), added as (
      insert into webhook_deliveries (account_id, event_id, webhook_id, traceparent)
      select account_id, event_id, webhook_id, traceparent from wanted
      order by account_id, webhook_id, event_id -- the lock order of deliveries
      on conflict do nothing
    )
    select distinct account_id as "accountId", webhook_id as "webhookId", is_failing as "isFailing" from wanted
  `.execute(tx);
  return rows;
}
