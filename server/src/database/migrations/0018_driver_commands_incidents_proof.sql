-- Commands that a phone sends again, incidents beside the status, and proof of delivery.
-- Retention:
--   driver_commands   90 days: by then no phone repeats a command (job purge-driver-sessions)
--   incidents         as long as the shipment; note, place and names are erased with its personal data
--   proofs            erased with the shipment's personal data, row and file
--   proof_files_to_delete   until the file is deleted

-- One row per command that was applied. The primary key makes a repetition wait for the first, and then return its result.
create table driver_commands (
  driver_id uuid not null references drivers,
  command_id text not null,
  name text not null,          -- of the endpoint in the driver contract
  shipment_id uuid,
  done_at timestamptz,         -- by the phone's clock
  received_at timestamptz not null,
  refusal text,                -- slug of a refusal that changed something, such as a wrong code
  refusal_extra json,          -- its further fields
  primary key (driver_id, command_id)
);
create index driver_commands_by_age on driver_commands (received_at);

create table incidents (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  driver_id uuid not null references drivers,
  kind text not null,
  note text,
  latitude double precision,
  longitude double precision,
  happened_at timestamptz not null,
  received_at timestamptz not null,
  resolved_at timestamptz,
  resolution text check (resolution in ('tried_again', 'returned', 'left_with', 'confirmed', 'cancelled')),
  resolved_by text check (resolved_by in ('driver', 'operator', 'merchant')),
  resolution_reason text,
  left_with text,              -- name of the person
  primary key (account_id, id),
  check ((resolved_at is null) = (resolution is null)),
  check ((resolution = 'left_with') = (left_with is not null))
);
create unique index one_open_incident_per_shipment on incidents (account_id, shipment_id) where resolved_at is null;
create index incidents_by_shipment on incidents (account_id, shipment_id, happened_at);
create index incidents_open on incidents (happened_at) where resolved_at is null;

create table proofs (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  driver_id uuid not null references drivers,
  command_id text,             -- of the upload; finds its proof when the phone repeats it
  kind text not null check (kind in ('photo', 'signature')),
  file_name text not null unique,
  content_type text not null,
  bytes integer not null,
  sha256 text not null,        -- of the stored file, in hex
  signer_name text,
  signer_relation text,
  taken_at timestamptz not null,
  received_at timestamptz not null,
  primary key (account_id, id)
);
create index proofs_by_shipment on proofs (account_id, shipment_id);
create index proofs_by_id on proofs (id); -- drivers read across accounts
create unique index proofs_by_command on proofs (driver_id, command_id) where command_id is not null;

-- Files that no proof refers to. A row is written before its file and removed by the transaction that inserts the proof, so
-- that a crash in between leaves no photo behind.
create table proof_files_to_delete (
  file_name text primary key,
  delete_after timestamptz not null
);
create index proof_files_to_delete_by_age on proof_files_to_delete (delete_after);

-- A returned parcel keeps its last status. It has ended for its driver, the operator and the retention periods.
alter table shipments add column returned_at timestamptz;
