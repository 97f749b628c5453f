/**
 * The statements of sending. Each works for many rounds at once and takes its input as JSON. Not prepared by name: a
 * plan made while these tables are empty reads them from end to end, and would go on so when they have grown. Planning
 * each time costs a millisecond, shared by all the deliveries of the statement.
 */

/**
 * Takes what is pending for each webhook of $1, oldest first, at most `room` and without what its round is `busy` with
 * already. The first attempt is reserved on the way. What a dead worker left behind comes with its attempts so far, and
 * with how long ago the latest of them ended or, when nobody knows, was started. A webhook that was paused or deleted
 * meanwhile has no address: nothing is reserved for it.
 */
export const TAKE_DELIVERIES = `
  with wanted as materialized (
    select * from json_to_recordset($1) as w (account_id uuid, webhook_id uuid, busy uuid[], room int)
  ), taken as materialized (
    select d.*, h.url, h.failing_since is not null as is_failing, h.secret_key, h.sealed_secret
    from wanted w
    left join webhooks h on h.account_id = w.account_id and h.id = w.webhook_id and h.is_active
    cross join lateral (
      select account_id, event_id, webhook_id, attempts, recorded, attempted_at, failed_at
      from webhook_deliveries d
      where d.account_id = w.account_id and d.webhook_id = w.webhook_id and d.status = 'pending'
        and d.event_id <> all(w.busy)
      order by d.event_id
      limit w.room
    ) d
  ), reserved as (
    update webhook_deliveries d set attempts = 1, attempted_at = clock_timestamp()
    from taken t
    where (d.account_id, d.event_id, d.webhook_id) = (t.account_id, t.event_id, t.webhook_id)
      and t.attempts = 0 and t.url is not null and d.attempts = 0 and d.settled_at is null
    returning t.account_id, t.event_id, t.webhook_id, 1 as attempts, t.recorded, d.attempted_at, t.failed_at,
              t.url, t.is_failing, t.secret_key, t.sealed_secret, true as is_reserved
  ), found as (
    select * from reserved
    union all
    select t.*, false from taken t where t.attempts > 0 or t.url is null
  )
  select f.account_id as "accountId", f.event_id as "eventId", f.webhook_id as "webhookId", f.attempts, f.recorded,
         f.is_reserved as "isReserved", f.attempted_at as "attemptedAt",
         extract(epoch from clock_timestamp() - case when f.recorded = f.attempts then f.failed_at else f.attempted_at end)
           ::float8 * 1000 as "sinceLastMs",
         f.url, f.is_failing as "isFailing", f.secret_key as "secretKey", f.sealed_secret as "sealedSecret",
         e.type as event, e.body
  from found f
  join events e on (e.account_id, e.id) = (f.account_id, f.event_id)`;

/**
 * Reserves the next attempt of each delivery of $1, unless somebody else did, or its webhook is gone. Answers with the
 * address that holds now: who corrects it between two attempts gets the next one there.
 */
export const RESERVE_ATTEMPTS = `
  update webhook_deliveries d set attempts = r.attempt, attempted_at = clock_timestamp()
  from json_to_recordset($1) as r (account_id uuid, event_id uuid, webhook_id uuid, attempt int)
  join webhooks h on (h.account_id, h.id) = (r.account_id, r.webhook_id) and h.is_active
  where (d.account_id, d.event_id, d.webhook_id) = (r.account_id, r.event_id, r.webhook_id)
    and d.attempts = r.attempt - 1 and d.settled_at is null
  returning d.event_id as "eventId", d.webhook_id as "webhookId", h.url`;

/**
 * Writes what came of attempts: a line of the log each, and the delivery's own state. Whoever lost a delivery to
 * another worker changes nothing any more, but for good news: that it arrived.
 */
export const RECORD_OUTCOMES = `
  with outcome as materialized (
    select * from json_to_recordset($1) as o (
      account_id uuid, event_id uuid, webhook_id uuid, attempt int, started_at timestamptz, duration_ms int,
      http_status int, error text, answer text, becomes text, failed_ms_ago float8)
  ), logged as (
    insert into webhook_attempts
      (account_id, event_id, webhook_id, attempt, started_at, duration_ms, status, error, answer)
    select account_id, event_id, webhook_id, attempt, started_at, duration_ms, http_status, error, answer
    from outcome where started_at is not null
    on conflict do nothing
  )
  update webhook_deliveries d
  set recorded = d.attempts, status = o.becomes,
      failed_at = case when o.becomes = 'delivered' then null
                       else clock_timestamp() - o.failed_ms_ago * interval '1 ms' end,
      settled_at = case when o.becomes <> 'pending' then clock_timestamp() end
  from outcome o
  where (d.account_id, d.event_id, d.webhook_id) = (o.account_id, o.event_id, o.webhook_id)
    and d.settled_at is null and (d.attempts = o.attempt or o.becomes = 'delivered')`;

/** Of the webhooks of $1, those that still have something pending. */
export const FIND_PENDING = `
  select w.account_id as "accountId", w.webhook_id as "webhookId"
  from json_to_recordset($1) as w (account_id uuid, webhook_id uuid)
  cross join lateral (
    select from webhook_deliveries d
    where d.account_id = w.account_id and d.webhook_id = w.webhook_id and d.status = 'pending'
    limit 1
  ) pending`;

/** Turns the mark of failing endpoints on or off, and writes nothing where it is right already. */
export const MARK_FAILING = `
  update webhooks set failing_since = case when m.is_failing then now() end
  from json_to_recordset($1) as m (account_id uuid, webhook_id uuid, is_failing boolean)
  where (webhooks.account_id, webhooks.id) = (m.account_id, m.webhook_id)
    and (webhooks.failing_since is not null) <> m.is_failing`;

/** Every webhook that has something pending, with the oldest of it: jumps along the index from one to the next. */
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
