-- Problems that recipients report on their page after the end of a shipment. Retention: with the shipment's personal data.
create table recipient_reports (
  account_id uuid not null,
  id uuid not null,
  shipment_id uuid not null,
  kind text not null check (kind in ('not_received', 'damaged', 'incomplete', 'other')),
  message text check (length(message) between 1 and 500),
  reported_at timestamptz not null,
  closed_at timestamptz,
  outcome text, -- by staff, for the merchant
  primary key (account_id, id),
  check ((closed_at is null) = (outcome is null))
);
create index recipient_reports_by_shipment on recipient_reports (account_id, shipment_id);
create unique index one_open_report_per_shipment on recipient_reports (account_id, shipment_id) where closed_at is null;
create index recipient_reports_open on recipient_reports (reported_at) where closed_at is null;
