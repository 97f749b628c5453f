import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { addHeldDeliveryJob, type HeldDelivery } from '../../jobs/definitions.ts';
import type { PendingWebhook } from './add-deliveries.ts';
import { holdUntil } from './webhook-faults.ts';

const MOST_HELD_SECONDS = 60; // a shipment whose next event takes longer, or never comes

export interface HeldDeliveryContext {
  db: Database;
  jobs: JobSender;
  wakeSenders: (webhooks: PendingWebhook[]) => Promise<void>;
}

/**
 * Adds the delivery of an event that a fault of test mode holds. Out of order means: after a later event of the same
 * shipment was sent to this webhook. Until then the job enqueues itself again. Idempotent: the job may run again.
 */
export async function addHeldDelivery({ db, jobs, wakeSenders }: HeldDeliveryContext, held: HeldDelivery) {
  const webhook = await findWebhook(db, held);
  if (!webhook) return; // paused or deleted
  if (webhook.mustWait) {
    await db
      .transaction()
      .execute((tx) => jobs.send(tx, addHeldDeliveryJob, held, { startAfter: holdUntil('out_of_order') }));
    return;
  }
  const { accountId, webhookId, eventId } = held;
  const ids = { account_id: accountId, event_id: eventId, webhook_id: webhookId };
  await db
    .insertInto('webhook_deliveries')
    .values(ids)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await wakeSenders([{ accountId, webhookId, isFailing: webhook.isFailing }]);
}

async function findWebhook(db: Database, { accountId, webhookId, eventId }: HeldDelivery) {
  const { rows } = await sql<{ isFailing: boolean; mustWait: boolean }>`
    select w.failing_since is not null as "isFailing",
      w.test_fault is not distinct from 'out_of_order'
        and e.created_at > now() + a.clock_ahead_ms * interval '1 millisecond' - make_interval(secs => ${MOST_HELD_SECONDS})
        and not exists (
          select from events later
          join webhook_deliveries d on (d.account_id, d.event_id, d.webhook_id) = (w.account_id, later.id, w.id)
          where later.account_id = e.account_id and later.shipment_id = e.shipment_id and later.id > e.id
            and d.settled_at is not null) as "mustWait"
    from webhooks w join events e on e.account_id = w.account_id and e.id = ${eventId} and e.body is not null
    join accounts a on a.id = w.account_id
    where w.account_id = ${accountId} and w.id = ${webhookId} and w.is_active`.execute(db);
  return rows[0];
}
