-- For the console's search, which finds shipments, merchants and drivers of the whole company.

-- In the order of time across accounts. Null in keys that a process of the previous version writes meanwhile:
-- `navette shipment rebuild-search` fills it.
alter table shipment_keys add column shipment_id uuid;

-- Words by which merchants and drivers are found, normalised by normalize-text.ts.
-- Retention: as the account; a driver's keys go with the driver's name.
create table name_keys (
  kind text not null check (kind in ('account', 'driver')),
  key text collate "C" not null,
  subject_id uuid not null,
  primary key (kind, key, subject_id)
);
create index name_keys_by_subject on name_keys (subject_id);

-- Names that exist already, normalised as in normalize-text.ts for Latin letters.
create or replace function pg_temp.key_of(value text) returns text language sql as $$
  select left(trim(regexp_replace(translate(
    replace(replace(replace(lower(value), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss'),
    'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝŸàáâãäåçèéêëìíîïñòóôõöùúûüýÿ',
    'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuyy'), '[^[:alnum:]]+', ' ', 'g')), 60) $$;
create or replace function pg_temp.tails_of(value text) returns setof text language sql as $$
  select array_to_string(words[first:], ' ')
  from string_to_array(pg_temp.key_of(value), ' ') as words, generate_series(1, least(6, cardinality(words))) as first $$;
insert into name_keys (kind, key, subject_id)
select 'account', k.key, a.id from accounts a, lateral (
  select pg_temp.tails_of(a.name) union select pg_temp.key_of(a.email) union select pg_temp.key_of(a.client_id)
) as k (key) where k.key <> ''
union
select 'driver', k.key, d.id from drivers d, lateral (
  select pg_temp.tails_of(d.first_name || ' ' || d.last_name) union select pg_temp.key_of(d.email)
  union select right(regexp_replace(d.phone_number, '\D', '', 'g'), 9)
) as k (key) where k.key <> '' and d.personal_data_erased_at is null;

create index api_keys_by_hint on api_keys (hint, created_at);
