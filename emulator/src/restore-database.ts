import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

const LOCKED = ['55P03', '40P01']; // a lock was not available in time, deadlock
const TRIES = 100;

/**
 * `restore` waits for transactions that write, and keeps others from writing. It waits for less than PostgreSQL waits
 * before it looks for deadlocks, so that a deadlock fails here, and not a request or job. Triggers and foreign keys are off meanwhile,
 * so that the order of the tables is no matter. Deleting the rows of a test takes less time than truncating all tables.
 */
const SAVE = `
create schema emulator;
create table emulator.tables as
  select n.nspname as schema, c.relname as name, null::text as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition
    and (n.nspname = 'public' and c.relname !~ '^kysely_' or n.nspname = 'pgboss' and c.relname = 'job')
  order by c.oid;
create table emulator.sequences as
  select schemaname as schema, sequencename as name, last_value from pg_sequences where schemaname = 'public';

do $$ declare t record; filled boolean; begin
  for t in select * from emulator.tables where schema = 'public' loop
    execute format('select exists (select from public.%I)', t.name) into filled;
    continue when not filled;
    execute format('create table emulator.%I as table public.%I', 'saved_' || t.name, t.name);
    update emulator.tables set columns = (
      select string_agg(quote_ident(column_name), ', ') from information_schema.columns
      where table_schema = 'public' and table_name = t.name and is_generated = 'NEVER')
    where schema = 'public' and name = t.name;
  end loop;
end $$;

-- Returns whether settings of accounts were changed, which the service caches.
create function emulator.restore() returns boolean language plpgsql as $$ declare t record; changed boolean; begin
  perform set_config('session_replication_role', 'replica', true);
  perform set_config('lock_timeout', '300ms', true);
  execute (select 'lock table ' || string_agg(format('%I.%I', schema, name), ', ') || ' in share row exclusive mode'
           from emulator.tables);
  changed := exists (select to_jsonb(a) from public.accounts a except select to_jsonb(a) from emulator.saved_accounts a)
    or exists (select to_jsonb(p) from public.pickup_addresses p
               except select to_jsonb(p) from emulator.saved_pickup_addresses p);
  for t in select * from emulator.tables loop
    execute format('delete from %I.%I', t.schema, t.name);
    continue when t.columns is null;
    execute format('insert into public.%I (%s) overriding system value select %s from emulator.%I',
                   t.name, t.columns, t.columns, 'saved_' || t.name);
  end loop;
  perform setval(format('%I.%I', schema, name), coalesce(last_value, 1), last_value is not null) from emulator.sequences;
  return changed;
end $$;`;

/** Remembers the rows of all tables, for `restoreDatabase`. */
export async function saveDatabase(url: string): Promise<void> {
  await withClient(url, (client) => client.query(SAVE));
}

/**
 * Brings all tables back to the state of `saveDatabase` and deletes all jobs, in one transaction, while the service runs.
 * True when settings of accounts were changed, which the service caches.
 */
export async function restoreDatabase(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    for (let left = TRIES; ; left--) {
      try {
        const { rows } = await client.query<{ changed: boolean }>('select emulator.restore() as changed');
        return rows[0]?.changed ?? true;
      } catch (error) {
        if (left === 0 || !(error instanceof pg.DatabaseError) || !LOCKED.includes(error.code ?? '')) throw error;
        await setTimeout(10);
      }
    }
  });
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
