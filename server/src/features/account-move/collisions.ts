import type pg from 'pg';
import { MOVED_TABLES } from './inventory.ts';
import type { Move } from './move.ts';

const BATCH = 10_000; // values per statement
const SHOWN = 5;

interface UniqueColumn {
  table: string;
  index: string;
  /** A column, or an expression such as `lower(email)`. */
  expression: string;
  type: string;
}

/**
 * Values that must be unique in a cell, and that a row of another account at the target has: reference numbers,
 * idempotency keys, members' addresses and others. Found by the unique indexes of one column, so a new one is not missed.
 */
export async function findCollisions(move: Move): Promise<string[]> {
  const problems: string[] = [];
  for (const unique of await listUniqueColumns(move.from)) {
    const taken = await findTaken(move, unique);
    if (taken.length > 0)
      problems.push(
        `${unique.table}: the target already has ${unique.expression} ${taken.slice(0, SHOWN).join(', ')}` +
          `${taken.length > SHOWN ? ` and ${taken.length - SHOWN} more` : ''}`,
      );
  }
  return problems;
}

/** Where the row is found by its account, the account itself is the only value. */
const BY_ACCOUNT = ['account_id', 'live_account_id'];

async function listUniqueColumns(from: pg.Client): Promise<UniqueColumn[]> {
  const tables = MOVED_TABLES.filter(({ isShared }) => !isShared).map(({ name }) => name);
  const { rows } = await from.query<UniqueColumn>(
    `select c.relname as table, x.relname as index, pg_get_indexdef(i.indexrelid, 1, true) as expression,
            format_type(a.atttypid, a.atttypmod) as type
     from pg_index i
     join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
     join pg_class x on x.oid = i.indexrelid
     join pg_attribute a on a.attrelid = i.indexrelid and a.attnum = 1
     where i.indisunique and i.indnkeyatts = 1 and i.indpred is null and c.relname = any($1)
     order by c.relname, x.relname`,
    [tables],
  );
  return rows.filter(({ expression }) => !BY_ACCOUNT.includes(expression));
}

async function findTaken({ from, to, ids }: Move, { table, expression, type }: UniqueColumn): Promise<string[]> {
  const moved = MOVED_TABLES.find(({ name }) => name === table);
  const taken: string[] = [];
  let after: string | null = null;
  for (;;) {
    const { rows }: pg.QueryResult<{ value: string }> = await from.query(
      `select (${expression})::text as value from ${table} t
       where ${moved?.rows} and (${expression}) is not null ${after === null ? '' : `and (${expression}) > $2::text::${type}`}
       order by ${expression} limit ${BATCH}`,
      after === null ? [ids] : [ids, after],
    );
    const values = rows.map(({ value }) => value);
    const { rows: found } = await to.query<{ value: string }>(
      `select (${expression})::text as value from ${table} t
       where (${expression}) = any($2::text[]::${type}[]) and (${moved?.rows}) is not true`,
      [ids, values],
    );
    taken.push(...found.map(({ value }) => value));
    if (values.length < BATCH) return taken;
    after = values.at(-1) ?? null;
  }
}
