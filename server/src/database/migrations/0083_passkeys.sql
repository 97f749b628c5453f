-- Passkeys (WebAuthn credentials) of members: a public key per authenticator. They end with the member.
create table member_passkeys (
  id uuid primary key,
  member_id uuid not null references members (id) on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null check (octet_length(public_key) between 1 and 4096),
  -- As the authenticator reported it last; 0 when it does not count.
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index member_passkeys_by_member on member_passkeys (member_id, created_at);
