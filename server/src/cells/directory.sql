-- The directory of cells: a small database of its own. Requests do not need it: it is read by routers, at sign-ins that reach
-- a cell where the person is unknown, and by `navette cell` and `navette account move`.

create table if not exists cells (
  tag text primary key,
  address text not null,              -- URL under which the router and the other cells reach it
  is_first boolean not null,          -- gets tokens and references of the time before cells, which have no tag
  state text not null check (state in ('open', 'draining')),
  keys_fingerprint text not null,     -- of the secrets that all cells share
  added_at timestamptz not null default now()
);
create unique index if not exists one_first_cell on cells (is_first) where is_first;

-- In which cell a person signs in. Only the SHA-256 of the e-mail address is stored.
create table if not exists sign_in_addresses (
  kind text not null check (kind in ('member', 'driver', 'staff')),
  address_hash bytea not null,
  cell text not null references cells,
  primary key (kind, address_hash)
);

-- Accounts that were moved to another cell than the one that their tokens name, or are being moved.
create table if not exists moved_accounts (
  account_id uuid primary key,
  cell text references cells,         -- null: not moved yet
  moving_to text references cells
);
create table if not exists moved_tokens (
  token_hash bytea primary key,       -- SHA-256
  account_id uuid not null references moved_accounts on delete cascade
);
create index if not exists moved_tokens_by_account on moved_tokens (account_id);
