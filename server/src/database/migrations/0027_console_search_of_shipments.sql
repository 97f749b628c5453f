-- migrate: no transaction
-- The time order of existing search keys, and keys of phone numbers, a thousand shipments at a time.
do $$
declare
  account record;
  lowest bigint;
begin
  for account in select account_id, last_shipment from account_counters loop
    lowest := 0;
    while lowest <= account.last_shipment loop
      update shipment_keys k set shipment_id = s.id from shipments s
      where k.account_id = account.account_id and k.newest_first between -(lowest + 999) and -lowest
        and k.shipment_id is null and s.account_id = account.account_id and s.number = -k.newest_first;
      insert into shipment_keys (account_id, field, key, newest_first, shipment_id)
      select s.account_id, 4, right(regexp_replace(s.delivery_address ->> 'phoneNumber', '\D', '', 'g'), 9), -s.number, s.id
      from shipments s
      where s.account_id = account.account_id and s.number between lowest and lowest + 999
        and s.delivery_address ->> 'phoneNumber' ~ '(\d\D*){4}'
      for share -- an erasure that runs meanwhile is waited for, and its number not copied
      on conflict do nothing;
      commit;
      lowest := lowest + 1000;
    end loop;
  end loop;
end $$;

-- The search of the console: by key, then the newest of all accounts. The cast keeps the planner from using it for the
-- search of one account, which would read the keys of all.
drop index concurrently if exists shipment_keys_of_any;
create index concurrently shipment_keys_of_any on shipment_keys ((field::int), key, shipment_id desc nulls last);

-- The latest incidents of one driver.
drop index concurrently if exists incidents_by_driver;
create index concurrently incidents_by_driver on incidents (driver_id, happened_at);
