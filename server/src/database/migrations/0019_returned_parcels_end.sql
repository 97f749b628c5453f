-- migrate: no transaction
-- A returned parcel has ended as well: the indexes of ended shipments contain it. While the previous release still runs, its
-- hourly job erase-personal-data reads without an index.

drop index concurrently if exists shipments_with_code_to_erase;
create index concurrently shipments_with_code_to_erase on shipments (account_id, coalesce(delivered_at, cancelled_at, returned_at))
  where delivery_code is not null and coalesce(delivered_at, cancelled_at, returned_at) is not null;

drop index concurrently if exists shipments_to_erase;
create index concurrently shipments_to_erase on shipments (account_id, coalesce(delivered_at, cancelled_at, returned_at))
  where personal_data_erased_at is null and coalesce(delivered_at, cancelled_at, returned_at) is not null;

-- The history of a driver, last ended first.
drop index concurrently if exists shipments_ended_by_driver;
create index concurrently shipments_ended_by_driver on shipments (driver_id, coalesce(delivered_at, cancelled_at, returned_at))
  where driver_id is not null and coalesce(delivered_at, cancelled_at, returned_at) is not null;
