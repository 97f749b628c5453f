import type pg from 'pg';
import { DAILY_TABLES } from '../../database/partitions.ts';
import { type Column, columnsOf, hashOf } from './columns.ts';
import { MOVED_TABLES, type NamedTable } from './inventory.ts';
import { type Move, MoveRefused } from './move.ts';

/** Each cell drops old days of these at its own time. */
const KEPT_FOR_SURE = "interval '28 days'";

/**
 * Compares the number of rows and a sum over their contents, table by table on both sides at once, while no change is
 * possible on either. Returns the number of rows.
 */
export async function compare(move: Move): Promise<number> {
  const { from, to, ids, onProgress } = move;
  let total = 0;
  for (const table of MOVED_TABLES) {
    const columns = await columnsOf(from, table);
    const [before, after] = await Promise.all([from, to].map((side) => read(side, table, columns, ids)));
    if (!before || !after || before.rows !== after.rows || before.sum !== after.sum)
      throw new MoveRefused(
        `${table.name} differs: ${before?.rows} rows with sum ${before?.sum} at the source, ${after?.rows} with ${after?.sum} at the target`,
      );
    total += before.rows;
    onProgress({ step: 'compare', detail: `${table.name}: ${before.rows} rows are equal` });
  }
  for (const id of ids) await proveNumbers(to, id);
  return total;
}

async function read(side: pg.Client, table: NamedTable, columns: Column[], ids: string[]) {
  const isCompared = table.name in DAILY_TABLES ? ` and t.event_id >= first_id_at(now() - ${KEPT_FOR_SURE})` : '';
  const { rows } = await side.query<{ rows: number; sum: string }>(
    `select count(*)::int as rows, coalesce(sum(${hashOf(columns)}::numeric), 0)::text as sum
     from ${table.name} t where ${table.rows}${isCompared}`,
    [ids],
  );
  return rows[0];
}

/** The balance follows from the ledger, and the counters are at the last numbers. */
async function proveNumbers(to: pg.Client, accountId: string): Promise<void> {
  const { rows } = await to.query<{ wrong: string }>(
    `select wrong from account_counters c
     cross join lateral (
       select coalesce(sum(amount_cents), 0) as balance, coalesce(max(entry), 0) as entry, count(*) as entries
       from ledger_entries where account_id = c.account_id) l
     cross join lateral (
       select coalesce(max(number), 0) as number from every_shipment where account_id = c.account_id) s
     cross join lateral (values
       (case when l.balance <> c.balance_cents then 'the balance is not the sum of the ledger' end),
       (case when l.entry <> c.last_entry or l.entries <> c.last_entry then 'the ledger has gaps' end),
       (case when s.number > c.last_shipment then 'a shipment has a later number than the counter' end)) as v (wrong)
     where c.account_id = $1 and wrong is not null`,
    [accountId],
  );
  if (rows.length > 0)
    throw new MoveRefused(`account ${accountId} at the target: ${rows.map(({ wrong }) => wrong).join(', ')}`);
}
