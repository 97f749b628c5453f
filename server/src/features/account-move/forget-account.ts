import type pg from 'pg';
import { deleteInBatches } from './abandon.ts';
import { unguardTables } from './guard-tables.ts';
import { inDeletionOrder, MOVED_TABLES } from './inventory.ts';
import { type CellDatabase, connect, type MoveProgress, MoveRefused } from './move.ts';
import { idsOf, readState } from './move-state.ts';

/**
 * Deletes the rows of a moved account in the cell that it left, in batches, and keeps where its links lead. Invoices and
 * the pay of drivers stay: accounting is kept where it was written. Interrupted, the next call continues.
 */
export async function forgetAccount(
  source: CellDatabase,
  accountId: string,
  onProgress: (progress: MoveProgress) => void,
): Promise<number> {
  const client = await connect(source);
  try {
    const state = await readState(client, accountId);
    if (state?.step !== 'moved') throw new MoveRefused('the account was not moved away from this cell');
    const ids = idsOf(state);
    await refuseUncounted(client, ids);
    await client.query('update account_moves set forgotten_at = clock_timestamp() where account_id = $1', [accountId]);
    let total = 0;
    const tables = MOVED_TABLES.filter(({ isKept, name }) => !isKept && name !== 'accounts');
    for (const table of inDeletionOrder(tables)) {
      const rows = await deleteInBatches({ to: client, ids }, table);
      total += rows;
      onProgress({ step: 'clean-up', detail: `${table.name}: ${rows} rows deleted` });
    }
    await client.query('update account_moves set jobs = null where account_id = $1', [accountId]);
    await unguardTables(client, accountId);
    return total;
  } finally {
    await client.end();
  }
}

/** Figures of the cell keep what was delivered here, and count it from the rows. */
async function refuseUncounted(client: pg.Client, ids: string[]): Promise<void> {
  const { rows } = await client.query('select from figures_pending where account_id = any($1) limit 1', [ids]);
  if (rows.length > 0)
    throw new MoveRefused('its last runs are not in the figures yet: a worker counts them within a minute');
}
