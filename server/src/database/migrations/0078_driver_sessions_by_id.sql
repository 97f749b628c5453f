-- migrate: no transaction
-- A push message finds its device by the session's id.
drop index concurrently if exists driver_sessions_by_id;
create unique index concurrently driver_sessions_by_id on driver_sessions (id);
