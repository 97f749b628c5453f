import type pg from 'pg';
import { coalesce } from '../../concurrency/coalesce.ts';
import { type DeliveryRef, type DeliveryRound, keyOf, SHARED_STATEMENTS } from './delivery-queue.ts';
import type { Fault } from './webhook-faults.ts';
import { COUNT_OUTCOMES } from './webhook-health.ts';
import type { WebhookRef } from './webhook-secret.ts';

export interface Outcome extends DeliveryRound {
  attempt: number;
  /** Null when there was no attempt to log. */
  startedAt: Date | null;
  durationMs: number | null;
  status: number | null;
  error: string | null;
  answer: string | null;
  /** The webhook's secret that signed the attempt; null when it is unknown. */
  secretVersion: number | null;
  fault: Fault;
  becomes: 'delivered' | 'pending' | 'dropped' | 'cancelled';
  /** Time since the failure by this process's clock; the delay before the next attempt starts there. */
  failedMsAgo: number;
}

/** Attempts and their outcomes. Concurrent calls share a statement, as in delivery-queue.ts. */
export interface AttemptLog {
  /** The address for this attempt. Null when it must not be made: another worker has it, or the webhook is gone. */
  reserve(delivery: DeliveryRound & { attempt: number }): Promise<string | null>;
  record(outcome: Outcome): Promise<void>;
  markFailing(webhook: WebhookRef, isFailing: boolean): Promise<void>;
}

export function createAttemptLog(pool: pg.Pool): AttemptLog {
  return {
    reserve: coalesce(SHARED_STATEMENTS, async (deliveries: (DeliveryRound & { attempt: number })[]) => {
      const wanted = deliveries.map((delivery) => ({ ...keyOf(delivery), attempt: delivery.attempt }));
      const { rows } = await pool.query<DeliveryRef & { url: string }>(RESERVE_ATTEMPTS, [JSON.stringify(wanted)]);
      const reserved = new Map(rows.map((row) => [nameOf(row), row.url]));
      return deliveries.map((delivery) => {
        const url = reserved.get(nameOf(delivery)) ?? null;
        reserved.delete(nameOf(delivery)); // a second sender of the webhook must not make the same attempt
        return url;
      });
    }),
    record: coalesce(SHARED_STATEMENTS, async (outcomes: Outcome[]) => {
      const rows = outcomes.map((outcome) => ({
        ...keyOf(outcome),
        attempt: outcome.attempt,
        started_at: outcome.startedAt,
        duration_ms: outcome.durationMs === null ? null : Math.round(outcome.durationMs),
        http_status: outcome.status,
        error: outcome.error,
        answer: outcome.answer,
        secret_version: outcome.secretVersion,
        test_fault: outcome.fault,
        becomes: outcome.becomes,
        failed_ms_ago: outcome.failedMsAgo,
      }));
      await pool.query(RECORD_OUTCOMES, [JSON.stringify(rows)]);
      return outcomes.map(() => undefined);
    }),
    async markFailing(webhook, isFailing) {
      await pool.query(MARK_FAILING, [JSON.stringify([{ ...keyOf(webhook), is_failing: isFailing }])]);
    },
  };
}

const nameOf = ({ eventId, webhookId }: Pick<DeliveryRef, 'eventId' | 'webhookId'>) => `${eventId} ${webhookId}`;

/**
 * Reserves the next attempt of each delivery of $1, unless another worker reserved it or the webhook is gone. Returns the
 * webhook's current address: a merchant who corrects it between two attempts receives the next one there.
 */
const RESERVE_ATTEMPTS = `
  with wanted as materialized (
    select * from json_to_recordset($1) as r (
      account_id uuid, event_id uuid, webhook_id uuid, resend int, attempt int)
    order by account_id, webhook_id, event_id
  )
  update webhook_deliveries d set attempts = r.attempt, attempted_at = clock_timestamp()
  from wanted r
  join webhooks h on (h.account_id, h.id) = (r.account_id, r.webhook_id) and h.is_active
  where (d.account_id, d.event_id, d.webhook_id) = (r.account_id, r.event_id, r.webhook_id)
    and d.resends = r.resend and d.attempts = r.attempt - 1 and d.settled_at is null
  returning d.event_id as "eventId", d.webhook_id as "webhookId", h.url`;

/**
 * Inserts each attempt into the log, updates the delivery and counts both for the webhook's health. A worker that lost a
 * delivery to another one changes nothing any more, except that a success always counts: it also replaces what the other
 * worker logged about this attempt, whose outcome was unknown to it. Two senders of this process may record the same
 * delivery in one statement: the success goes first.
 */
const RECORD_OUTCOMES = `
  with outcome as materialized (
    select distinct on (account_id, webhook_id, event_id, resend, attempt) *
    from json_to_recordset($1) as o (
      account_id uuid, event_id uuid, webhook_id uuid, resend int, attempt int, started_at timestamptz, duration_ms int,
      http_status int, error text, answer text, secret_version int, test_fault text, becomes text, failed_ms_ago float8)
    order by account_id, webhook_id, event_id, resend, attempt, becomes <> 'delivered'
  ), settled as (
    update webhook_deliveries d
    set recorded = d.attempts, status = o.becomes,
        failed_at = case when o.becomes = 'delivered' then null
                         else clock_timestamp() - o.failed_ms_ago * interval '1 ms' end,
        settled_at = case when o.becomes <> 'pending' then clock_timestamp() end
    from (
      select distinct on (account_id, webhook_id, event_id, resend) * from outcome
      order by account_id, webhook_id, event_id, resend, becomes <> 'delivered', attempt desc
    ) o
    where (d.account_id, d.event_id, d.webhook_id) = (o.account_id, o.event_id, o.webhook_id)
      and d.resends = o.resend and d.settled_at is null and (d.attempts = o.attempt or o.becomes = 'delivered')
    returning d.account_id, d.event_id, d.webhook_id, d.status, d.settled_at
  ), logged as (
    insert into webhook_attempts
      (account_id, event_id, webhook_id, resend, attempt, started_at, duration_ms, status, error, answer, secret_version,
       test_fault)
    select account_id, event_id, webhook_id, resend, attempt, started_at, duration_ms, http_status, error, answer,
           secret_version, test_fault
    from outcome where started_at is not null
    on conflict (account_id, event_id, webhook_id, resend, attempt) do update
    set duration_ms = excluded.duration_ms, status = excluded.status, error = null, answer = excluded.answer,
        secret_version = excluded.secret_version, test_fault = excluded.test_fault
    where webhook_attempts.error = 'INTERRUPTED' and excluded.status between 200 and 299 and exists (
      select from settled s
      where (s.event_id, s.webhook_id, s.status) = (excluded.event_id, excluded.webhook_id, 'delivered'))
    returning account_id, webhook_id, duration_ms
  )
  ${COUNT_OUTCOMES}`;

/** Sets or clears the mark of failing webhooks; writes nothing where the mark is right already. */
const MARK_FAILING = `
  update webhooks set failing_since = case when m.is_failing then now() end
  from json_to_recordset($1) as m (account_id uuid, webhook_id uuid, is_failing boolean)
  where (webhooks.account_id, webhooks.id) = (m.account_id, m.webhook_id)
    and (webhooks.failing_since is not null) <> m.is_failing`;
