-- migrate: no transaction
drop index concurrently if exists api_keys_expiring;
create index concurrently api_keys_expiring on api_keys (expires_at);
