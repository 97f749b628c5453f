-- Payments that the service takes by itself when a balance falls below a limit, with the method that a member stored at Stripe.
create table automatic_top_ups (
  account_id uuid primary key references accounts,
  -- pending: the first payment, which stores the method, is not confirmed yet.
  state text not null check (state in ('pending', 'on', 'off')),
  threshold_cents bigint not null check (threshold_cents >= 0),
  amount_cents bigint not null check (amount_cents > 0),
  first_payment_id uuid not null references payments,
  customer_id text, -- at Stripe
  method_id text,   -- at Stripe: neither card nor bank account is known here
  off_reason text,  -- a code; null when a member switched it off
  changed_at timestamptz not null,
  check (state <> 'on' or (customer_id is not null and method_id is not null))
);
create index automatic_top_ups_by_state on automatic_top_ups (state, changed_at);

alter table payments add column stores_method boolean not null default false;
