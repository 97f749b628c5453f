-- Test mode: the clock of a twin. Its time is the real one plus clock_ahead_ms, or clock_held_at while a call moves the
-- clock from one due instant to the next. clock_target is the instant that the latest call asked for.
alter table accounts
  add column clock_ahead_ms bigint not null default 0,
  add column clock_held_at timestamptz,
  add column clock_target timestamptz,
  add constraint accounts_clock_is_not_behind check (clock_ahead_ms >= 0),
  add constraint accounts_live_ones_have_no_clock check (live_account_id is not null
    or (clock_ahead_ms = 0 and clock_held_at is null and clock_target is null));

-- When the next step of a search is due, by the account's clock.
alter table driver_searches add column next_at timestamptz;
