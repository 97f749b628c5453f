import type { WebhookHealth } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** Upper bounds of response times, in milliseconds. An attempt ends after five seconds. */
const BOUNDS_MS = [25, 50, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 5_000] as const;
const HOURS = 24;
const MOST_COUNTED = 1_000; // pending deliveries

/** Adds the rows of `logged` and `settled` to the hour's counts. A repeated record inserts neither, so it counts nothing. */
export const COUNT_OUTCOMES = `
  insert into webhook_hours as h (account_id, webhook_id, hour, delivered, dropped, last_delivered_at, durations)
  select account_id, webhook_id, date_trunc('hour', clock_timestamp(), 'UTC'),
         count(*) filter (where status = 'delivered'), count(*) filter (where status = 'dropped'),
         max(settled_at) filter (where status = 'delivered'),
         array[${[...BOUNDS_MS, null].map((_, i) => `count(*) filter (where bucket = ${i})`).join(', ')}]
  from (
    select account_id, webhook_id, null as status, null as settled_at,
           width_bucket(duration_ms, array[${BOUNDS_MS.join(', ')}]) as bucket
    from logged where duration_ms is not null
    union all
    select account_id, webhook_id, status, settled_at, null from settled where status in ('delivered', 'dropped')
  ) as outcome
  group by account_id, webhook_id
  order by account_id, webhook_id
  on conflict (account_id, webhook_id, hour) do update
  set delivered = h.delivered + excluded.delivered, dropped = h.dropped + excluded.dropped,
      last_delivered_at = greatest(h.last_delivered_at, excluded.last_delivered_at),
      durations = array(select a + b from unnest(h.durations, excluded.durations) with ordinality as pair (a, b, i) order by i)`;

interface HealthRow {
  id: string;
  delivered: number;
  dropped: number;
  durations: number[][];
  lastDeliveredAt: Date | null;
  pending: number;
  oldestPendingAt: Date | null;
}

/** The health of an account's webhooks, or of one of them, by id. Reads the counts of a day, and at most a thousand pending deliveries. */
export async function readHealth(
  db: Database,
  accountId: string,
  now: Date,
  webhookId: string | null = null,
): Promise<Map<string, WebhookHealth>> {
  const since = new Date(now.getTime() - HOURS * 3_600_000);
  const { rows } = await sql<HealthRow>`
    select w.id, day.delivered, day.dropped, day.durations, last.last_delivered_at as "lastDeliveredAt",
           waiting.count as pending, waiting.oldest as "oldestPendingAt"
    from webhooks w
    cross join lateral (
      select coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(dropped), 0)::int as dropped,
             coalesce(json_agg(durations), '[]') as durations
      from webhook_hours h where h.account_id = w.account_id and h.webhook_id = w.id and h.hour > ${since}
    ) day
    left join lateral (
      select last_delivered_at from webhook_hours h
      where h.account_id = w.account_id and h.webhook_id = w.id and h.delivered > 0
      order by h.hour desc limit 1
    ) last on true
    cross join lateral (
      select count(*)::int as count, min(created_at) as oldest from (
        select created_at from webhook_deliveries d
        where d.account_id = w.account_id and d.webhook_id = w.id and d.status = 'pending'
        order by d.event_id limit ${MOST_COUNTED}) pending
    ) waiting
    where w.account_id = ${accountId} and (${webhookId}::uuid is null or w.id = ${webhookId}::uuid)`.execute(db);
  return new Map(rows.map((row) => [row.id, present(row)]));
}

function present({
  delivered,
  dropped,
  durations,
  lastDeliveredAt,
  pending,
  oldestPendingAt,
}: HealthRow): WebhookHealth {
  const settled = delivered + dropped;
  return {
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    deliveredShare: settled === 0 ? null : delivered / settled,
    p95Ms: percentile(durations, 0.95),
    pending,
    oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
  };
}

/** The bound below which this share of the counted attempts lies; null without attempts. */
function percentile(counts: readonly (readonly number[])[], share: number): number | null {
  const sums = [...BOUNDS_MS, null].map((_, i) => counts.reduce((sum, hour) => sum + (hour[i] ?? 0), 0));
  const total = sums.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  const found = sums.findIndex((count) => {
    below += count;
    return below >= share * total;
  });
  return BOUNDS_MS[found] ?? BOUNDS_MS.at(-1) ?? null;
}
