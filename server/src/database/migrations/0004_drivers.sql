-- Drivers as people who sign in, and everything that was decided on the way from a shipment to its driver.
-- Retention: as long as the shipment. Drivers belong to the operator, so their own tables carry no account.

alter table drivers
  add column email text,
  add column password_hash text,                      -- argon2id; null: the token of `driver create` is the only way in
  add column auto_accept boolean not null default false,
  add column available boolean not null default false,
  add column wrong_passwords smallint not null default 0, -- in a row, the one being checked included
  add column locked_until timestamptz,
  add column disabled_at timestamptz;
create unique index drivers_by_email on drivers (lower(email));

create table driver_sessions (
  token_hash bytea primary key, -- SHA-256: the token itself is kept nowhere
  driver_id uuid not null references drivers,
  created_at timestamptz not null,
  closed_at timestamptz
);
create index driver_sessions_by_driver on driver_sessions (driver_id) where closed_at is null;

alter table shipments
  add column departed_at timestamptz,
  add column needs_location boolean not null default false, -- nobody could find one of its addresses on the map
  add column wrong_delivery_codes smallint not null default 0,
  add column delivery_reason text; -- why the operator confirmed the delivery without the code
create index shipments_in_hand on shipments (driver_id, status)
  where status in ('assigned', 'picked_up', 'in_transit');
create index shipments_by_driver on shipments (driver_id, id) where driver_id is not null;
create index shipments_without_location on shipments (created_at) where needs_location;

-- One search from the moment a shipment needs a driver until it has one or needs none. `step` counts what was done, so
-- that a timer set before something else happened knows itself outdated.
create table driver_searches (
  id uuid primary key,
  account_id uuid not null,
  shipment_id uuid not null,
  state text not null check (state in ('searching', 'unassigned', 'needs_location', 'assigned', 'stopped')),
  step integer not null default 0,
  round integer not null default 1, -- all waves once are a round
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
  -- `assigned`: the driver takes every run, so the offer was accepted the moment it was made
  answer text check (answer in ('accepted', 'assigned', 'refused', 'expired', 'withdrawn')),
  answered_at timestamptz,
  check ((answer is null) = (answered_at is null))
);
create unique index one_winner_per_search on driver_offers (search_id) where answer in ('accepted', 'assigned');
create unique index one_open_offer_per_driver on driver_offers (driver_id, shipment_id) where answer is null;
create index driver_offers_by_driver on driver_offers (driver_id, shipment_id, offered_at);
create index driver_offers_by_shipment on driver_offers (account_id, shipment_id);

-- What else was decided, for whoever asks why.
create table dispatch_decisions (
  account_id uuid not null,
  shipment_id uuid not null,
  number bigint generated always as identity,
  search_id uuid references driver_searches,
  kind text not null,
  at timestamptz not null,
  driver_id uuid,
  details jsonb not null default '{}', -- ids, distances and reasons; nobody's name or address
  primary key (account_id, shipment_id, number)
);
