-- Erasure of personal data, and the records of it. docs/privacy.md lists every table.
-- Retention, enforced by the job erase-personal-data and checked by `navette audit`:
--   shipments.delivery_code   DELIVERY_CODE_RETENTION_DAYS after the shipment ended (was delivered or cancelled)
--   shipments, events, shipment_keys, messages, dispatch_decisions, idempotency_keys, label files
--                             SHIPMENT_RETENTION_DAYS after the end, or less where the account asks for it: the rows stay
--                             with the data for statistics, money and audit, without personal data
--   drivers                   SHIPMENT_RETENTION_DAYS after a driver was disabled: the row stays, without the person
--   imports                   SHIPMENT_RETENTION_DAYS after they were sent in (their lines after 30 days, as before)
--   members, invitations and names in api_keys
--                             SHIPMENT_RETENTION_DAYS after their account was closed, where nobody removed them before
--   member_acts               three years

alter table accounts
  add column retention_days integer check (retention_days >= 30); -- null: the setting; never longer than the setting

alter table shipments
  alter column delivery_code drop not null, -- null: erased after the shipment ended
  add column personal_data_erased_at timestamptz;
alter table events
  alter column body drop not null; -- null: erased with its shipment
alter table drivers
  add column personal_data_erased_at timestamptz;

-- The shipments to erase, by account: the size does not depend on the shipments erased before.
-- A shipment enters both indexes when it ends, so that a creation writes to neither.
create index shipments_with_code_to_erase on shipments (account_id, coalesce(delivered_at, cancelled_at))
  where delivery_code is not null and coalesce(delivered_at, cancelled_at) is not null;
create index shipments_to_erase on shipments (account_id, coalesce(delivered_at, cancelled_at))
  where personal_data_erased_at is null and coalesce(delivered_at, cancelled_at) is not null;

-- The keys of one shipment. Its keys repeat (account_id, newest_first), so the index is a fraction of the primary key.
create index shipment_keys_by_shipment on shipment_keys (account_id, newest_first);

create index imports_by_age on imports (created_at);

-- The security log stays append-only, except that entries older than three years may be deleted.
drop trigger if exists member_acts_are_append_only on member_acts;
create trigger member_acts_are_append_only before update or truncate on member_acts
  for each statement execute function refuse_change();
create trigger member_acts_are_kept before delete on member_acts
  for each row when (old.at > now() - interval '1095 days') execute function refuse_change();

-- Label files whose shipment was erased. A row is deleted some time after its file: a label that was being drawn
-- at that moment may have been stored after a first deletion.
create table label_files_to_delete (
  file_name text primary key,
  erased_at timestamptz not null
);
create index label_files_to_delete_by_age on label_files_to_delete (erased_at);

-- Receipts of executed erasure requests, as proof. Retention: five years.
create table erasure_receipts (
  id uuid primary key,
  at timestamptz not null,
  subject_kind text not null check (subject_kind in ('email', 'phone')),
  subject_hash text not null, -- argon2id: only verifies whether a receipt is about a given address
  reason text not null,
  "system_user" text not null,  -- operating system user of the command
  counts json not null
);

-- Open shipments of such a person, erased as soon as they end. Retention: until then.
create table erasure_requests (
  account_id uuid not null,
  shipment_id uuid not null,
  receipt_id uuid not null references erasure_receipts,
  primary key (account_id, shipment_id)
);
