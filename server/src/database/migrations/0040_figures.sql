-- Figures of the operator's console, counted by day and month (docs/decisions/console-figures.md).
-- Retention:
--   figures           kept: no names, no recipients; drivers and merchants by id
--   figures_pending   until the job count-figures has counted the row, usually a minute

create table figures (
  dimension text not null check (dimension in ('all', 'hour', 'zone', 'merchant', 'driver')),
  grain text not null check (grain in ('day', 'month')),
  start date not null,         -- the local day, or the first day of the month
  key text not null,           -- '', '00' to '23', a postal code, an account's id, a driver's id
  delivered integer not null,
  on_time integer not null,
  returned integer not null,
  cancelled integer not null,
  charged_cents bigint not null,
  pay_cents bigint not null,
  wait jsonb not null,         -- seconds to a driver: {bucket: runs}; histogram.ts has the buckets
  door jsonb not null,         -- seconds to the door
  incidents jsonb not null,    -- {kind: incidents}
  runs integer not null generated always as (delivered + returned + cancelled) stored,
  primary key (dimension, grain, start, key)
) with (fillfactor = 80);
create index figures_busiest on figures (dimension, grain, start, runs desc, key);

-- One row. A transaction that changes figures locks this table, so that there is one writer at a time.
create table figures_state (
  counted_at timestamptz not null -- all that had ended by then is counted
);
insert into figures_state values ('epoch');

-- The sum of two objects of numbers.
create function add_counts(a jsonb, b jsonb) returns jsonb language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(label, count), '{}')
    from (
      select label, sum(count::bigint) as count
      from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) as each (label, count)
      group by label
    ) as total
  );

-- Runs and incidents that have ended and are not counted yet. The transaction that ends a shipment or an incident inserts its row, the one
-- that counts it deletes it: each is counted once, also when a process is killed.
create table figures_pending (
  subject text not null check (subject in ('run', 'incident')),
  account_id uuid not null,
  id uuid not null,            -- of the shipment or incident
  primary key (subject, account_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function note_for_figures() returns trigger language plpgsql as $$
begin
  insert into figures_pending (subject, account_id, id) values (tg_argv[0], new.account_id, new.id);
  return null;
end $$;
create trigger ended_runs_are_counted after update of delivered_at, cancelled_at, returned_at on shipments
  for each row
  when (coalesce(old.delivered_at, old.cancelled_at, old.returned_at) is null
    and coalesce(new.delivered_at, new.cancelled_at, new.returned_at) is not null)
  execute function note_for_figures('run');
-- An open incident may still change its kind.
create trigger ended_incidents_are_counted after update of resolved_at on incidents
  for each row when (old.resolved_at is null and new.resolved_at is not null)
  execute function note_for_figures('incident');
