import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { addHeldDeliveryJob, type ShipmentChange } from '../../jobs/definitions.ts';
import { isSampled, type Traced } from '../../observability/trace-context.ts';
import { type Fault, holdUntil, IS_HELD } from './webhook-faults.ts';
import type { WebhookRef } from './webhook-secret.ts';

/** A webhook with deliveries to send. */
export interface PendingWebhook extends WebhookRef {
  /** Its last delivery was dropped: healthy webhooks come first. */
  isFailing: boolean;
}

interface Wanted extends PendingWebhook {
  held: { eventId: string; fault: Fault } | null;
}

/**
 * Inserts one delivery per event and active webhook that subscribes to it. Idempotent: the job may run again. Returns the
 * webhooks, whose senders must be woken after the commit: a sender that is just ending would not see the rows before.
 * An event that a fault of test mode holds gets its delivery from a job of its own.
 */
export async function addDeliveries(
  tx: Tx,
  jobs: JobSender,
  changes: readonly Traced<ShipmentChange>[],
): Promise<PendingWebhook[]> {
  const announced = changes.flatMap(({ accountId, eventId, traceparent }) =>
    eventId === null
      ? []
      : { account_id: accountId, event_id: eventId, traceparent: isSampled(traceparent) ? traceparent : null },
  );
  if (announced.length === 0) return [];
  const { rows } = await sql<Wanted>`
    with wanted as (
      select e.account_id, e.id as event_id, w.id as webhook_id, w.failing_since is not null as is_failing,
             announced.traceparent, ${IS_HELD} as is_held, w.test_fault
      from json_to_recordset(${JSON.stringify(announced)}) as announced (account_id uuid, event_id uuid, traceparent text)
      join events e on (e.account_id, e.id) = (announced.account_id, announced.event_id) and e.body is not null
      join webhooks w on w.account_id = e.account_id and w.is_active and e.type = any(w.events)
    ), added as (
      insert into webhook_deliveries (account_id, event_id, webhook_id, traceparent)
      select account_id, event_id, webhook_id, traceparent from wanted where not is_held
      order by account_id, webhook_id, event_id -- the lock order of deliveries
      on conflict do nothing
    )
    select distinct account_id as "accountId", webhook_id as "webhookId", is_failing as "isFailing",
      case when is_held then jsonb_build_object('eventId', event_id, 'fault', test_fault) end as held
    from wanted
  `.execute(tx);
  const held = rows.flatMap(({ held, accountId, webhookId }) =>
    held ? { payload: { accountId, webhookId, eventId: held.eventId }, startAfter: holdUntil(held.fault) } : [],
  );
  await jobs.sendAll(tx, addHeldDeliveryJob, held);
  return rows.filter((webhook) => webhook.held === null);
}
