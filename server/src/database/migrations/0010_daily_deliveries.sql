-- Deliveries per local day, and how many were on time: counted with each delivery, so that the overview costs
-- the same for any account.
create table daily_deliveries (
  account_id uuid not null,
  day date not null, -- local day of delivery
  delivered integer not null,
  on_time integer not null check (on_time <= delivered),
  primary key (account_id, day)
) with (fillfactor = 70);

-- Earlier deliveries are counted in the default TIME_ZONE, because a migration cannot read settings.
insert into daily_deliveries (account_id, day, delivered, on_time)
select account_id, (delivered_at at time zone 'Europe/Paris')::date, count(*),
       count(*) filter (where case when slot_starts_at is null
         then (delivered_at at time zone 'Europe/Paris')::date
              <= (coalesce(estimated_delivery_at, created_at) at time zone 'Europe/Paris')::date
         else delivered_at <= estimated_delivery_at end)
from shipments where status = 'delivered' and delivered_at is not null group by 1, 2;

-- The first ledger entry of an account at this instant or later, in some twenty reads: months of a
-- ledger are found without an index of their own.
create function first_entry_since(account uuid, moment timestamptz) returns bigint
  language plpgsql stable parallel safe as $$
declare
  lowest bigint := 1;
  above bigint;
  middle bigint;
  written timestamptz;
begin
  select last_entry + 1 into above from account_counters where account_id = account;
  while lowest < above loop
    middle := (lowest + above) / 2;
    select created_at into written from ledger_entries where account_id = account and entry = middle;
    if written < moment then lowest := middle + 1; else above := middle; end if;
  end loop;
  return lowest;
end $$;
