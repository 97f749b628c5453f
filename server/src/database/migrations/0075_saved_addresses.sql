-- The address book of an account. At most 2,000 rows each, so a search may read all of them.
-- Retention: as a shipment's personal data, after the last use or change.
create table saved_addresses (
  account_id uuid not null references accounts,
  id uuid not null,
  identity bytea not null, -- hash of name and place: the same person is saved once
  address jsonb not null,  -- name, street, postal code, town, country, coordinates, phone number, e-mail
  search text not null,    -- name, place and e-mail in normal form
  used_at timestamptz not null, -- when it was saved, changed, or shipped to
  primary key (account_id, id),
  unique (account_id, identity)
);
create index saved_addresses_by_use on saved_addresses (used_at);
