-- Pay of drivers: quoted with the offer, fixed by the assignment, written to the driver's ledger by the delivery.
-- Zero means employees, who are not paid by run. The defaults serve processes of the version before; set DRIVER_PAY_*
-- when none of them runs any more.

alter table driver_offers
  add column pay_cents bigint not null default 0; -- what the driver saw before accepting

alter table shipments
  add column driver_pay_cents bigint not null default 0; -- what the current driver gets on delivery

-- Retention: ten years, with the ledger. Lock order: the shipment, the account's counters, then the driver's balance.
create table driver_balances (
  driver_id uuid primary key references drivers,
  balance_cents bigint not null,
  last_entry bigint not null,
  last_at timestamptz not null -- no entry is older than the one before it, even when clocks differ
);

create table driver_ledger_entries (
  driver_id uuid not null references drivers,
  entry bigint not null,
  kind text not null check (kind in ('run', 'correction')),
  amount_cents bigint not null,
  balance_after_cents bigint not null,
  account_id uuid,
  shipment_id uuid,
  reference_number text, -- the shipment's, so that a statement needs no other table
  reason text,
  at timestamptz not null, -- when it was written: a month that has ended does not change
  primary key (driver_id, entry),
  check (case kind when 'run' then amount_cents > 0 else amount_cents <> 0 end),
  check ((kind = 'run') = (account_id is not null and shipment_id is not null and reference_number is not null)),
  check ((kind = 'correction') = (reason is not null))
);
create unique index one_driver_payment_per_shipment on driver_ledger_entries (account_id, shipment_id); -- both null in a correction
create index driver_ledger_by_time on driver_ledger_entries (driver_id, at);

create trigger driver_ledger_is_append_only before update or delete or truncate on driver_ledger_entries
  for each statement execute function refuse_change();
