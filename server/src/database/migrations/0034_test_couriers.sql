-- How robot couriers of a test twin work. The api role takes the due steps of those in mode `auto`.
create table test_couriers (
  account_id uuid primary key references accounts,
  mode text not null check (mode in ('manual', 'auto')),
  pace text not null check (pace in ('fast', 'real')),
  seconds_per_step integer not null check (seconds_per_step between 1 and 600),
  -- When the next steps are due; null while no shipment is under way. Set ahead by the process that takes the steps.
  next_at timestamptz
);
create index test_couriers_due on test_couriers (next_at);
