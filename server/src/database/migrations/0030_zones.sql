-- Zones in which no run is offered to drivers: a flood, a demonstration, a closed bridge.
-- Retention: like the log of acts, without data of recipients.
create table zones (
  id uuid primary key,
  -- (longitude, latitude) of each corner. A circle is stored as the polygon around it.
  area polygon not null,
  -- The circle as it was drawn; null for a polygon.
  centre point,
  radius_metres integer check (radius_metres > 0),
  reason text not null,          -- for staff
  message text,                  -- for recipients; null: nobody is informed
  created_at timestamptz not null,
  created_by uuid not null,      -- staff member
  created_by_name text not null,
  ends_at timestamptz not null,
  lifted_at timestamptz,
  lifted_by_name text,
  check ((centre is null) = (radius_metres is null)),
  check (ends_at > created_at),
  check ((lifted_at is null) = (lifted_by_name is null))
);
create index zones_by_end on zones (ends_at); -- few have not ended

-- The zone that a search waits for; null while it goes on.
alter table driver_searches add column zone_id uuid references zones;
create index driver_searches_in_zone on driver_searches (zone_id) where zone_id is not null and ended_at is null;

alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check
  check (kind in ('recipient-sms', 'recipient-email', 'collection-sms', 'collection-email', 'zone-email')) not valid;
