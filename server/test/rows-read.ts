import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Tx } from '../src/database/database.ts';

/** Rows that some work read in the tables whose names match, with or without an index. */
export async function rowsRead(db: Database, tables: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const before = await countRead(tx, tables); // a connection may still hold counts of an earlier transaction
    await work(tx);
    return (await countRead(tx, tables)) - before;
  });
}

async function countRead(tx: Tx, tables: string): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
    from pg_stat_xact_user_tables where schemaname || '.' || relname like ${tables}`.execute(tx);
  return rows[0]?.read ?? Number.NaN;
}

export interface Reads {
  /** Scans of each index; those of partitions count for the partitioned one. */
  scans(index: string): number;
  /** Rows read in a table, with or without an index. */
  rows(table: string): number;
}

/**
 * Rows and scans of some work, by PostgreSQL's own counters: of the statements as the driver sends them, with the plans
 * that the server used, which `explain` with values may not show. Only the work may use `pools` meanwhile.
 */
export async function readsOf(pools: pg.Pool[], work: () => Promise<unknown>): Promise<Reads> {
  const before = await reportedBy(pools);
  await work();
  const after = await reportedBy(pools);
  const difference = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN);
  return { scans: (index) => difference(`scans ${index}`), rows: (table) => difference(`rows ${table}`) };
}

async function reportedBy(pools: pg.Pool[]): Promise<Map<string, number>> {
  // A connection reports its counts up to ten seconds late, unless it is asked to flush them.
  for (const pool of pools) {
    const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
    await Promise.all(clients.map((client) => client.query('select pg_stat_force_next_flush()')));
    for (const client of clients) client.release();
  }
  const counted = await pools[0]?.query<{ name: string; count: number }>(`
    select 'scans ' || coalesce(i.inhparent::regclass::text, indexrelname) as name, sum(idx_scan)::int8 as count
    from pg_stat_user_indexes left join pg_inherits i on i.inhrelid = indexrelid
    where schemaname in ('public', 'partitions') group by 1
    union all
    select 'rows ' || coalesce(i.inhparent::regclass::text, relname),
           sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int8
    from pg_stat_user_tables left join pg_inherits i on i.inhrelid = relid
    where schemaname in ('public', 'partitions') group by 1`);
  return new Map(counted?.rows.map(({ name, count }) => [name, count]));
}
