-- Events that are sent to a webhook again. A delivery stays one row per event and webhook: a resend resets it and raises
-- `resends`, and each attempt names the resend that it belongs to.
-- A constant default does not rewrite a table.
alter table webhook_deliveries add column resends smallint not null default 0;
alter table webhook_attempts add column resend smallint not null default 0;

-- A request to send one event or the events of a period again. Retention: 30 days, as deliveries.
create table webhook_resends (
  account_id uuid not null references accounts,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid,                     -- null: the events of a period
  scope text not null check (scope in ('lost', 'all')),
  since timestamptz not null,
  until timestamptz not null,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled')),
  step integer not null default 0,   -- the number of the job that may continue it
  position uuid not null,            -- events up to this id are handled
  last_event uuid not null,
  sent integer not null default 0,
  in_progress integer not null default 0, -- their delivery was pending, so they were not sent a second time
  unavailable integer not null default 0, -- their body was erased
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (account_id, id),
  check ((state = 'running') = (finished_at is null))
);
create index webhook_resends_by_webhook on webhook_resends (account_id, webhook_id, id);
create unique index one_running_resend_per_webhook on webhook_resends (account_id, webhook_id)
  where state = 'running' and event_id is null;

-- Each event once per request, whatever happens to its worker.
create table webhook_resent_events (
  account_id uuid not null,
  resend_id uuid not null,
  event_id uuid not null,
  primary key (account_id, resend_id, event_id)
);
