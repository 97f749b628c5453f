-- How far the bodies of an account's events have ended: docs/decisions/growth.md. Ids sort by time, so the next run continues
-- after the position and reads no event twice.
create table event_body_cursors (
  account_id uuid primary key,
  position uuid not null
);
