-- Accounts with their API keys, prices, slots and ledger.
-- Every key of a table that grows starts with account_id: hash partitions by account, or Citus, stay possible.

create table accounts (
  id uuid primary key,
  client_id text not null unique,
  name text not null,
  email text not null,
  client_type text,
  contract_version text,
  contract_signed boolean not null default false,
  is_special_request boolean not null default false,
  agreed_pickup_time time,
  minimum_price_cents integer not null default 0 check (minimum_price_cents >= 0),
  price_per_kg_cents integer check (price_per_kg_cents >= 0),
  payment_mode text not null default 'prepaid' check (payment_mode in ('prepaid', 'deferred')),
  credit_limit_cents bigint check (credit_limit_cents >= 0),
  payment_status text not null default 'current'
    check (payment_status in ('current', 'grace', 'payment_required', 'suspended')),
  amount_due_cents bigint check (amount_due_cents >= 0), -- the operator's own figure; null: the ledger's
  grace_period_ends_at timestamptz,
  limit_per_minute integer not null check (limit_per_minute >= 0),
  limit_per_hour integer not null check (limit_per_hour >= 0),
  limit_per_day integer not null check (limit_per_day >= 0),
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Drivers fetch parcels there. formatted_address and place_id come from other systems and survive a new address.
create table pickup_addresses (
  account_id uuid primary key references accounts,
  street text not null,
  city text not null,
  postal_code text not null,
  country text not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  formatted_address text,
  place_id text,
  updated_at timestamptz not null default now()
);

create table time_slots (
  id uuid primary key,
  account_id uuid not null references accounts,
  position integer not null,
  label text not null,
  start_minute smallint not null check (start_minute between 0 and 1439), -- minutes after local midnight
  end_minute smallint not null check (end_minute between 1 and 1439),
  unique (account_id, label),
  check (end_minute > start_minute)
);

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text,
  key_hash bytea not null unique, -- SHA-256: the key itself is not stored
  hint text not null,             -- its last characters, so that a person can tell keys apart
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'delete']),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_by_account on api_keys (account_id, created_at);

-- One row per account, which creations and payments lock. Separate from accounts, so that a settings change
-- and a charge do not wait for each other; narrow and half full, so that updates stay on their page.
create table account_counters (
  account_id uuid primary key references accounts,
  balance_cents bigint not null default 0,
  last_entry bigint not null default 0
) with (fillfactor = 50);

-- Append-only. Entry n contains the balance after it, so each entry can be verified from the one before.
-- No foreign key: an entry is only written while its account's row in account_counters is locked.
create table ledger_entries (
  account_id uuid not null,
  entry bigint not null,
  kind text not null check (kind in ('credit', 'charge', 'refund')),
  amount_cents bigint not null,
  balance_after_cents bigint not null,
  shipment_id uuid,
  note text,
  created_at timestamptz not null default now(),
  primary key (account_id, entry),
  check ((kind = 'credit') = (shipment_id is null)),
  -- A negative credit corrects a mistake, since entries never change.
  check (case kind when 'charge' then amount_cents <= 0 when 'refund' then amount_cents >= 0 else amount_cents <> 0 end)
);
-- One charge and at most one refund per shipment.
create unique index ledger_once_per_shipment on ledger_entries (account_id, shipment_id, kind)
  where shipment_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger ledger_is_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- Results of the geocoder. Keyed by a hash, so that no personal address is stored a second time.
create table geocoded_addresses (
  address_hash bytea primary key,
  latitude double precision not null,
  longitude double precision not null,
  precision text not null,
  found_at timestamptz not null default now()
);
create index geocoded_addresses_by_age on geocoded_addresses (found_at);
