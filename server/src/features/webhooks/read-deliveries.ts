import type { DeliveryAttempt, DeliverySummary, WebhookEvent } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { signedHeaders } from './signature.ts';

const PAGE = 25;

export interface DeliveriesPage {
  deliveries: DeliverySummary[];
  nextCursor: string | null;
}

interface DeliveriesWanted {
  status?: DeliverySummary['status'];
  /** The last event of the previous page. */
  cursor?: string;
}

/** The deliveries of one webhook, newest first. */
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

function selectPage(db: Database, accountId: string, webhookId: string, { status, cursor }: DeliveriesWanted) {
  let query = selectDeliveries(db, accountId, webhookId)
    .orderBy('d.event_id', 'desc')
    .limit(PAGE + 1);
  if (status) query = query.where('d.status', '=', sql.lit(status)); // literal: lets 'dropped' use the index dropped_webhook_deliveries
  // The bound is repeated on both tables: otherwise PostgreSQL reads the events from the newest down to the cursor.
  if (cursor && isUuid(cursor)) query = query.where('d.event_id', '<', cursor).where('e.id', '<', cursor);
  return query;
}

export interface DeliveryRecord {
  delivery: DeliverySummary;
  body: string;
  attempts: DeliveryAttempt[];
}

/** One delivery with its event's body and every attempt. The headers are signed again, as they were sent. */
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
  if (!row?.body) return undefined;
  const attempts = await db
    .selectFrom('webhook_attempts')
    .select(['attempt', 'started_at', 'duration_ms', 'status', 'error', 'answer'])
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .where('webhook_id', '=', webhookId)
    .orderBy('attempt')
    .execute();
  const { body } = row;
  const bytes = Buffer.from(body);
  return {
    delivery: summarise(row),
    body,
    attempts: attempts.map(({ attempt, started_at: at, duration_ms: durationMs, status, error, answer }) => {
      // The worker of an interrupted attempt died: its signed timestamp is unknown.
      const headers = error === 'INTERRUPTED' ? null : signedHeaders(secret, row.event as WebhookEvent, at, bytes);
      return {
        attempt,
        at: at.toISOString(),
        status,
        error,
        answer,
        durationMs,
        headers: headers && toHeaderList(headers),
      };
    }),
  };
}

export const toHeaderList = (headers: Record<string, string>) =>
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
