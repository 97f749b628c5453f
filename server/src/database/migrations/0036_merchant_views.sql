-- Views of staff into a merchant's dashboard, read only.
-- Retention: until the staff session ends; expired views are deleted by purge-member-leftovers.
create table merchant_views (
  id uuid primary key,
  token_hash bytea not null unique,  -- SHA-256; the token itself is not stored
  staff_session_id uuid not null references staff_sessions on delete cascade on update cascade,
  staff_role text not null,          -- the view ends when the role changes
  account_id uuid not null references accounts,
  reason text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index merchant_views_by_session on merchant_views (staff_session_id); -- one at a time
create index merchant_views_by_expiry on merchant_views (expires_at);
