import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { ShipmentChange } from '../../jobs/definitions.ts';
import type { WebhookRef } from './webhook-secret.ts';

export interface Addressee extends WebhookRef {
  /** Its last delivery was dropped: it is served after those that answer. */
  isFailing: boolean;
}

/**
 * One delivery per event and active webhook that wants it, however often the change is followed. Answers whom they are
 * for; those must be rung once this is committed, and not before: a round that is just ending would not see it.
 */
export async function addDeliveries(tx: Tx, changes: readonly ShipmentChange[]): Promise<Addressee[]> {
  const announced = changes.flatMap(({ accountId, eventId }) =>
    eventId === null ? [] : { account_id: accountId, event_id: eventId },
  );
  if (announced.length === 0) return [];
  const { rows } = await sql<Addressee>`
    with wanted as (
      select e.account_id, e.id as event_id, w.id as webhook_id, w.failing_since is not null as is_failing
      from json_to_recordset(${JSON.stringify(announced)}) as announced (account_id uuid, event_id uuid)
      join events e on (e.account_id, e.id) = (announced.account_id, announced.event_id)
      join webhooks w on w.account_id = e.account_id and w.is_active and e.type = any(w.events)
    ), added as (
      insert into webhook_deliveries (account_id, event_id, webhook_id)
      select account_id, event_id, webhook_id from wanted
      on conflict do nothing
    )
    select distinct account_id as "accountId", webhook_id as "webhookId", is_failing as "isFailing" from wanted
  `.execute(tx);
  return rows;
}
