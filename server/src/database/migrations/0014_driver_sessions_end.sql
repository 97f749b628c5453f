-- Sessions of drivers expire, and can be listed without their tokens.
-- The defaults serve processes of the version before, which do not write these columns.

alter table driver_sessions
  add column id uuid not null default gen_random_uuid(), -- public id of the session; not a credential
  add column device text,                                -- such as `Android`
  add column last_used_at timestamptz not null default now(), -- written every ten minutes at most
  add column expires_at timestamptz not null default now() + interval '180 days',
  -- Wrong passwords from the device with this token, counted separately from those of other clients.
  add column wrong_passwords smallint not null default 0,
  add column locked_until timestamptz;

-- This migration signs no driver out during a run: a session that is too old has 30 days left.
update driver_sessions
set expires_at = greatest(created_at + interval '180 days', now() + interval '30 days')
where closed_at is null;
