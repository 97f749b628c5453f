-- Limits on abuse by one account: SMS per account and day, and webhooks that always fail.

alter table accounts add column sms_per_day integer check (sms_per_day >= 0); -- null: SMS_PER_ACCOUNT_PER_DAY

-- SMS for which a first attempt was reserved, by local day. Raised in the statement that reserves the attempt, so that
-- concurrent workers cannot exceed the budget.
-- Retention: MESSAGE_RETENTION_DAYS (erase-messages).
create table sms_days (
  account_id uuid not null references accounts,
  day date not null,
  reserved integer not null check (reserved > 0),
  primary key (account_id, day)
) with (fillfactor = 50);

-- A webhook that the service paused, when and why. Cleared when a member or the API makes it active again.
alter table webhooks
  add column paused_at timestamptz,
  add column pause_reason text check (pause_reason in ('failing')),
  add constraint webhooks_pause_complete check ((paused_at is null) = (pause_reason is null));
