-- Members of an account, who use its dashboard.
-- Retention: a member's row and its dependent rows are deleted with the member; expired sessions, resets and invitations
-- are deleted by purge-member-leftovers; acts stay as long as the account.

create table members (
  id uuid primary key,
  account_id uuid not null references accounts,
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'developer', 'operations', 'read-only')),
  language text not null check (language in ('fr', 'en')),
  password_hash text not null,                     -- argon2id
  wrong_passwords smallint not null default 0,     -- consecutive, including the one being checked
  locked_until timestamptz,
  second_factor_key text,                          -- which of SECOND_FACTOR_KEYS sealed the secret
  sealed_second_factor bytea,                      -- AES-256-GCM, bound to the member
  second_factor_since timestamptz,                 -- null while it is only being set up
  last_code_step bigint,                           -- a code of this step or an earlier one was used
  wrong_codes smallint not null default 0,
  codes_locked_until timestamptz,
  created_at timestamptz not null,
  check ((second_factor_key is null) = (sealed_second_factor is null)),
  check (second_factor_since is null or sealed_second_factor is not null)
);
create unique index members_by_email on members (lower(email)); -- one address, one member, in one account
create index members_by_account on members (account_id, id);

create table member_sessions (
  id uuid primary key,
  account_id uuid not null,
  member_id uuid not null references members on delete cascade,
  token_hash bytea not null unique, -- SHA-256: the token itself is not stored
  device text,                      -- browser and operating system; null: unknown
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null   -- absolute; idle sessions end earlier
);
create index member_sessions_by_member on member_sessions (member_id);
create index member_sessions_by_expiry on member_sessions (expires_at);

-- Each recovery code replaces the second factor once, for a lost phone.
create table member_recovery_codes (
  member_id uuid not null references members on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (member_id, code_hash)
);

create table member_password_resets (
  token_hash bytea primary key,
  member_id uuid not null references members on delete cascade,
  expires_at timestamptz not null
);
create index member_password_resets_by_member on member_password_resets (member_id);

create table member_invitations (
  id uuid primary key,
  account_id uuid not null references accounts,
  email text not null,
  role text not null check (role in ('owner', 'developer', 'operations', 'read-only')),
  language text not null check (language in ('fr', 'en')),
  invited_by text,          -- null: the operator
  token_hash bytea unique,  -- of the latest link; null until there is one
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index member_invitations_by_email on member_invitations (account_id, lower(email));
create index member_invitations_by_expiry on member_invitations (expires_at);

-- The security log of an account. Names are copied, so that entries stay valid when a member leaves.
create table member_acts (
  account_id uuid not null references accounts,
  id uuid not null, -- in the order of time
  at timestamptz not null,
  member_id uuid,   -- null: the operator, or unknown
  actor text,
  act text not null,
  subject text,     -- the person or thing that was affected
  primary key (account_id, id)
);
