-- The payment mode of a charge: an account may change its mode, and audits must not check old charges against the
-- new one. Null for credits, refunds and charges from before this migration, whose mode is unknown.
alter table ledger_entries add column payment_mode text check (payment_mode in ('prepaid', 'deferred'));

-- Detects outdated cached settings. The database increments it with every change of an account, its pickup
-- address or its slots: times of application clocks could hide a change when those clocks differ.
alter table accounts add column settings_version bigint not null default 1;

create function raise_settings_version() returns trigger language plpgsql as $$
begin
  new.settings_version := old.settings_version + 1;
  return new;
end $$;
create trigger accounts_raise_settings_version before update on accounts
  for each row execute function raise_settings_version();

-- Before the row itself is locked: accounts come first in the lock order, as when an operator changes both.
create function raise_settings_version_of_account() returns trigger language plpgsql as $$
begin
  update accounts set settings_version = settings_version where id = coalesce(new.account_id, old.account_id);
  return coalesce(new, old);
end $$;
create trigger pickup_addresses_raise_settings_version before insert or update or delete on pickup_addresses
  for each row execute function raise_settings_version_of_account();
create trigger time_slots_raise_settings_version before insert or update or delete on time_slots
  for each row execute function raise_settings_version_of_account();
