-- migrate: no transaction
-- An index for every fact that the inbox lists. Each holds the rows that need a person, so its size does not depend on the
-- age of the company.

-- The console opens shipments and webhooks of any account by their id.
drop index concurrently if exists shipments_by_id;
create index concurrently shipments_by_id on shipments (id);
-- The same finds a run by driver and id.
drop index concurrently if exists shipments_by_driver;
drop index concurrently if exists webhooks_by_id;
create index concurrently webhooks_by_id on webhooks (id);

drop index concurrently if exists shipments_code_locked;
create index concurrently shipments_code_locked on shipments (updated_at)
  where wrong_delivery_codes >= 5 and status in ('assigned', 'picked_up', 'in_transit') and returned_at is null;

-- Until now it also held shipments that had ended without a location.
drop index concurrently if exists shipments_without_location;
create index concurrently shipments_without_location on shipments (created_at)
  where needs_location and status in ('programmed', 'created');

drop index concurrently if exists shipments_without_pickup_time;
create index concurrently shipments_without_pickup_time on shipments (created_at)
  where status = 'programmed' and activate_at is null;

-- Shipments under way by the time that was promised: the end of a slot, or the day of an express shipment.
drop index concurrently if exists shipments_due_in_slot;
create index concurrently shipments_due_in_slot on shipments (estimated_delivery_at)
  where slot_starts_at is not null and returned_at is null
    and status in ('programmed', 'created', 'assigned', 'picked_up', 'in_transit');
drop index concurrently if exists shipments_due_on_day;
create index concurrently shipments_due_on_day on shipments (estimated_delivery_at)
  where slot_starts_at is null and returned_at is null
    and status in ('programmed', 'created', 'assigned', 'picked_up', 'in_transit');

drop index concurrently if exists driver_searches_spent;
create index concurrently driver_searches_spent on driver_searches (spent_at)
  where ended_at is null and spent_at is not null;

drop index concurrently if exists driver_sessions_by_use;
create index concurrently driver_sessions_by_use on driver_sessions (last_used_at);

-- By id, which is made in the order of time: newest first, and one by its id.
drop index concurrently if exists messages_failed;
create index concurrently messages_failed on messages (id) where status = 'failed' and erased_at is null;

drop index concurrently if exists webhooks_paused;
create index concurrently webhooks_paused on webhooks (paused_at) where paused_at is not null;
drop index concurrently if exists webhooks_failing;
create index concurrently webhooks_failing on webhooks (failing_since) where failing_since is not null and is_active;
