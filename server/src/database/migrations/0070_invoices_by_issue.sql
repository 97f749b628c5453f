-- migrate: no transaction
-- Lists of staff: all invoices, newest first, and those of a month.
drop index concurrently if exists invoices_by_issue;
create index concurrently invoices_by_issue on invoices (issued_at desc, number desc);
drop index concurrently if exists invoices_by_month;
create index concurrently invoices_by_month on invoices (month, issued_at desc, number desc);
drop index concurrently if exists invoices_by_state;
create index concurrently invoices_by_state on invoices (
  (case when kind = 'credit_note' then 'credit_note' when due_on is null then 'settled' else 'due' end),
  issued_at desc, number desc);
