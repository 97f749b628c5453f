-- The event feed: each event has a position, 1, 2, 3… per account. It is assigned while the account's counters are locked,
-- so positions become visible in their order. Events of before are not in the feed (0). A process of the previous version
-- writes null; a pull assigns these positions.
alter table account_counters add column last_event bigint not null default 0;
alter table events add column feed_position bigint default 0; -- a constant default does not rewrite the table
alter table events alter column feed_position drop default;
