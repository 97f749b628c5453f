-- Messages to recipients and to collection contacts: one row per shipment and kind, permanently,
-- so that a later assignment cannot send the same message twice.
-- Retention: recipient, subject and text are a person's and are erased after MESSAGE_RETENTION_DAYS; the row stays.

create table messages (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  kind text not null check (kind in ('recipient-sms', 'recipient-email', 'collection-sms', 'collection-email')),
  channel text not null check (channel in ('sms', 'email')),
  -- sending: an attempt began and its outcome is unknown. dropped: the message had become pointless.
  status text not null default 'pending' check (status in ('pending', 'sending', 'sent', 'failed', 'dropped')),
  recipient text,   -- phone number or e-mail address
  subject text,     -- of an e-mail
  body text,        -- the SMS, or the e-mail as plain text
  html text,        -- the e-mail as a page
  segments smallint, -- of the SMS
  attempts integer not null default 0,
  reserved_at timestamptz, -- when the current attempt began
  provider text,
  provider_id text,
  failure text,            -- of the last attempt, in codes: no personal data
  -- The response to an attempt was lost and the provider has no query: the message may have arrived twice.
  doubtful boolean not null default false,
  created_at timestamptz not null,
  sent_at timestamptz,
  erased_at timestamptz,
  primary key (account_id, id)
) with (fillfactor = 80);
create unique index messages_once on messages (account_id, shipment_id, kind, channel);
create index messages_by_age on messages (created_at) where erased_at is null;
create index messages_unsent on messages (created_at) where status in ('pending', 'sending');
