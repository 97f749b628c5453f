import type { WebhookEvent } from '@navette/contract';
import type pg from 'pg';
import { coalesce } from '../../concurrency/coalesce.ts';
import { daysAfter, startOfDay } from '../../database/partitions.ts';
import { firstIdAt } from '../../database/uuid.ts';
import type { Fault } from './webhook-faults.ts';
import type { WebhookRef } from './webhook-secret.ts';

/**
 * Pending deliveries, read and claimed by senders. Each statement works for many webhooks at once and takes its input as
 * JSON. The texts of statements that are bounded to recent days change once a day.
 *
 * Two workers may hold the same deliveries when one of them was wrongly considered dead. So every statement locks rows
 * in one order: by account, webhook and event.
 */

/** One event for one webhook. */
export interface DeliveryRef extends WebhookRef {
  eventId: string;
}

/** A delivery and the resend that it is in: a worker that was considered dead must not change a later one. */
export interface DeliveryRound extends DeliveryRef {
  /** 0 for the first delivery of the event. */
  resend: number;
}

export interface TakenDelivery extends DeliveryRound {
  event: WebhookEvent;
  body: string;
  /** Attempts reserved so far, including the one of this take. */
  attempts: number;
  /** Attempts with a known outcome. */
  recorded: number;
  /** True when this take reserved an attempt, which may be sent now. False when a dead worker left its attempts. */
  isReserved: boolean;
  attemptedAt: Date | null;
  /** Time since the latest attempt failed or, when its outcome is unknown, since it started. */
  sinceLastMs: number | null;
  /** The webhook's last settled delivery was dropped. */
  isFailing: boolean;
  /** Null when the webhook was paused or deleted. */
  url: string | null;
  /** The job that added the delivery, when spans of its trace are recorded. */
  traceparent: string | null;
  secretKey: string;
  sealedSecret: Buffer;
  secretVersion: number;
  testFault: Fault;
}

interface TakeRequest extends WebhookRef {
  /** Events that the sender already has open. */
  busy: string[];
  limit: number;
}

/** Concurrent calls, of any sender, share a statement. */
export interface DeliveryQueue {
  /** The webhook's address; null when it was paused or deleted. */
  findTarget(webhook: WebhookRef): Promise<string | null>;
  /** Deliveries of recent events. */
  take(request: TakeRequest): Promise<TakenDelivery[]>;
  /** Deliveries of events of any age: looks into every day that is kept. */
  takeOfAnyAge(request: TakeRequest): Promise<TakenDelivery[]>;
}

export const SHARED_STATEMENTS = { maxBatch: 100, maxRunning: 2 };

export function createDeliveryQueue(pool: pg.Pool): DeliveryQueue {
  return {
    findTarget: coalesce(SHARED_STATEMENTS, async (webhooks: WebhookRef[]) => {
      const wanted = JSON.stringify(webhooks.map(keyOf));
      const { rows } = await pool.query<{ webhookId: string; url: string }>(FIND_TARGETS, [wanted]);
      const urls = new Map(rows.map(({ webhookId, url }) => [webhookId, url]));
      return webhooks.map(({ webhookId }) => urls.get(webhookId) ?? null);
    }),
    take: coalesce(SHARED_STATEMENTS, (requests: TakeRequest[]) => takeAll(pool, requests, isIn(recentDays()))),
    takeOfAnyAge: coalesce(SHARED_STATEMENTS, (requests: TakeRequest[]) => takeAll(pool, requests, '')),
  };
}

async function takeAll(pool: pg.Pool, requests: TakeRequest[], bounds: string): Promise<TakenDelivery[][]> {
  // A webhook may have two senders for a while. One takes; the other finds what is left the next time.
  const taking = new Map(requests.map(({ webhookId }, i) => [webhookId, i]));
  const takes = ({ webhookId }: TakeRequest, i: number) => taking.get(webhookId) === i;
  const wanted = requests
    .filter(takes)
    .map(({ busy, limit, ...webhook }) => ({ ...keyOf(webhook), busy, most: limit }));
  const { rows } = await pool.query<TakenDelivery>(takeDeliveries(bounds), [JSON.stringify(wanted)]);
  const byWebhook = Map.groupBy(rows, ({ webhookId }) => webhookId);
  return requests.map((request, i) => (takes(request, i) && byWebhook.get(request.webhookId)) || []);
}

interface Days {
  from: string;
  until: string;
}

/** Yesterday, today and tomorrow, as ids of events. Nearly all deliveries are of these days. */
function recentDays(): Days {
  const today = startOfDay(new Date());
  return { from: firstIdAt(daysAfter(today, -1)), until: firstIdAt(daysAfter(today, 2)) };
}

/**
 * Bounds for a look-up in `webhook_deliveries d`. They are part of the text and not values: PostgreSQL then plans, locks and
 * opens three partitions instead of all, which would take longer than the rest of the statement. Not for a join: in a
 * partition that was analysed while it was empty, PostgreSQL would read the whole range instead of the joined keys.
 */
