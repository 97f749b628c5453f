-- Webhooks: subscriptions to events, deliveries, and the outcome of every attempt.
-- Retention: deliveries and attempts are kept 30 days (purge-webhook-deliveries). Event ids are made in the order of
-- time, so that the purge is a range of the primary key, and so would partitions by event_id be.

create table webhooks (
  account_id uuid not null references accounts,
  id uuid not null,
  url text not null,
  events text[] not null check (
    cardinality(events) > 0 and events <@ array[
      'shipping.created', 'shipping.assigned', 'shipping.picked_up', 'shipping.delivered', 'shipping.cancelled']),
  secret_key text not null,      -- which of WEBHOOK_SECRET_KEYS sealed the secret
  sealed_secret bytea not null,  -- AES-256-GCM, bound to account and id
  is_active boolean not null,
  failing_since timestamptz,     -- set by a delivery that is dropped, cleared by the next that arrives
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, url)
);

-- One row per event and webhook. `attempts` counts reservations: it is raised before a request leaves, so that three
-- are three even when the worker dies before it records the outcome. `recorded` follows once the outcome is known.
-- No foreign keys: events are kept, and deliveries of a deleted webhook remain readable.
create table webhook_deliveries (
  account_id uuid not null,
  event_id uuid not null,
  webhook_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dropped', 'cancelled')),
  attempts smallint not null default 0 check (attempts between 0 and 3),
  recorded smallint not null default 0 check (recorded <= attempts),
  attempted_at timestamptz, -- when the latest attempt was reserved
  failed_at timestamptz,    -- when the latest recorded one failed: the next waits from here
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, event_id, webhook_id),
  check ((status = 'pending') = (settled_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
-- The pending deliveries of a webhook: its size does not depend on the deliveries that were sent.
create index pending_webhook_deliveries on webhook_deliveries (account_id, webhook_id, event_id)
  where status = 'pending';

create table webhook_attempts (
  account_id uuid not null,
  event_id uuid not null,
  webhook_id uuid not null,
  attempt smallint not null check (attempt between 1 and 3),
  started_at timestamptz not null,
  duration_ms integer,                     -- null: unknown, its worker died
  status smallint,                         -- of the response; null: there was none
  error text,                              -- why there was none
  answer text check (length(answer) <= 1024), -- beginning of an error response, for the merchant's developers
  primary key (account_id, event_id, webhook_id, attempt)
);
