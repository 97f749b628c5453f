-- The way out of `review`, the replacement of a stored card, and refunds whose event was lost.

alter table payments
  add column received_cents bigint,            -- what Stripe received, where it is not the amount asked for
  add column received_currency text,
  add column reviewed_at timestamptz,          -- when a person decided to credit it
  add column reversals_check_at timestamptz,   -- when the job looks for refunds and disputes next; null: never again
  add check (received_cents is null or received_cents >= 0),
  add check ((received_cents is null) = (received_currency is null));

-- Payments that succeeded before this release: looked at within the next day, oldest first.
update payments set reversals_check_at = now() + (created_at - now() + interval '180 days') / 180
where status = 'succeeded' and method <> 'transfer' and created_at > now() - interval '180 days';

create index payments_to_check_for_reversals on payments (reversals_check_at);
create index payments_by_review on payments (reviewed_at);

-- Automatic payments go on with the present method until the payment that stores another one is confirmed.
alter table automatic_top_ups
  add column next_payment_id uuid references payments,
  add column next_threshold_cents bigint,
  add column next_amount_cents bigint,
  add check ((next_payment_id is null) = (next_threshold_cents is null)),
  add check ((next_payment_id is null) = (next_amount_cents is null));
create index automatic_top_ups_to_replace on automatic_top_ups (next_payment_id);
