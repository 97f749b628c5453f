import { bringDrivers } from './bring-drivers.ts';
import { columnsOf, quoted } from './columns.ts';
import { FROZEN_TABLES, inDeletionOrder, MOVED_TABLES, type NamedTable } from './inventory.ts';
import { inTransaction, type Move } from './move.ts';

const BATCH = 2_000; // rows per statement

/**
 * Copies the tables with few rows per account while it is frozen, in one transaction of the target, which first deletes
 * what an earlier run copied. The account arrives as served by the source: the flip changes that.
 */
export async function copyRest(move: Move): Promise<void> {
  const { to, ids, source } = move;
  await inTransaction(
    to,
    async () => {
      await deleteRows(move, FROZEN_TABLES);
      await bringSeries(move);
      for (const table of FROZEN_TABLES) await copyTable(move, table);
      await bringDrivers(move);
      await to.query('update accounts set moved_to = $2 where id = any($1)', [ids, source.name]);
      await raiseSequences(move);
    },
    { asReplica: true },
  );
}

async function copyTable({ from, to, ids }: Move, table: NamedTable): Promise<void> {
  const columns = await columnsOf(from, table);
  const order = quoted(columns);
  await inTransaction(from, async () => {
    await from.query(
      `declare rest no scroll cursor for select to_json(r)::text as row from (
         select ${quoted(columns, 't.')} from ${table.name} t where ${table.rows}) r`,
      [ids],
    );
    for (;;) {
      const { rows } = await from.query<{ row: string }>(`fetch ${BATCH} from rest`);
      if (rows.length === 0) return;
      await to.query(
        `insert into ${table.name} (${order}) overriding system value
         select ${order} from json_populate_recordset(null::${table.name}, $1)
         ${table.isShared ? 'on conflict do nothing' : ''}`,
        [`[${rows.map(({ row }) => row).join(',')}]`],
      );
    }
  });
}

/** Deletes the rows of the accounts at the target. */
export async function deleteRows({ to, ids }: Pick<Move, 'to' | 'ids'>, tables: readonly NamedTable[]): Promise<void> {
  for (const { name, rows } of inDeletionOrder(tables)) await to.query(`delete from ${name} t where ${rows}`, [ids]);
}

/** Invoices refer to their series. The target takes no number from one that another cell numbers. */
async function bringSeries({ from, to, ids, source }: Move): Promise<void> {
  const { rows } = await from.query<{ row: string }>(
    `select to_json(s)::text as row from (
       select series, last_number, last_issued_on, coalesce(numbered_in, $2) as numbered_in from invoice_series
       where series in (select series from invoices where account_id = any($1))) s`,
    [ids, source.name],
  );
  await to.query(
    `insert into invoice_series (series, last_number, last_issued_on, numbered_in)
     select series, last_number, last_issued_on, numbered_in from json_populate_recordset(null::invoice_series, $1)
     on conflict do nothing`,
    [`[${rows.map(({ row }) => row).join(',')}]`],
  );
}

/** Numbers that the target gives from now on must follow those that came with the account. */
async function raiseSequences({ to, ids }: Move): Promise<void> {
  const { rows } = await to.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attidentity <> '' and c.relname = any($1)`,
    [MOVED_TABLES.map(({ name }) => name)],
  );
  for (const { table, column } of rows) {
    await to.query(
      `select setval(seq, last) from (
         select pg_get_serial_sequence($2, $3)::regclass as seq, (select max("${column}") from ${table} where account_id = any($1)) as last
       ) s where last > coalesce(pg_sequence_last_value(seq), 0)`,
      [ids, table, column],
    );
  }
}
