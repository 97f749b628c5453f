import type { WebhookEvent } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

interface ShipmentDelivery {
  event: WebhookEvent;
  eventId: string;
  webhookId: string;
  webhookUrl: string | null;
  status: 'pending' | 'delivered' | 'dropped' | 'cancelled';
  attempts: number;
  createdAt: Date;
  settledAt: Date | null;
}

/** The deliveries of a shipment's events, oldest first. Two indexes serve it: one for the creation, one for the rest. */
export async function listShipmentDeliveries(
  db: Database,
  accountId: string,
  shipmentId: string,
): Promise<ShipmentDelivery[]> {
  const { rows } = await sql<ShipmentDelivery>`
    with event as materialized (
      select id, type from events
      where account_id = ${accountId} and shipment_id = ${shipmentId} and type = 'shipping.created'
      union all
      select id, type from events
      where account_id = ${accountId} and shipment_id = ${shipmentId} and type <> 'shipping.created'
    )
    select e.type as event, e.id as "eventId", d.webhook_id as "webhookId", w.url as "webhookUrl", d.status, d.attempts,
           d.created_at as "createdAt", d.settled_at as "settledAt"
    from event e
    join webhook_deliveries d on d.account_id = ${accountId} and d.event_id = e.id
    left join webhooks w on w.account_id = ${accountId} and w.id = d.webhook_id
    order by e.id, d.webhook_id
  `.execute(db);
  return rows;
}
