-- Moving an account to another cell: docs/decisions/account-move.md.

-- The cell that serves the account; null: this one. Where it is set, keys and sessions of the account are refused, jobs of
-- the schedule leave its rows alone, and the triggers of a move refuse changes.
alter table accounts add column moved_to text;

-- When another cell handed the account over: its runs that ended before are in the figures of that cell.
alter table accounts add column arrived_at timestamptz;

-- The cell in which a driver works; null: this one. Such a row came with a moved account, whose past runs name the driver.
alter table drivers add column works_in text;

-- The cell that numbers the series; null: this one. Such a row came with the invoices of a moved account.
alter table invoice_series add column numbered_in text;

-- The progress of a move, in the database that the account leaves. While rows are copied, the target has a copy of the
-- row: it arrives after all changes that were committed before it.
create table account_moves (
  account_id uuid primary key,
  twin_id uuid,
  target text not null,
  step text not null check (step in ('copying', 'frozen', 'flipping', 'moved', 'abandoning')),
  fence bigint not null default 0,
  jobs jsonb, -- taken from the queues of this cell, for those of the target
  started_at timestamptz not null default clock_timestamp(),
  frozen_at timestamptz,
  flipped_at timestamptz,
  forgotten_at timestamptz
);

-- The cell that has a shipment of an account that was moved away: links to it still come to this cell.
create table moved_references (
  reference_number text primary key,
  cell text not null
);

-- Called by triggers that exist during a move only, for rows of its accounts. The argument is the live account.
create function refuse_moving_account() returns trigger language plpgsql as $$
begin
  if not exists (select from accounts where id = tg_argv[0]::uuid and moved_to is null) then
    raise exception 'account % is served by another cell', tg_argv[0] using errcode = 'NM001';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;

-- A publication with a filter by account refuses updates and deletions, of any account, in a table whose replica identity
-- lacks the column. With `full` the old row is written to the WAL by updates and deletions, and only with
-- wal_level = logical: less than an index, which each insert would have to maintain.
alter table idempotency_keys replica identity full;
alter table driver_searches replica identity full;
alter table driver_offers replica identity full;
