-- migrate: no transaction
-- An account's shipments by the time for which they are promised, for the dashboard's list: a delivery day, late ones, and
-- the order by delivery. The status comes first, so that late shipments are found without reading delivered ones.
drop index concurrently if exists shipments_by_delivery;
create index concurrently shipments_by_delivery on shipments
  (account_id, status, (coalesce(estimated_delivery_at, created_at)), number);
