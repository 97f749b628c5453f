-- The people of an account, who work with its dashboard.
-- Retention: a member's row and all that hangs on it goes when the member is removed; sessions, resets and invitations
-- that have run out go with purge-member-leftovers; acts stay as long as the account.

create table members (
  id uuid primary key,
  account_id uuid not null references accounts,
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'developer', 'operations', 'read-only')),
  language text not null check (language in ('fr', 'en')),
  password_hash text not null,                     -- argon2id
  wrong_passwords smallint not null default 0,     -- in a row, the one being checked included
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
  token_hash bytea not null unique, -- SHA-256: the token itself is kept nowhere
  device text,                      -- browser and system, in words; null: none that is known
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null   -- whatever happens; idle sessions end earlier
);
create index member_sessions_by_member on member_sessions (member_id);
create index member_sessions_by_expiry on member_sessions (expires_at);

-- Each opens the door once when the telephone is lost.
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
  token_hash bytea unique,  -- of the link that was made last; null until there is one
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index member_invitations_by_email on member_invitations (account_id, lower(email));
create index member_invitations_by_expiry on member_invitations (expires_at);

-- Who did what that matters for the account's security. Names are copied: they stay true when somebody leaves.
create table member_acts (
  account_id uuid not null references accounts,
  id uuid not null, -- in the order of time
  at timestamptz not null,
  member_id uuid,   -- null: the operator, or nobody who is known
  actor text,
  act text not null,
  subject text,     -- whom or what it was done to
  primary key (account_id, id)
);
