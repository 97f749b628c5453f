-- Arrival estimates: what deliveries have taught, and how good the estimates were (docs/decisions/arrival-estimates.md).
-- Retention:
--   arrival_legs        kept: sums by postal code and hour; no person, no shipment
--   arrival_days        kept: one row per day
--   arrival_forecasts   until the night after the delivery

-- Sums of a regression over the ways of drivers; older days weigh less. At most 25 hours' rows for each served postal code.
create table arrival_legs (
  zone text not null,          -- a postal code; '*' for all
  hour smallint not null check (hour between 0 and 23),
  sums double precision[] not null check (cardinality(sums) = 7),
  primary key (zone, hour)
);

-- The row of a day commits together with the sums of its deliveries: a day is learned once.
create table arrival_days (
  day date primary key,
  legs integer not null,
  measured integer not null,   -- deliveries with an estimate a quarter of an hour before
  inside integer not null,     -- of these, inside the window
  median_error_minutes real,
  median_width_minutes real,
  early real not null,         -- 9 % of deliveries came earlier, in standard deviations of their estimate
  late real not null
);

-- The last estimates of a shipment under way, noted every five minutes: {at, from, until, expected, spread}.
create table arrival_forecasts (
  account_id uuid not null,
  shipment_id uuid not null,
  noted_at timestamptz not null,
  forecasts jsonb not null,
  primary key (account_id, shipment_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
