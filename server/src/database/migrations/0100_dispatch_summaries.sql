-- A summary of the searches of a shipment, written 90 days after its end; decisions of people stay beside it: docs/decisions/growth.md.
create table dispatch_summaries (
  account_id uuid not null,
  shipment_id uuid not null,
  searches integer not null,
  offers integer not null,
  refused integer not null,
  expired integer not null,
  withdrawn integer not null,
  started_at timestamptz not null, -- of the first search
  primary key (account_id, shipment_id)
);

-- Deleting a search would look for its decisions in the whole table, without an index. The audit checks both references.
alter table driver_offers drop constraint driver_offers_search_id_fkey;
alter table dispatch_decisions drop constraint dispatch_decisions_search_id_fkey;
