-- Test mode: a fault with which a twin's webhook sends its events, and the fault of each attempt that had one.
alter table webhooks add column test_fault text check (
  test_fault in ('twice', 'out_of_order', 'late', 'bad_signature', 'old_timestamp', 'three_failures'));
alter table webhook_attempts add column test_fault text;

create function refuse_fault_of_live_webhook() returns trigger language plpgsql as $$
begin
  if not is_test_twin(new.account_id) then
    raise exception 'a webhook of a live account has no fault';
  end if;
  return new;
end $$;
create trigger webhooks_of_live_accounts_have_no_fault before insert or update of test_fault, account_id on webhooks
  for each row when (new.test_fault is not null) execute function refuse_fault_of_live_webhook();