const isIn = ({ from, until }: Days) => `and d.event_id >= '${from}' and d.event_id < '${until}'`;

/** The columns of a delivery's or a webhook's key. */
export const keyOf = ({ accountId, webhookId, ...rest }: WebhookRef & { eventId?: string; resend?: number }) => ({
  account_id: accountId,
  webhook_id: webhookId,
  ...(rest.eventId ? { event_id: rest.eventId, resend: rest.resend } : {}),
});

/**
 * Takes the pending deliveries of each webhook of $1, oldest first: at most `most`, without those in `busy`. Reserves the
 * first attempt in the same statement. Deliveries of a dead worker are returned with their attempts so far, and with the
 * time since the latest attempt ended or, when its outcome is unknown, started. A webhook that was paused or deleted has
 * no address, and nothing is reserved for it.
 */
const takeDeliveries = (bounds: string) => `
  with wanted as materialized (
    select * from json_to_recordset($1) as w (account_id uuid, webhook_id uuid, busy uuid[], most int)
    order by account_id, webhook_id
  ), taken as materialized (
    select d.*, h.url, h.failing_since is not null as is_failing, h.secret_key, h.sealed_secret,
           h.secret_version, h.test_fault
    from wanted w
    left join webhooks h on h.account_id = w.account_id and h.id = w.webhook_id and h.is_active
    cross join lateral (
      select account_id, event_id, webhook_id, attempts, recorded, attempted_at, failed_at, traceparent, resends
      from webhook_deliveries d
      where d.account_id = w.account_id and d.webhook_id = w.webhook_id and d.status = 'pending'
        and d.event_id <> all(w.busy) ${bounds}
      order by d.event_id
      limit w.most
    ) d
  ), reserved as (
    update webhook_deliveries d set attempts = 1, attempted_at = clock_timestamp()
    from taken t
    where (d.account_id, d.event_id, d.webhook_id) = (t.account_id, t.event_id, t.webhook_id)
      and t.attempts = 0 and t.url is not null and d.attempts = 0 and d.settled_at is null and d.resends = t.resends
    returning t.account_id, t.event_id, t.webhook_id, 1 as attempts, t.recorded, d.attempted_at, t.failed_at,
              t.traceparent, t.resends, t.url, t.is_failing, t.secret_key, t.sealed_secret, t.secret_version, t.test_fault,
              true as is_reserved
  ), found as (
    select * from reserved
    union all
    select t.*, false from taken t where t.attempts > 0 or t.url is null
  )
  select f.account_id as "accountId", f.event_id as "eventId", f.webhook_id as "webhookId", f.attempts, f.recorded,
         f.is_reserved as "isReserved", f.attempted_at as "attemptedAt",
         extract(epoch from clock_timestamp() - case when f.recorded = f.attempts then f.failed_at else f.attempted_at end)
           ::float8 * 1000 as "sinceLastMs",
         f.traceparent, f.url, f.is_failing as "isFailing", f.secret_key as "secretKey", f.sealed_secret as "sealedSecret",
         f.secret_version as "secretVersion", f.resends as resend, f.test_fault as "testFault",
         e.type as event, e.body
  from found f
  join events e on (e.account_id, e.id) = (f.account_id, f.event_id)`;

/** The addresses of the webhooks of $1, without those that were paused or deleted. */
const FIND_TARGETS = `
  select h.id as "webhookId", h.url
  from json_to_recordset($1) as w (account_id uuid, webhook_id uuid)
  join webhooks h on (h.account_id, h.id) = (w.account_id, w.webhook_id) and h.is_active`;

/** The webhooks of $1 that still have pending deliveries, of any age, and the event of the oldest one. */
export const FIND_PENDING = `
  select w.account_id as "accountId", w.webhook_id as "webhookId", pending.event_id as "eventId"
  from json_to_recordset($1) as w (account_id uuid, webhook_id uuid)
  cross join lateral (
    select event_id from webhook_deliveries d
    where d.account_id = w.account_id and d.webhook_id = w.webhook_id and d.status = 'pending'
    order by d.event_id
    limit 1
  ) pending`;

/** Whether only `takeOfAnyAge` finds the deliveries of an event. */
export function isOutsideRecentDays(eventId: string): boolean {
  const { from, until } = recentDays();
  return eventId < from || eventId >= until; // later, when the clock of the process that made it is ahead
}

/** Every webhook with pending deliveries, and the age of the oldest one: skips along the index from webhook to webhook. */
export const PENDING_BY_WEBHOOK = `
  with recursive next as (
  (select account_id, webhook_id, event_id, created_at from webhook_deliveries
   where status = 'pending' order by account_id, webhook_id, event_id limit 1)
  union all
  select d.* from next
  cross join lateral (
    select account_id, webhook_id, event_id, created_at from webhook_deliveries
    where status = 'pending' and (account_id, webhook_id) > (next.account_id, next.webhook_id)
    order by account_id, webhook_id, event_id limit 1
  ) d
  )
  select account_id as "accountId", webhook_id as "webhookId", created_at as "oldest" from next`;
