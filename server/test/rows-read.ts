import { sql } from 'kysely';
import type { Database, Tx } from '../src/database/database.ts';

/** Rows that some work looked at in the tables whose names match, found by index or not. */
export async function rowsRead(db: Database, tables: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const before = await countRead(tx, tables); // a connection may still hold what it counted for an earlier transaction
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
