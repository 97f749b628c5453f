-- Filters of the dashboard's shipment list that a member has named. Retention: with the member.
create table saved_views (
  account_id uuid not null references accounts,
  member_id uuid not null references members on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  filters jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, member_id, id),
  unique (account_id, member_id, name)
);
create index saved_views_by_member on saved_views (member_id);
