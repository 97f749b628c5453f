-- migrate: no transaction
-- The shipments and incidents of a day, of all accounts, for the audit and for `navette figures rebuild`. The first index
-- gets one entry per shipment, when it ends. One of the three times is set; `coalesce` of them is the order of other indexes,
-- by account or driver, and the planner would take this one for their queries.
drop index concurrently if exists shipments_by_end;
create index concurrently shipments_by_end on shipments (greatest(delivered_at, cancelled_at, returned_at))
  where greatest(delivered_at, cancelled_at, returned_at) is not null;
drop index concurrently if exists incidents_by_time;
create index concurrently incidents_by_time on incidents (happened_at);
