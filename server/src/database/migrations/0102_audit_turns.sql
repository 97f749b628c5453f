-- The nightly audit looks at some subjects each night, in turn: docs/decisions/nightly-audit.md
create table audit_turns (
  kind              text not null, -- account, driver, …: server/src/audit/subjects.ts
  subject           text not null,
  listed_at         timestamptz not null default now(),
  attempted_at      timestamptz, -- start of the latest audit, also of one that did not end
  audited_at        timestamptz, -- start of the latest audit that ended: the outcome below is of that one
  broken_rows       bigint not null default 0,
  broken_invariants text[] not null default '{}',
  primary key (kind, subject)
);
create index audit_turns_by_age on audit_turns ((coalesce(audited_at, listed_at)));

-- A worker of the release before audits everything, and does not know the column.
alter table audit_runs add column is_full boolean not null default true;
