import type { DeliveryAttempt, DeliverySummary, WebhookEvent } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../uuid.ts';
import { signedHeaders } from './signature.ts';

const PAGE = 25;

export interface DeliveriesPage {
  deliveries: DeliverySummary[];
  nextCursor: string | null;
}

interface DeliveriesWanted {
  status?: DeliverySummary['status'];
  /** The last event of the page before. */
  cursor?: string;
}

/** What one webhook was sent, newest first. */
export async function readDeliveries(
  db: Database,
  accountId: string,
  webhookId: string,
  wanted: DeliveriesWanted,
): Promise<DeliveriesPage> {
  const rows = await selectPage(db, accountId, webhookId, wanted).execute();
  const deliveries = rows.slice(0, PAGE).map(summarise);
  return { deliveries, nextCursor: rows.length > PAGE ? (deliveries.at(-1)?.eventId ?? null) : null };
}

export function selectPage(db: Database, accountId: string, webhookId: string, { status, cursor }: DeliveriesWanted) {
  let query = selectDeliveries(db, accountId, webhookId)
    .orderBy('d.event_id', 'desc')
    .limit(PAGE + 1);
  if (status) query = query.where('d.status', '=', status);
  // Said of both sides of the join: PostgreSQL would read the events from the newest down to the cursor otherwise.
  if (cursor && isUuid(cursor)) query = query.where('d.event_id', '<', cursor).where('e.id', '<', cursor);
  return query;
}

export interface DeliveryRecord {
  delivery: DeliverySummary;
  body: string;
  attempts: DeliveryAttempt[];
}

/** One delivery with its event's bytes and every attempt, its headers signed again as they were. */
export async function readDelivery(
  db: Database,
  accountId: string,
  webhookId: string,
  eventId: string,
  secret: string,
): Promise<DeliveryRecord | undefined> {
  if (!isUuid(eventId)) return undefined;
  const row = await selectDeliveries(db, accountId, webhookId)
    .select('e.body')
    .where('d.event_id', '=', eventId)
    .executeTakeFirst();
  if (!row) return undefined;
  const attempts = await db
    .selectFrom('webhook_attempts')
    .select(['attempt', 'started_at', 'duration_ms', 'status', 'error', 'answer'])
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .where('webhook_id', '=', webhookId)
    .orderBy('attempt')
    .execute();
  const bytes = Buffer.from(row.body);
  return {
    delivery: summarise(row),
    body: row.body,
    attempts: attempts.map(({ attempt, started_at: at, duration_ms: durationMs, status, error, answer }) => {
      // Of an attempt whose worker died only the reservation is known, not the instant that was signed.
      const headers = error === 'INTERRUPTED' ? null : signedHeaders(secret, row.event as WebhookEvent, at, bytes);
      return { attempt, at: at.toISOString(), status, error, answer, durationMs, headers: headers && named(headers) };
    }),
  };
}

export const named = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const selectDeliveries = (db: Database, accountId: string, webhookId: string) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as e', (join) =>
      join.onRef('e.account_id', '=', 'd.account_id').onRef('e.id', '=', 'd.event_id'),
    )
    .select([
      'd.event_id',
      'e.type as event',
      'e.shipment_id',
      'd.status',
      'd.attempts',
      'd.created_at',
      'd.settled_at',
    ])
    .where('d.account_id', '=', accountId)
    .where('d.webhook_id', '=', webhookId);

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number];

const summarise = (row: DeliveryRow): DeliverySummary => ({
  eventId: row.event_id,
  event: row.event as WebhookEvent,
  shipmentId: row.shipment_id,
  status: row.status as DeliverySummary['status'],
  attempts: row.attempts,
  createdAt: row.created_at.toISOString(),
  settledAt: row.settled_at?.toISOString() ?? null,
});
