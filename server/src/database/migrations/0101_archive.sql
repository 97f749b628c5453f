-- Shipments that were moved to files: docs/decisions/archive.md.

-- A file has consecutive shipments of one account, one line each, in the order of their numbers.
create table archive_files (
  account_id uuid not null,
  last_number bigint not null,
  first_number bigint not null,
  file_name text not null,
  sha256 bytea not null,
  last_ended_at timestamptz not null, -- of its shipments
  archived_at timestamptz not null,
  primary key (account_id, last_number)
);

-- One row for each: enough to find it, and for the audit to recompute money, counters and daily figures.
create table archived_shipments (
  account_id uuid not null,
  number bigint not null,
  id uuid not null,
  reference_number text not null,
  status text not null,
  price_cents integer not null,
  driver_id uuid,
  driver_pay_cents bigint not null,
  created_at timestamptz not null,
  delivered_at timestamptz,
  slot_starts_at timestamptz,
  estimated_delivery_at timestamptz,
  primary key (account_id, number),
  unique (account_id, id),
  unique (reference_number)
);
create index archived_shipments_by_status on archived_shipments (account_id, status, number);

-- Every shipment, archived or not, with the columns that the audit needs.
create view every_shipment as
  select account_id, number, id, reference_number, status, price_cents, driver_id, driver_pay_cents, created_at, delivered_at,
         slot_starts_at, estimated_delivery_at, false as is_archived
  from shipments
  union all
  select account_id, number, id, reference_number, status, price_cents, driver_id, driver_pay_cents, created_at, delivered_at,
         slot_starts_at, estimated_delivery_at, true
  from archived_shipments;

create or replace function first_number_since(account uuid, moment timestamptz) returns bigint
  language plpgsql stable parallel safe as $$
declare
  lowest bigint := 1;
  above bigint;
  middle bigint;
  created timestamptz;
begin
  select last_shipment + 1 into above from account_counters where account_id = account;
  while lowest < above loop
    middle := (lowest + above) / 2;
    select created_at into created from shipments where account_id = account and number = middle;
    if not found then
      select created_at into created from archived_shipments where account_id = account and number = middle;
    end if;
    if created < moment then lowest := middle + 1; else above := middle; end if;
  end loop;
  return lowest;
end $$;
