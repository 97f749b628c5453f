-- Hands issued invoices to a certified platform, and takes its statuses back. Retention: ten years, as the invoices.

-- The outbox: written by the transaction that issues the document, so none is forgotten.
create table invoice_handovers (
  account_id uuid not null,
  number text not null,
  state text not null check (state in ('waiting', 'handed_over', 'failed')), -- failed: the platform refused the request
  attempts integer not null,
  attempt_at timestamptz,  -- when it is sent next; null when there is nothing to send
  failure text,            -- a code, never a text of the platform
  platform_id text unique, -- the platform's own id of the document
  ask_at timestamptz,      -- when the platform is asked for statuses next; null when there is nothing to ask
  created_at timestamptz not null,
  handed_over_at timestamptz,
  primary key (account_id, number),
  foreign key (account_id, number) references invoices,
  check ((state = 'waiting') = (attempt_at is not null)),
  check ((state = 'handed_over') = (platform_id is not null)),
  check ((state = 'handed_over') = (handed_over_at is not null))
);
create index invoice_handovers_to_send on invoice_handovers (attempt_at);
create index invoice_handovers_to_ask on invoice_handovers (ask_at);
create index invoice_handovers_by_state on invoice_handovers (state, created_at);

-- Statuses that the platform reported. The key lets each status be recorded once, whatever the order in which they come.
create table invoice_statuses (
  account_id uuid not null,
  number text not null,
  reference text not null,                                    -- the platform's own id of the status
  code smallint not null check (code between 200 and 299),    -- of the life cycle that French law defines
  at timestamptz not null,                                    -- when it was so, by the platform
  received_at timestamptz not null,
  primary key (account_id, number, reference),
  foreign key (account_id, number) references invoice_handovers
);
create trigger invoice_statuses_never_change before update or delete or truncate on invoice_statuses
  for each statement execute function refuse_change();
