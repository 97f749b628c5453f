import type { DeliveryAttempt, DeliverySummary, WebhookEvent } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { signedHeaders } from './signature.ts';
import type { Fault } from './webhook-faults.ts';

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
  secretOf: (version: number) => string | null,
): Promise<DeliveryRecord | undefined> {
  if (!isUuid(eventId)) return undefined;
  const row = await selectDeliveries(db, accountId, webhookId)
    .select('e.body')
    .where('d.event_id', '=', eventId)
    .executeTakeFirst();
  if (!row?.body) return undefined;
  const attempts = await db
    .selectFrom('webhook_attempts')
    .select([
      'attempt',
      'started_at',
      'duration_ms',
      'status',
      'error',
      'answer',
      'test_fault',
      'resend',
      'secret_version',
    ])
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .where('webhook_id', '=', webhookId)
    .orderBy('resend')
    .orderBy('attempt')
    .execute();
  const { body } = row;
  const event = row.event as WebhookEvent;
  const bytes = Buffer.from(body);
  return {
    delivery: summarise(row),
    body,
    attempts: attempts.map((made) => {
      const { resend, attempt, started_at: at, duration_ms: durationMs, status, error, answer } = made;
      // The worker of an interrupted attempt died: its signed timestamp is unknown.
      const secret = error === 'INTERRUPTED' ? null : secretOf(made.secret_version ?? 1);
      const headers = secret && signedHeaders(secret, event, at, bytes, made.test_fault as Fault);
      return {
        resend,
        attempt,
        at: at.toISOString(),
        status,
        error,
        answer,
        durationMs,
        headers: headers ? toHeaderList(headers) : null,
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
      'd.resends',
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
  resends: row.resends,
  createdAt: row.created_at.toISOString(),
  settledAt: row.settled_at?.toISOString() ?? null,
});
