-- migrate: no transaction
-- The stops of open shipments by their place, for the operator's map and for zones. Both hold open shipments only, so their
-- size does not depend on the age of the company.
drop index concurrently if exists shipments_open_pickups;
create index concurrently shipments_open_pickups on shipments using gist (
  point((pickup_address #>> '{location,coordinates,0}')::float8, (pickup_address #>> '{location,coordinates,1}')::float8))
  where status in ('programmed', 'created', 'assigned') and returned_at is null;

drop index concurrently if exists shipments_open_drops;
create index concurrently shipments_open_drops on shipments using gist (
  point((delivery_address #>> '{coordinates,longitude}')::float8, (delivery_address #>> '{coordinates,latitude}')::float8))
  where status in ('programmed', 'created', 'assigned', 'picked_up', 'in_transit') and returned_at is null;
