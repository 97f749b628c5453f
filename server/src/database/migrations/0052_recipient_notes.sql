-- Notes of recipients for the driver: a floor, a code, a name on the bell. Retention: with the shipment's personal data.
create table recipient_notes (
  account_id uuid not null,
  shipment_id uuid not null,
  note text not null check (length(note) between 1 and 200),
  written_at timestamptz not null,
  primary key (account_id, shipment_id)
);
