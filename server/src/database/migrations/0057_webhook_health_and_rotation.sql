-- When members were mailed that a webhook fails: once for each time that it starts to fail.
alter table webhooks add column failure_mailed_at timestamptz;

-- Rotation of a webhook's secret. The next secret is visible at once and signs from `next_secret_at` on. The previous one
-- is kept for the log, which shows the signatures of the last 30 days.
alter table webhooks
  add column secret_version integer not null default 1,
  add column secret_changed_at timestamptz,
  add column next_secret_key text,
  add column next_sealed_secret bytea,
  add column next_secret_at timestamptz,
  add column previous_secret_key text,
  add column previous_sealed_secret bytea,
  add constraint webhooks_next_secret_complete check (
    (next_secret_key is null) = (next_secret_at is null) and (next_sealed_secret is null) = (next_secret_at is null)),
  add constraint webhooks_previous_secret_complete check ((previous_secret_key is null) = (previous_sealed_secret is null));
create index webhooks_with_next_secret on webhooks (next_secret_at) where next_secret_at is not null;
create index webhooks_with_previous_secret on webhooks (secret_changed_at) where previous_secret_key is not null;
alter table webhook_attempts add column secret_version integer; -- null: 1, or written by a process of the previous version

-- Outcomes of a webhook by hour, counted by the statement that records them. Retention: 30 days.
create table webhook_hours (
  account_id uuid not null,
  webhook_id uuid not null,
  hour timestamptz not null,
  delivered integer not null default 0,
  dropped integer not null default 0,
  last_delivered_at timestamptz,
  durations integer[] not null, -- attempts by response time; the bounds are in webhook-health.ts
  primary key (account_id, webhook_id, hour)
) with (fillfactor = 50);
