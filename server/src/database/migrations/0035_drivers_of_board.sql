-- migrate: no transaction
-- The robots of a twin, and all other drivers in the order of the dispatch board.
drop index concurrently if exists drivers_by_name;
create index concurrently drivers_by_name on drivers
  (test_account_id, disabled_at, (not available), first_name, last_name, id);
