-- Notifications of members, in the app and by mail. Retention: 60 days; as the member.
create table notifications (
  account_id uuid not null references accounts,
  member_id uuid not null references members on delete cascade,
  id uuid not null,
  kind text not null,
  once text not null, -- names the cause: a member is notified once, even if a job runs twice
  title text,         -- what it is about: the host of a webhook, a reference, the name of a key, a number
  target text,        -- id of the page that it leads to
  in_app boolean not null, -- false: the member chose mail only
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (account_id, member_id, id),
  unique (member_id, once)
);
create index notifications_by_age on notifications (created_at);

-- Where members differ from the default, which is both.
create table notification_choices (
  member_id uuid not null references members on delete cascade,
  kind text not null,
  by_app boolean not null,
  by_mail boolean not null,
  primary key (member_id, kind)
);

-- Null: enough. Low is a few days of a small shop, empty less than the cheapest parcel.
create function balance_level(cents bigint) returns text immutable language sql as
  $$ select case when cents < 700 then 'empty' when cents < 5000 then 'low' end $$;

-- The last level of an account's balance that its members were notified of. No row: enough.
create table balance_notices (
  account_id uuid primary key references accounts,
  level text not null check (level in ('low', 'empty')),
  since timestamptz not null
);
-- Nobody is notified of a balance that was low before.
insert into balance_notices (account_id, level, since)
  select a.id, balance_level(c.balance_cents), now()
  from accounts a join account_counters c on c.account_id = a.id
  where a.live_account_id is null and a.closed_at is null and a.payment_mode = 'prepaid' and c.balance_cents < 5000
    and exists (select from ledger_entries l where l.account_id = a.id);

-- Accounts whose level changed since a job looked at them, so that it reads no others. Only added to and deleted from: a charge
-- never waits for it.
create table balance_changes (
  account_id uuid not null references accounts,
  id bigint generated always as identity,
  primary key (account_id, id)
);
create function note_balance_change() returns trigger language plpgsql as $$
begin
  insert into balance_changes (account_id) values (new.account_id);
  return null;
end $$;
create trigger balance_reaches_a_level after update of balance_cents on account_counters for each row
  when (balance_level(old.balance_cents) is distinct from balance_level(new.balance_cents))
  execute function note_balance_change();
create function note_account_change() returns trigger language plpgsql as $$
begin
  insert into balance_changes (account_id) values (new.id);
  return null;
end $$;
create trigger account_changes_its_payment after update of payment_mode, closed_at on accounts for each row
  execute function note_account_change();

-- Documents of which the owners have not been notified yet: written by the transaction that issues one, deleted by the one that notifies.
create table invoice_notices (
  account_id uuid not null,
  number text not null,
  primary key (account_id, number),
  foreign key (account_id, number) references invoices
);
