-- Contact and logo of a merchant on the recipient's page. Retention: as the account.
create table shop_pages (
  account_id uuid primary key references accounts,
  contact_email text,
  contact_phone text,
  logo bytea check (octet_length(logo) <= 65536),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  updated_at timestamptz not null,
  check ((logo is null) = (logo_type is null))
);
