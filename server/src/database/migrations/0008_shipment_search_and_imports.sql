-- For the dashboard's shipment pages: the member who cancelled, search, and imports of files.

alter table shipments add column cancelled_by text; -- the member's name; null: an API key

-- Search keys of shipments, normalised by search-key.ts and written once by the worker: never changed, and no
-- index of `shipments` that every change of status would have to follow. Rows of a field lie in the order in which a
-- search shows them: by key, so that an exact match comes before longer ones, then newest first. A page of results is
-- therefore the next rows of the primary key, however large the account.
-- Retention: as long as the shipment.
create table shipment_keys (
  account_id uuid not null,
  field smallint not null, -- its place in SEARCH_FIELDS
  key text collate "C" not null,
  newest_first bigint not null, -- the shipment's number, negative
  primary key (account_id, field, key, newest_first)
);

-- Keys of existing shipments, normalised as in search-key.ts.
create function pg_temp.key_of(value text) returns text language sql as $$
  select left(trim(regexp_replace(translate(lower(value),
    'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝŸàáâãäåçèéêëìíîïñòóôõöùúûüýÿ',
    'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuyy'), '[^[:alnum:]]+', ' ', 'g')), 60) $$;
create function pg_temp.tails_of(value text) returns setof text language sql as $$
  select array_to_string(words[first:], ' ')
  from string_to_array(pg_temp.key_of(value), ' ') as words, generate_series(1, least(6, cardinality(words))) as first $$;
insert into shipment_keys (account_id, field, key, newest_first)
select s.account_id, k.field, k.key, -s.number from shipments s, lateral (
  select 0, pg_temp.key_of(s.order_id)
  union select 1, pg_temp.key_of(s.reference_number)
  union select 2, pg_temp.tails_of(s.delivery_address ->> 'recipientName')
  union select 3, pg_temp.tails_of(s.delivery_address ->> 'city')
) as k (field, key)
where k.key <> '';

create index shipments_that_collect on shipments (account_id, number) where is_collection;
-- Events of one shipment, except its creation, which one_created_event_per_shipment already indexes.
create index later_events_by_shipment on events (account_id, shipment_id) where type <> 'shipping.created';

-- A file of shipments: parsed and validated when it is uploaded; the worker creates the shipments once a member starts it.
create table imports (
  account_id uuid not null,
  id uuid not null,
  filename text not null,
  content_hash bytea not null, -- detects a repeated upload of the same file
  state text not null check (state in ('previewed', 'running', 'done', 'cancelled')),
  delimiter text not null check (delimiter in (';', ',', E'\t')),
  columns json not null,       -- [{"header", "field"}]
  lines integer not null,
  good integer not null,
  amount_cents bigint not null, -- of the good lines, as previewed
  created integer not null default 0,
  failed integer not null default 0,
  created_by text,             -- the member's name
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  erased_at timestamptz,
  primary key (account_id, id),
  check (created + failed <= good and good <= lines)
);
create index imports_by_content on imports (account_id, content_hash) where started_at is not null;
create index imports_to_erase on imports (created_at) where erased_at is null;

-- Retention: a line contains a personal address. Lines are deleted IMPORT_KEPT_DAYS after the upload, those of an import
-- that was not started after a day.
create table import_lines (
  account_id uuid not null,
  import_id uuid not null,
  line integer not null,  -- first line in the file
  state text not null check (state in ('good', 'bad', 'created', 'failed')),
  cells json not null,    -- as in the file
  request json,           -- the body of a creation; null for an invalid line
  price_cents integer,
  errors json,            -- [{"field", "rule", "message", "value"}]
  shipment_id uuid,
  primary key (account_id, import_id, line)
);
create index import_lines_to_create on import_lines (account_id, import_id, line) where state = 'good';
create index import_lines_refused on import_lines (account_id, import_id, line) where state in ('bad', 'failed');
