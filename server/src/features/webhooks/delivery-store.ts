import type { WebhookEvent } from '@navette/contract';
import type pg from 'pg';
import { coalesce } from '../../coalesce.ts';
import { RECORD_OUTCOMES, RESERVE_ATTEMPTS, TAKE_DELIVERIES } from './delivery-statements.ts';
import type { WebhookRef } from './webhook-secret.ts';

/** One event for one webhook. */
export interface DeliveryRef extends WebhookRef {
  eventId: string;
}

export interface TakenDelivery extends DeliveryRef {
  event: WebhookEvent;
  body: string;
  /** Reserved so far, this one included when it is. */
  attempts: number;
  /** How many of them have a known outcome. */
  recorded: number;
  /** The attempt may be sent now; otherwise a dead worker's are to be continued. */
  isReserved: boolean;
  attemptedAt: Date | null;
  /** Since the latest attempt failed or, when its outcome is unknown, since it was started. */
  sinceLastMs: number | null;
  /** The last delivery that ended was dropped. */
  isFailing: boolean;
  /** Null when the webhook was paused or deleted. */
  url: string | null;
  secretKey: string;
  sealedSecret: Buffer;
}

export interface Outcome extends DeliveryRef {
  attempt: number;
  /** Null when there was no attempt to log. */
  startedAt: Date | null;
  durationMs: number | null;
  status: number | null;
  error: string | null;
  answer: string | null;
  becomes: 'delivered' | 'pending' | 'dropped' | 'cancelled';
  /** How long ago it failed, by this process's clock; the wait until the next attempt counts from there. */
  failedMsAgo: number;
}

interface TakeRequest extends WebhookRef {
  busy: string[];
  room: number;
}

/** What rounds ask of the database. Questions that come up together travel together, whichever round they are from. */
export interface DeliveryStore {
  take(request: TakeRequest): Promise<TakenDelivery[]>;
  /** Where to send the attempt; null when it may not be made: somebody else has the delivery, or the webhook is gone. */
  reserve(delivery: DeliveryRef & { attempt: number }): Promise<string | null>;
  record(outcome: Outcome): Promise<void>;
}

const TOGETHER = { most: 100, atOnce: 2 };

export function createDeliveryStore(pool: pg.Pool): DeliveryStore {
  return {
    take: coalesce(TOGETHER, async (requests: TakeRequest[]) => {
      const wanted = requests.map(({ busy, room, ...webhook }) => ({ ...keyOf(webhook), busy, room }));
      const { rows } = await pool.query<TakenDelivery>(TAKE_DELIVERIES, [JSON.stringify(wanted)]);
      const byWebhook = Map.groupBy(rows, ({ webhookId }) => webhookId);
      return requests.map(({ webhookId }) => byWebhook.get(webhookId) ?? []);
    }),
    reserve: coalesce(TOGETHER, async (deliveries: (DeliveryRef & { attempt: number })[]) => {
      const wanted = deliveries.map((delivery) => ({ ...keyOf(delivery), attempt: delivery.attempt }));
      const { rows } = await pool.query<DeliveryRef & { url: string }>(RESERVE_ATTEMPTS, [JSON.stringify(wanted)]);
      const reserved = new Map(rows.map((row) => [nameOf(row), row.url]));
      return deliveries.map((delivery) => reserved.get(nameOf(delivery)) ?? null);
    }),
    record: coalesce(TOGETHER, async (outcomes: Outcome[]) => {
      const rows = outcomes.map((outcome) => ({
        ...keyOf(outcome),
        attempt: outcome.attempt,
        started_at: outcome.startedAt,
        duration_ms: outcome.durationMs === null ? null : Math.round(outcome.durationMs),
        http_status: outcome.status,
        error: outcome.error,
        answer: outcome.answer,
        becomes: outcome.becomes,
        failed_ms_ago: outcome.failedMsAgo,
      }));
      await pool.query(RECORD_OUTCOMES, [JSON.stringify(rows)]);
      return outcomes.map(() => undefined);
    }),
  };
}

const keyOf = ({ accountId, webhookId, ...rest }: WebhookRef & { eventId?: string }) => ({
  account_id: accountId,
  webhook_id: webhookId,
  ...(rest.eventId ? { event_id: rest.eventId } : {}),
});
const nameOf = ({ eventId, webhookId }: Pick<DeliveryRef, 'eventId' | 'webhookId'>) => `${eventId} ${webhookId}`;
