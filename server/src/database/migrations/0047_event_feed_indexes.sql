-- migrate: no transaction
-- Reads of the feed, which cost the same at any depth; and the events that still need a position, usually none.
drop index concurrently if exists events_by_feed_position;
create unique index concurrently events_by_feed_position on events (account_id, feed_position) where feed_position > 0;
drop index concurrently if exists events_without_feed_position;
create index concurrently events_without_feed_position on events (account_id, id) where feed_position is null;
