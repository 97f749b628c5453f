-- Messages that a person sends again. The row stays the only one of its kind; its attempts start over.
alter table messages add column resends smallint not null default 0; -- bounded by the use case
alter table messages add column resent_at timestamptz;
