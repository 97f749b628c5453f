-- A special request without an agreed pickup time would leave its shipments without a time at which a driver is
-- searched. A trigger and not a check constraint: accounts that broke the rule before exist, and a check would refuse
-- every later change of theirs, also one that has nothing to do with it, such as closing the account.
create function refuse_special_request_without_time() returns trigger language plpgsql as $$
begin
  raise exception 'a special request needs an agreed pickup time'
    using errcode = 'check_violation', constraint = 'special_request_has_pickup_time', table = tg_table_name;
end $$;
create trigger special_request_has_pickup_time
  before insert or update of is_special_request, agreed_pickup_time on accounts
  for each row when (new.is_special_request and new.agreed_pickup_time is null)
  execute function refuse_special_request_without_time();

-- Other fields of the merchant's externalReference, beside orderId and shopDomain; null when there are none.
alter table shipments add column external_reference_extra json;
