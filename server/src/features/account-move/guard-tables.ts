import type pg from 'pg';
import { giveWay } from '../../database/give-way.ts';
import { type Guard, MOVED_TABLES, OF_ACCOUNT } from './inventory.ts';
import { inTransaction, literals, nameOf } from './move.ts';

/** By account first: rows of members and of robots are recognised by ids, which then no longer change. */
const GUARDED = MOVED_TABLES.flatMap(({ name, guard }) => (guard ? [{ name, guard }] : [])).sort(
  (a, b) => Number(a.guard.values !== OF_ACCOUNT) - Number(b.guard.values !== OF_ACCOUNT),
);

/**
 * Triggers that refuse every change of the accounts' rows while `accounts.moved_to` is set or the account is missing. The
 * copy itself passes: it runs as a replica. Creating a trigger waits for the transactions that have changed the table, so
 * after this call no older one can commit a change. One table at a time, and with a short lock timeout: other accounts
 * wait for half a second at most.
 */
export async function guardTables(client: pg.Client, accountId: string, ids: string[]): Promise<void> {
  const guarded = new Set(await listGuarded(client, accountId));
  for (const { name, guard } of GUARDED) {
    const values = await readValues(client, guard, ids);
    if (values.length === 0 || guarded.has(name)) continue;
    await giveWay(() => inTransaction(client, () => createTriggers(client, name, guard.column, values, accountId)));
  }
}

async function readValues(client: pg.Client, { values }: Guard, ids: string[]): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>(`select v::text as value from (${values}) as g (v)`, [ids]);
  return rows.map(({ value }) => value);
}

async function createTriggers(
  client: pg.Client,
  table: string,
  column: string,
  values: string[],
  accountId: string,
): Promise<void> {
  const list = `'{${values.join(',')}}'::uuid[]`;
  const twin = (row: string) => (table === 'accounts' ? ` or ${row}.live_account_id = any(${list})` : '');
  const isGuarded = (row: string) => `${row}.${column} = any(${list})${twin(row)}`;
  const trigger = (suffix: string, event: string, condition: string) =>
    client.query(`create trigger ${nameOf(accountId)}_${suffix} before ${event} on ${table}
      for each row when (${condition}) execute function refuse_moving_account(${literals([accountId])})`);
  await trigger('i', 'insert', isGuarded('new'));
  await trigger('u', 'update', `${isGuarded('old')} or ${isGuarded('new')}`);
  await trigger('d', 'delete', isGuarded('old'));
}

export async function unguardTables(client: pg.Client, accountId: string): Promise<void> {
  for (const table of await listGuarded(client, accountId)) {
    const drops = ['i', 'u', 'd'].map((suffix) => `drop trigger if exists ${nameOf(accountId)}_${suffix} on ${table}`);
    await giveWay(() => inTransaction(client, () => client.query(drops.join('; '))));
  }
}

/** Triggers of partitions are copies of those of their table. */
async function listGuarded(client: pg.Client, accountId: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where starts_with(t.tgname, $1) and t.tgparentid = 0 order by c.relname`,
    [nameOf(accountId)],
  );
  return rows.map(({ name }) => name);
}
