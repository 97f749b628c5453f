-- Test mode: an account with live_account_id is the test twin of that account. It has its own keys, balance, webhooks and
-- shipments; triggers and keys of this file keep it apart from messages, drivers and sessions of live accounts.

alter table accounts
  add column live_account_id uuid references accounts,
  add constraint accounts_one_twin unique (live_account_id),
  add constraint accounts_twin_of_account unique (live_account_id, id), -- target of the key of member_sessions
  add constraint accounts_own_twin check (live_account_id <> id);

-- The account that a session shows: the member's own one when null, else its test twin and no other.
alter table member_sessions
  add column test_account_id uuid,
  add constraint member_sessions_twin foreign key (account_id, test_account_id) references accounts (live_account_id, id);

-- A robot courier: a driver that takes runs of this twin only.
alter table drivers add column test_account_id uuid references accounts;

create function is_test_twin(account uuid) returns boolean language sql stable
  as $$ select coalesce((select live_account_id is not null from accounts where id = account), false) $$;

-- recorded: a message of a twin, which is shown and never sent. A message is reserved as `sending` before it is sent,
-- so the trigger makes it impossible to send one.
alter table messages
  drop constraint messages_status_check,
  add constraint messages_status_check
    check (status in ('pending', 'sending', 'sent', 'failed', 'dropped', 'recorded')) not valid;

create function keep_test_messages() returns trigger language plpgsql as $$
begin
  if is_test_twin(new.account_id) then
    raise exception 'a message of a test account is never sent';
  end if;
  return new;
end $$;
create trigger messages_of_twins_stay before insert or update of status on messages
  for each row when (new.status in ('pending', 'sending', 'sent')) execute function keep_test_messages();

-- Robots and twins meet each other only.
create function check_driver_of_account() returns trigger language plpgsql as $$
begin
  if (select test_account_id from drivers where id = new.driver_id)
     is distinct from (select id from accounts where id = new.account_id and live_account_id is not null) then
    raise exception 'driver % takes no runs of account %', new.driver_id, new.account_id;
  end if;
  return new;
end $$;
create trigger offers_stay_in_mode before insert on driver_offers
  for each row execute function check_driver_of_account();
create trigger runs_stay_in_mode before update of driver_id on shipments
  for each row when (new.driver_id is not null and new.driver_id is distinct from old.driver_id)
  execute function check_driver_of_account();

-- Entries of a twin are no money and are deleted when the twin is emptied.
drop trigger ledger_is_append_only on ledger_entries;
create trigger ledger_is_append_only before update or truncate on ledger_entries
  for each statement execute function refuse_change();
create function refuse_deletion_of_money() returns trigger language plpgsql as $$
begin
  if not is_test_twin(old.account_id) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return old;
end $$;
create trigger ledger_keeps_money before delete on ledger_entries
  for each row execute function refuse_deletion_of_money();
