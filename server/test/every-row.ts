import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';

/** Every row of every table, as in a dump; bytes as hexadecimal. */
export async function everyRow(db: Database, leftOut: string[] = []): Promise<string> {
  const { rows: tables } = await sql<{ schemaname: string; tablename: string }>`
    select schemaname, tablename from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') and tablename <> all(${leftOut})
  `.execute(db);
  const texts = await Promise.all(
    tables.map(async ({ schemaname, tablename }) => {
      const table = sql.id(schemaname, tablename);
      const { rows } = await sql<{ row: string }>`select t::text as row from ${table} t`.execute(db);
      return rows.map(({ row }) => row);
    }),
  );
  return texts.flat().join('\n');
}
