-- Payments of merchants: online with Stripe, and bank transfers that the operator records.
-- Retention: ten years, as the ledger. Card and bank details stay with Stripe.

-- The number behind the short reference that a merchant puts on a bank transfer.
create table account_references (
  account_id uuid primary key references accounts,
  number integer generated always as identity unique
);
create function add_account_reference() returns trigger language plpgsql as $$
begin
  insert into account_references (account_id) values (new.id);
  return new;
end $$;
create trigger accounts_have_a_reference after insert on accounts
  for each row when (new.live_account_id is null) execute function add_account_reference();
insert into account_references (account_id)
  select id from accounts where live_account_id is null order by created_at, id;

create table payments (
  id uuid primary key,
  account_id uuid not null references accounts,
  method text not null check (method in ('checkout', 'automatic', 'transfer')),
  -- review: Stripe took another amount than asked for, a person must decide; waiting, rejected: a transfer that needs a second person.
  status text not null check
    (status in ('open', 'processing', 'succeeded', 'failed', 'expired', 'review', 'waiting', 'rejected')),
  amount_cents bigint not null check (amount_cents > 0),
  failure text,            -- a code, never a text of the provider
  session_id text unique,  -- Stripe's Checkout session
  intent_id text unique,   -- Stripe's PaymentIntent
  bank_id text unique,     -- the bank's own id of a transfer: the same one is not recorded twice
  received_on date,        -- day of a transfer
  recorded_by uuid,        -- the staff member; null at the command line
  decided_by uuid,         -- the second person, for a transfer above the limit of one
  check_at timestamptz,    -- when the job asks Stripe next; null when there is nothing to ask
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((method = 'transfer') = (received_on is not null)),
  check (method <> 'transfer' or status in ('succeeded', 'waiting', 'rejected')),
  check (method <> 'transfer' or status = 'rejected' or bank_id is not null)
);
create index payments_by_account on payments (account_id, created_at desc, id desc);
create index payments_by_time on payments (created_at desc, id desc);
create index payments_by_status on payments (status, created_at desc, id desc);
create index payments_to_check on payments (check_at);

create function refuse_payments_of_twins() returns trigger language plpgsql as $$
begin
  if is_test_twin(new.account_id) then
    raise exception 'a test account pays nothing';
  end if;
  return new;
end $$;
create trigger payments_of_live_accounts before insert on payments
  for each row execute function refuse_payments_of_twins();

-- Effects of payments on the ledger. The key lets each one happen once: a repetition finds the row.
create table payment_movements (
  payment_id uuid not null references payments,
  reference text not null, -- `received`, or the kind and Stripe's id of a refund or dispute
  kind text not null check (kind in ('received', 'refund', 'refund_failed', 'dispute', 'dispute_won')),
  account_id uuid not null,
  entry bigint not null,   -- of the ledger, written in the same transaction
  amount_cents bigint not null,
  at timestamptz not null,
  primary key (payment_id, reference),
  unique (account_id, entry),
  check (case when kind in ('refund', 'dispute') then amount_cents < 0 else amount_cents > 0 end)
);
create trigger payment_movements_never_change before update or delete or truncate on payment_movements
  for each statement execute function refuse_change();

-- Stripe's events, each handled once. Kept for ninety days: Stripe sends an event again for at most thirty.
create table payment_events (
  id text primary key,
  type text not null,
  payment_id uuid references payments, -- null: the event is not about a payment of this service
  received_at timestamptz not null
);
create index payment_events_by_age on payment_events (received_at);
