-- The outcome of each run of `navette audit`, by the nightly job or by hand, for metrics and alerts.
create table audit_runs (
  finished_at       timestamptz primary key,
  seconds           double precision not null,
  broken_rows       bigint not null,
  broken_invariants text[] not null
);
