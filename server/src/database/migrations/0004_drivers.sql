-- Sign-in of drivers, and every decision of the search for a driver.
-- Retention: as long as the shipment. Drivers belong to the operator, so their own tables carry no account.

alter table drivers
  add column email text,
  add column password_hash text,                      -- argon2id; null: the driver signs in with the token of `driver create` only
  add column auto_accept boolean not null default false,
  add column available boolean not null default false,
  add column wrong_passwords smallint not null default 0, -- consecutive, including the one being checked
  add column locked_until timestamptz,
  add column disabled_at timestamptz;
create unique index drivers_by_email on drivers (lower(email));

create table driver_sessions (
  token_hash bytea primary key, -- SHA-256: the token itself is not stored
  driver_id uuid not null references drivers,
  created_at timestamptz not null,
  closed_at timestamptz
);
create index driver_sessions_by_driver on driver_sessions (driver_id) where closed_at is null;

alter table shipments
  add column departed_at timestamptz,
  add column needs_location boolean not null default false, -- one of its addresses could not be geocoded
  add column wrong_delivery_codes smallint not null default 0,
  add column delivery_reason text; -- why the operator confirmed the delivery without the code
create index shipments_in_hand on shipments (driver_id, status)
  where status in ('assigned', 'picked_up', 'in_transit');
create index shipments_by_driver on shipments (driver_id, id) where driver_id is not null;
create index shipments_without_location on shipments (created_at) where needs_location;

-- One search from the moment a shipment needs a driver until it has one or needs none. `step` counts what was done, so
-- that a timer of an earlier step is recognised as outdated.
create table driver_searches (
  id uuid primary key,
  account_id uuid not null,
  shipment_id uuid not null,
  state text not null check (state in ('searching', 'unassigned', 'needs_location', 'assigned', 'stopped')),
  step integer not null default 0,
  round integer not null default 1, -- a round is one pass over all waves
  wave smallint not null default 0,
  started_at timestamptz not null,
  spent_at timestamptz, -- when all waves of a round had been spent for the first time
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('searching', 'unassigned', 'needs_location')))
);
create unique index one_search_per_shipment on driver_searches (account_id, shipment_id) where ended_at is null;
create index driver_searches_by_shipment on driver_searches (account_id, shipment_id);
create index driver_searches_active on driver_searches (state, started_at) where ended_at is null;
create index driver_searches_ended on driver_searches (ended_at) where ended_at is not null;

create table driver_offers (
  id uuid primary key,
  search_id uuid not null references driver_searches,
  account_id uuid not null,
  shipment_id uuid not null,
  driver_id uuid not null references drivers,
  round integer not null,
  wave smallint not null,
  metres integer not null,
  offered_at timestamptz not null,
  expires_at timestamptz not null,
  -- `assigned`: the driver accepts every run automatically, so the offer was accepted when it was created
  answer text check (answer in ('accepted', 'assigned', 'refused', 'expired', 'withdrawn')),
  answered_at timestamptz,
  check ((answer is null) = (answered_at is null))
);
create unique index one_winner_per_search on driver_offers (search_id) where answer in ('accepted', 'assigned');
create unique index one_open_offer_per_driver on driver_offers (driver_id, shipment_id) where answer is null;
create index driver_offers_by_driver on driver_offers (driver_id, shipment_id, offered_at);
create index driver_offers_by_shipment on driver_offers (account_id, shipment_id);

-- Other decisions, for `navette shipment explain`.
create table dispatch_decisions (
  account_id uuid not null,
  shipment_id uuid not null,
  number bigint generated always as identity,
  search_id uuid references driver_searches,
  kind text not null,
  at timestamptz not null,
  driver_id uuid,
  details jsonb not null default '{}', -- ids, distances and reasons; no name or address
  primary key (account_id, shipment_id, number)
);
