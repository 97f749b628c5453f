-- migrate: no transaction
-- The lists of the dispatch board. Each index contains the rows of one list in its order, so that a page costs the same
-- whatever the number of shipments.

drop index concurrently if exists shipments_unassigned;
create index concurrently shipments_unassigned on shipments ((coalesce(estimated_delivery_at, timestamptz 'infinity')), id)
  where status = 'created';

drop index concurrently if exists shipments_by_slot;
create index concurrently shipments_by_slot on shipments (slot_starts_at, id)
  where slot_starts_at is not null and status in ('programmed', 'created', 'assigned');
