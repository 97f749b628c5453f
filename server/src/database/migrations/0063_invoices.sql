-- Monthly invoices and credit notes, computed from the ledger alone.
-- Retention: ten years, as the ledger.

-- The buyer on invoices. Absent details come from the account and its pickup address.
create table billing_details (
  account_id uuid primary key references accounts,
  name text,
  street text,
  postal_code text,
  city text,
  country text not null default 'FR' check (country ~ '^[A-Z]{2}$'),
  siren text check (siren ~ '^\d{9}$'),
  vat_id text check (vat_id ~ '^[A-Z]{2}[A-Z0-9]{2,13}$'),
  language text not null default 'fr' check (language in ('fr', 'en')),
  updated_at timestamptz not null
);

-- A month of an account's ledger as a range of entries, fixed when it is closed: ranges follow one another without gap, so
-- each entry belongs to exactly one. An entry that is written late belongs to the next range, whatever its time.
create table billing_periods (
  account_id uuid not null references accounts,
  month text not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  first_entry bigint not null,
  last_entry bigint not null,
  is_invoiced boolean not null, -- false: the entries before the first month that this service invoices
  opening_cents bigint not null,
  closing_cents bigint not null,
  unbilled_refund_cents bigint not null, -- refunds of charges that no invoice of this service contains
  closed_at timestamptz not null,
  primary key (account_id, month),
  unique (account_id, first_entry),
  check (last_entry >= first_entry)
);

-- The last number of each series, locked by the transaction that issues: numbers have no gaps.
create table invoice_series (
  series text primary key,
  last_number integer not null,
  last_issued_on date not null
);

create table invoices (
  account_id uuid not null,
  number text not null,
  series text not null references invoice_series,
  position integer not null check (position > 0),
  kind text not null check (kind in ('invoice', 'credit_note')),
  reason text not null check (reason in ('monthly', 'replacement', 'refunds', 'reversal')),
  month text not null,
  corrects text, -- the invoice that a credit note reduces
  replaces text, -- the invoice in whose place this one was issued
  note text,     -- why the operator reversed an invoice; names nobody
  issued_on date not null,
  issued_at timestamptz not null,
  due_on date,
  language text not null check (language in ('fr', 'en')),
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null,
  vat_basis_points integer not null check (vat_basis_points between 0 and 10000),
  net_cents bigint not null check (net_cents >= 0),
  vat_cents bigint not null check (vat_cents >= 0),
  rounding_cents bigint not null check (rounding_cents between -1 and 1),
  gross_cents bigint not null check (gross_cents > 0), -- the amount of the ledger
  paid_cents bigint not null,
  primary key (account_id, number),
  unique (number),
  unique (series, position),
  unique nulls not distinct (account_id, month, reason, corrects, replaces), -- nothing is issued twice
  foreign key (account_id, month) references billing_periods,
  foreign key (account_id, corrects) references invoices,
  foreign key (account_id, replaces) references invoices,
  check (gross_cents = net_cents + vat_cents + rounding_cents),
  check (paid_cents between 0 and gross_cents),
  check ((due_on is null) = (paid_cents = gross_cents)),
  check ((kind = 'credit_note') = (reason in ('refunds', 'reversal'))),
  check ((kind = 'credit_note') = (corrects is not null)),
  check ((reason = 'replacement') = (replaces is not null)),
  check ((reason = 'reversal') <= (note is not null))
);
create index invoices_by_correction on invoices (account_id, corrects);

create trigger invoices_never_change before update or delete or truncate on invoices
  for each statement execute function refuse_change();
create trigger billing_periods_never_change before update or delete or truncate on billing_periods
  for each statement execute function refuse_change();

create function refuse_invoices_of_twins() returns trigger language plpgsql as $$
begin
  if is_test_twin(new.account_id) then
    raise exception 'a test account gets no invoices';
  end if;
  return new;
end $$;
create trigger billing_periods_of_live_accounts before insert on billing_periods
  for each row execute function refuse_invoices_of_twins();
