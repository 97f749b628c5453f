-- For a merchant's developers: creator, revoker and last use of a key, and the deliveries of a webhook.

alter table api_keys
  add column created_by text,          -- name of the member, also after they have left; null: the operator
  add column revoked_by text,
  add column last_used_at timestamptz; -- written at most once a minute

-- The pages of one webhook's deliveries, and of those that failed. Without them, pages of a rarely used webhook would
-- scan all deliveries of its account in 30 days.
create index webhook_deliveries_by_webhook on webhook_deliveries (account_id, webhook_id, event_id);
create index dropped_webhook_deliveries on webhook_deliveries (account_id, webhook_id, event_id)
  where status = 'dropped';
