-- Links with which drivers set their password, and push subscriptions of their devices.

create table driver_password_links (
  token_hash bytea primary key, -- SHA-256: the token itself is only in the message
  driver_id uuid not null references drivers,
  purpose text not null check (purpose in ('invitation', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index driver_password_links_by_driver on driver_password_links (driver_id);
create index driver_password_links_by_expiry on driver_password_links (expires_at);

-- One per session, deleted with it.
create table driver_push_subscriptions (
  token_hash bytea primary key references driver_sessions on delete cascade,
  driver_id uuid not null references drivers,
  endpoint text not null,  -- URL at the browser's push service (RFC 8030)
  p256dh bytea not null,   -- public key of the browser, an uncompressed point of P-256
  auth bytea not null,     -- secret shared with the browser
  created_at timestamptz not null
);
create index driver_push_subscriptions_by_driver on driver_push_subscriptions (driver_id);
create index driver_push_subscriptions_by_endpoint on driver_push_subscriptions using hash (endpoint);
