-- The inbox of the operator's console: the state of its entries, and two facts that were not stored before.
-- Retention:
--   inbox_states       until the night after the entry's fact ended (job purge-inbox-states)
--   balance_refusals   until the next credit, at the latest a day after the last refusal

-- The state that people gave an entry. The entry itself is computed from facts; its key is its kind and subject.
create table inbox_states (
  key text primary key,
  since timestamptz not null,   -- of the fact when it was resolved: another one starts again as open
  taken_by uuid,                -- staff member
  taken_by_name text,
  taken_at timestamptz,
  snoozed_until timestamptz,
  resolved_at timestamptz,
  resolved_by uuid,
  note text,
  version integer not null default 0,
  changed_at timestamptz not null,
  changed_by text not null,     -- name, for the person who comes second
  last_change text not null,
  check ((taken_by is null) = (taken_at is null)),
  check ((resolved_by is null) = (resolved_at is null))
);

-- Prepaid accounts whose creations are refused for lack of balance.
create table balance_refusals (
  account_id uuid primary key references accounts,
  first_at timestamptz not null,
  last_at timestamptz not null, -- written once a minute at most
  price_cents integer not null  -- of the last refused shipment
);
create index balance_refusals_by_time on balance_refusals (last_at);

alter table shipments add column code_locked_at timestamptz; -- when the last attempt at the delivery code was used up
