import type { Database } from '../../database/database.ts';

export interface DeliveryLine {
  event: string;
  eventId: string;
  shipmentId: string;
  webhookId: string;
  status: string;
  /** How often the event was sent again. */
  resends: number;
  createdAt: Date;
  settledAt: Date | null;
  attempts: {
    resend: number;
    at: Date;
    status: number | null;
    durationMs: number | null;
    error: string | null;
    answer: string | null;
  }[];
}

export interface DeliveriesWanted {
  limit: number;
  webhookId?: string;
  status?: string;
}

/** The latest deliveries of an account, newest first, each with its attempts. */
export async function listDeliveries(
  db: Database,
  accountId: string,
  { limit, webhookId, status }: DeliveriesWanted,
): Promise<DeliveryLine[]> {
  let query = db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as e', (join) =>
      join.onRef('e.account_id', '=', 'd.account_id').onRef('e.id', '=', 'd.event_id'),
    )
    .select(['e.type as event', 'd.event_id as eventId', 'e.shipment_id as shipmentId', 'd.webhook_id as webhookId'])
    .select(['d.status', 'd.resends', 'd.created_at as createdAt', 'd.settled_at as settledAt'])
    .where('d.account_id', '=', accountId)
    .orderBy('d.event_id', 'desc')
    .limit(limit);
  if (webhookId) query = query.where('d.webhook_id', '=', webhookId);
  if (status) query = query.where('d.status', '=', status);
  const deliveries = await query.execute();
  if (deliveries.length === 0) return [];
  const attempts = await db
    .selectFrom('webhook_attempts')
    .select(['event_id as eventId', 'webhook_id as webhookId', 'resend', 'started_at as at', 'status'])
    .select(['duration_ms as durationMs', 'error', 'answer'])
    .where('account_id', '=', accountId)
    .where('event_id', 'in', [...new Set(deliveries.map(({ eventId }) => eventId))])
    .orderBy('resend')
    .orderBy('attempt')
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ eventId, webhookId: webhook }) => `${eventId} ${webhook}`);
  return deliveries.map((delivery) => {
    const own = byDelivery.get(`${delivery.eventId} ${delivery.webhookId}`) ?? [];
    return { ...delivery, attempts: own.map(({ eventId: _event, webhookId: _webhook, ...attempt }) => attempt) };
  });
}
