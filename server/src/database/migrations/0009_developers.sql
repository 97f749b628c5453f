-- What a merchant's developers look at: who made and revoked a key, when it was last used, what a webhook was sent.

alter table api_keys
  add column created_by text,          -- name of the member, true also when they have left; null: the operator
  add column revoked_by text,
  add column last_used_at timestamptz; -- written at most once a minute, so it may lag by that

-- The pages of one webhook's deliveries, and of those that failed. Without them a webhook that hears little would be
-- searched for among all that its account was sent in 30 days.
create index webhook_deliveries_by_webhook on webhook_deliveries (account_id, webhook_id, event_id);
create index dropped_webhook_deliveries on webhook_deliveries (account_id, webhook_id, event_id)
  where status = 'dropped';
