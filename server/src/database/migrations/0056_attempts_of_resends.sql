-- migrate: no transaction
-- The attempts of a resend beside those of the first delivery.
drop index concurrently if exists webhook_attempts_with_resend;
create unique index concurrently webhook_attempts_with_resend
  on webhook_attempts (account_id, event_id, webhook_id, resend, attempt);
alter table webhook_attempts drop constraint webhook_attempts_pkey,
  add constraint webhook_attempts_pkey primary key using index webhook_attempts_with_resend;
