-- Additions of the operator's console to merchants and drivers.
-- Retention:
--   driver_documents  with the driver's personal data

-- The id that the console's form chose: the same request sent again creates no second account.
alter table accounts add column creation_request_id uuid;
create unique index accounts_by_creation_request on accounts (creation_request_id);

-- Papers that a driver must have. One of each kind: the next one replaces it.
create table driver_documents (
  driver_id uuid not null references drivers on delete cascade,
  kind text not null check (kind in
    ('driving_licence', 'vehicle_insurance', 'identity_card', 'work_permit', 'company_registration', 'medical_check')),
  number text,
  expires_on date,             -- null: does not expire
  version integer not null default 1,
  changed_at timestamptz not null,
  changed_by text not null,    -- name of the staff member
  primary key (driver_id, kind)
);
create index driver_documents_by_expiry on driver_documents (expires_on);
