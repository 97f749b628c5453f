-- Shipments, and the rows that must exist once a client has received 201.
-- All rows of a creation commit together. None of these tables has a foreign key: each row is written while its
-- account's row in account_counters is locked, and a key check per row would cost more than the row.
-- Retention: shipments, events, ledger and idempotency keys are kept; hash partitions by account_id fit all keys
-- but two that must hold across accounts (reference_number and idempotency_keys.key).

-- Counters of the locked row, so that totals, pages and statistics cost the same for any account.
alter table account_counters
  add column last_shipment bigint not null default 0,
  add column last_shipment_at timestamptz not null default 'epoch',
  add column amount_cents bigint not null default 0, -- price of all shipments that were not cancelled
  add column programmed bigint not null default 0,
  add column created bigint not null default 0,
  add column assigned bigint not null default 0,
  add column picked_up bigint not null default 0,
  add column in_transit bigint not null default 0,
  add column delivered bigint not null default 0,
  add column cancelled bigint not null default 0;

create table daily_totals (
  account_id uuid not null,
  day date not null, -- local day of creation
  shipments integer not null,
  amount_cents bigint not null,
  primary key (account_id, day)
) with (fillfactor = 70);

create table drivers (
  id uuid primary key,
  first_name text not null,
  last_name text not null,
  phone_number text not null,
  picture_url text,
  rating real,
  created_at timestamptz not null default now()
);

-- Addresses, contact and metadata are `json`: stored as sent, returned whole, never searched.
create table shipments (
  account_id uuid not null,
  id uuid not null,
  number bigint not null, -- 1, 2, 3… per account without gaps, in the order of created_at
  reference_number text not null,
  status text not null
    check (status in ('programmed', 'created', 'assigned', 'picked_up', 'in_transit', 'delivered', 'cancelled')),
  price_cents integer not null check (price_cents >= 0),
  weight double precision not null check (weight > 0),
  nature text not null,
  notes text,
  is_collection boolean not null,
  group_reference text,
  pickup_address json not null,
  delivery_address json not null,
  scheduled_date date,
  time_slot text,
  slot_starts_at timestamptz,
  activate_at timestamptz, -- when a programmed shipment starts to look for a driver
  estimated_delivery_at timestamptz,
  platform text not null,
  order_id text,
  shop_domain text,
  metadata json not null,
  collection_contact json,
  driver_id uuid,
  delivery_code text not null, -- for recipient and driver only: in no response, event or log
  label_suffix text not null,
  picked_up_at timestamptz,
  delivered_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  status_history jsonb not null, -- [{"status", "at"}], oldest first
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, number)
) with (fillfactor = 90);
create unique index shipments_by_reference on shipments (reference_number);
create index shipments_by_status on shipments (account_id, status, number);
create index shipments_by_group on shipments (account_id, group_reference, number) where group_reference is not null;

create table idempotency_keys (
  key text primary key, -- across accounts: a key used by another one must be refused
  account_id uuid not null,
  shipment_id uuid not null
);

-- One row per event that the contract emits, with the exact bytes that every attempt will send.
create table events (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  type text not null check (
    type in ('shipping.created', 'shipping.assigned', 'shipping.picked_up', 'shipping.delivered', 'shipping.cancelled')),
  body text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index one_created_event_per_shipment on events (account_id, shipment_id) where type = 'shipping.created';

-- An instant in the API's format.
create function iso_instant(instant timestamptz) returns text
  language sql stable parallel safe
  return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The first number of an account that was created at this moment or later. Numbers follow created_at, so halving the
-- range finds it in some twenty reads of the primary order, and date filters need no index of their own.
create function first_number_since(account uuid, moment timestamptz) returns bigint
  language plpgsql stable parallel safe as $$
declare
  lowest bigint := 1;
  above bigint;
  middle bigint;
  created timestamptz;
begin
  select last_shipment + 1 into above from account_counters where account_id = account;
  while lowest < above loop
    middle := (lowest + above) / 2;
    select created_at into created from shipments where account_id = account and number = middle;
    if created < moment then lowest := middle + 1; else above := middle; end if;
  end loop;
  return lowest;
end $$;
