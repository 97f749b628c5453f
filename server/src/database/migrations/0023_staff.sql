-- Staff of the delivery company, who use the operator's console, and the log of everything that staff and the command line
-- change.
-- Retention: a staff member's row and its dependent rows are deleted when an administrator removes the person; expired
-- sessions, resets and invitations are deleted by purge-member-leftovers; the log is kept.

create table staff (
  id uuid primary key,
  email text not null,
  name text not null,
  role text not null check (role in ('dispatcher', 'support', 'accountant', 'admin')),
  language text not null check (language in ('fr', 'en')),
  single_sign_on_subject text unique,              -- issuer and subject; null: signs in with a password
  password_hash text,                              -- argon2id; null: signs in with the identity provider
  wrong_passwords smallint not null default 0,     -- consecutive, including the one being checked
  locked_until timestamptz,
  second_factor_key text,                          -- which of SECOND_FACTOR_KEYS sealed the secret
  sealed_second_factor bytea,                      -- AES-256-GCM, bound to the staff member
  second_factor_since timestamptz,                 -- null while it is only being set up
  last_code_step bigint,                           -- a code of this step or an earlier one was used
  wrong_codes smallint not null default 0,
  codes_locked_until timestamptz,
  code_locks smallint not null default 0,          -- consecutive: each lasts longer than the one before
  last_code_lock_at timestamptz,
  failures_logged smallint not null default 0,     -- failed attempts in the log since then
  failures_logged_since timestamptz,
  created_at timestamptz not null,
  check ((second_factor_key is null) = (sealed_second_factor is null)),
  check (second_factor_since is null or sealed_second_factor is not null),
  check (password_hash is not null or single_sign_on_subject is not null)
);
create unique index staff_by_email on staff (lower(email));

create table staff_sessions (
  id uuid primary key,
  staff_id uuid not null references staff on delete cascade,
  token_hash bytea not null unique,                -- SHA-256; the token itself is not stored
  device text,                                     -- browser and operating system; null: unknown
  by_single_sign_on boolean not null default false, -- the identity provider checks the second factor
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null                  -- absolute; idle sessions end earlier
);
create index staff_sessions_by_staff on staff_sessions (staff_id);
create index staff_sessions_by_expiry on staff_sessions (expires_at);

create table staff_recovery_codes (
  staff_id uuid not null references staff on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (staff_id, code_hash)
);

create table staff_password_resets (
  token_hash bytea primary key,
  staff_id uuid not null references staff on delete cascade,
  expires_at timestamptz not null
);
create index staff_password_resets_by_staff on staff_password_resets (staff_id);

create table staff_invitations (
  id uuid primary key,
  email text not null,
  role text not null check (role in ('dispatcher', 'support', 'accountant', 'admin')),
  language text not null check (language in ('fr', 'en')),
  invited_by text not null,  -- name of the staff member, or system user and host of the command line
  invited_by_id uuid,        -- null: the command line
  token_hash bytea unique,   -- of the latest link; null until there is one
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index staff_invitations_by_email on staff_invitations (lower(email));
create index staff_invitations_by_expiry on staff_invitations (expires_at);

-- Every act of staff and of the command line, append-only. Names are copied, so that entries stay valid when a person
-- leaves. Each hash covers the entry and the hash before it: a changed, removed or inserted row breaks the chain.
create table operator_acts (
  number bigint primary key,    -- from 1, without gaps
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('staff', 'cli', 'unknown')),
  staff_id uuid,                -- no foreign key: it stays when the person is removed
  actor text not null,          -- name at that time, or system user and host
  act text not null,
  subject_type text,
  subject_id text,
  subject_title text,
  reason text,
  details jsonb not null,
  hash bytea not null,          -- SHA-256
  check ((actor_kind = 'staff') = (staff_id is not null)),
  check ((subject_type is null) = (subject_id is null) and (subject_type is null) = (subject_title is null))
);
create index operator_acts_by_staff on operator_acts (staff_id, number);
create index operator_acts_by_subject on operator_acts (subject_id, number);
create index operator_acts_by_act on operator_acts (act, number);
create index operator_acts_by_time on operator_acts (at);
create index operator_acts_of_day on operator_acts (staff_id, at); -- the limits of one person on one day
create trigger operator_acts_are_append_only before update or delete or truncate on operator_acts
  for each statement execute function refuse_change();

-- The end of the chain. Its row is locked while an entry is added, which gives the entries their order; and it shows that
-- the last entries were removed.
create table operator_act_head (
  is_only_row boolean primary key default true check (is_only_row),
  number bigint not null,
  hash bytea not null
);
insert into operator_act_head (number, hash) values (0, decode(repeat('00', 32), 'hex'));

-- Acts above the limit of one person wait here for a second one. A credit of the console always has a row, whose id is the
-- request id that the app chose: the same request sent again is applied once.
create table approvals (
  id uuid primary key,
  act text not null check (act in ('account.credited', 'shipment.delivery_confirmed')),
  account_id uuid not null,
  shipment_id uuid,             -- with shipment.delivery_confirmed
  subject_title text not null,  -- name of the account, or reference of the shipment
  amount_cents bigint,          -- with account.credited
  shipment_version text,        -- the state of the shipment that was decided on
  reason text not null,
  requested_by uuid not null,   -- no foreign key: it stays when the person is removed
  requested_by_name text not null,
  requested_at timestamptz not null,
  state text not null check (state in ('waiting', 'not_needed', 'approved', 'declined')),
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz,
  check ((act = 'account.credited') = (amount_cents is not null)),
  check ((act = 'shipment.delivery_confirmed') = (shipment_id is not null)),
  check ((state in ('approved', 'declined')) = (decided_by is not null)),
  check (decided_by <> requested_by)
);
create index approvals_waiting on approvals (requested_at) where state = 'waiting';
create unique index approvals_of_shipment on approvals (shipment_id) where state = 'waiting';
