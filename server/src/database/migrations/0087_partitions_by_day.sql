-- Deliveries of webhooks and their attempts are partitioned by the day of their event: its id is a UUIDv7. Days are added
-- ahead and dropped as a whole (docs/decisions/partitions.md). Tables without rows become partitioned here; others stay as
-- they are until `navette partition` has copied their rows, which every release since this one accepts.

create schema partitions; -- one table per day, which partitions.ts adds and drops

create function first_id_at(instant timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from instant) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- The progress of `navette partition`, a row per table.
create table partition_moves (
  table_name text primary key,
  step text not null default 'copy' check (step in ('copy', 'verify', 'swap', 'drop', 'done')),
  position text[], -- the last key that this step has handled
  copied bigint not null default 0,
  verified bigint not null default 0,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);

-- An empty table like `source`, with its indexes, partitioned by a column. Has no partitions yet.
create function create_partitioned(source text, key text) returns void language plpgsql as $$
begin
  execute format('create table %I (like %I including all) partition by range (%I)', source || '_by_day', source, key);
  perform own_as((source || '_by_day')::regclass, source::regclass);
end $$;

-- While a password is exchanged, the service signs in as another role, a member of the one that owns the tables.
create function own_as(made regclass, model regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s owner to %s', made, (select relowner::regrole from pg_class where oid = model));
end $$;

-- The partitioned table takes the name of its source, and its indexes theirs. The source stays as `…_unpartitioned`.
create function swap_partitioned(source text) returns void language plpgsql as $$
declare
  pair record;
begin
  execute format('lock table %I in access exclusive mode', source);
  execute format('drop trigger if exists copy_to_partitions on %I', source);
  for pair in
    select o.relname as before, n.relname as after
    from pg_index oi join pg_class o on o.oid = oi.indexrelid
    join pg_index ni on ni.indisunique = oi.indisunique
      and regexp_replace(pg_get_indexdef(ni.indexrelid), '^.* USING ', '')
        = regexp_replace(pg_get_indexdef(oi.indexrelid), '^.* USING ', '')
    join pg_class n on n.oid = ni.indexrelid
    where oi.indrelid = source::regclass and ni.indrelid = (source || '_by_day')::regclass
  loop
    execute format('alter index %I rename to %I', pair.before, pair.before || '_unpartitioned');
    execute format('alter index %I rename to %I', pair.after, pair.before);
  end loop;
  execute format('alter table %I rename to %I', source, source || '_unpartitioned');
  execute format('alter table %I rename to %I', source || '_by_day', source);
  execute format('create trigger keep_from_purge before delete on %I for each row
    execute function keep_from_purge_by_position()', source);
end $$;

-- Releases before this one purge old rows by their position (ctid), which is unique within a partition only: they would
-- delete recent rows of other days. To be removed once no process of such a release can run any more.
create function keep_from_purge_by_position() returns trigger language plpgsql as $$
begin
  if old.event_id >= first_id_at(now() - interval '30 days') and current_query() ~* 'where ctid = any' then
    return null;
  end if;
  return old;
end $$;

do $$
declare
  source text;
  filled boolean;
begin
  foreach source in array array['webhook_deliveries', 'webhook_attempts'] loop
    execute format('lock table %I in access exclusive mode', source);
    execute format('select exists (select from %I)', source) into filled;
    continue when filled;
    perform create_partitioned(source, 'event_id');
    perform swap_partitioned(source);
    execute format('drop table %I', source || '_unpartitioned');
  end loop;
end $$;
