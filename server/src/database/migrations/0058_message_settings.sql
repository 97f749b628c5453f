-- A merchant's choices about messages to recipients; an account without a row has the defaults. Retention: as the account.
create table message_settings (
  account_id uuid primary key references accounts,
  language text check (language in ('fr', 'en')), -- null: French, and the recipient's page follows the browser
  off text[] not null default '{}'                -- kinds that are not sent
    check (off <@ array['booked-email', 'next-email', 'delivered-email', 'cancelled-email']),
  soon_sms boolean not null default false,        -- a second SMS, shortly before the arrival
  updated_at timestamptz not null
);

alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check
  check (kind in ('recipient-sms', 'recipient-email', 'collection-sms', 'collection-email', 'zone-email',
    'booked-email', 'next-email', 'soon-sms', 'delivered-email', 'cancelled-email')) not valid;
