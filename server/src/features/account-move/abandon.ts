import { giveWay } from '../../database/give-way.ts';
import { removeBroughtDrivers } from './bring-drivers.ts';
import { deleteRows } from './copy-rest.ts';
import { unguardTables } from './guard-tables.ts';
import { FOLLOWED_TABLES, FROZEN_TABLES, type NamedTable } from './inventory.ts';
import { inTransaction, type Move } from './move.ts';
import { recordStep, serveElsewhere } from './move-state.ts';
import { endCopy } from './replicate.ts';

const BATCH = 20_000; // rows per transaction

/** Undoes a move before its flip. The account is served again by the first transaction; the rest can be repeated. */
export async function abandon(move: Move): Promise<void> {
  const { from, to, accountId, ids, directory, source, onProgress } = move;
  await giveWay(() =>
    inTransaction(
      from,
      async () => {
        await recordStep(from, accountId, 'abandoning');
        await serveElsewhere(from, ids, null);
      },
      { asReplica: true },
    ),
  );
  await directory.abandon(accountId);
  onProgress({ step: 'abandon', detail: 'the account is served by the source again' });
  await unguardTables(from, accountId);
  await endCopy(move);
  await inTransaction(to, () => deleteRows(move, FROZEN_TABLES), { asReplica: true });
  for (const table of FOLLOWED_TABLES) await deleteInBatches(move, table);
  await removeBroughtDrivers({ to, source });
  await unguardTables(to, accountId);
  await from.query('delete from account_moves where account_id = $1', [accountId]);
  onProgress({ step: 'abandon', detail: 'nothing of the move is left' });
}

/** By position: unique within a partition only, so the table of each row belongs to it. */
export async function deleteInBatches(
  { to, ids }: Pick<Move, 'to' | 'ids'>,
  { name, rows }: Pick<NamedTable, 'name' | 'rows'>,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await inTransaction(
      to,
      () =>
        to.query(
          `delete from ${name} d using (select t.tableoid, t.ctid from ${name} t where ${rows} limit ${BATCH}) old
           where d.ctid = old.ctid and d.tableoid = old.tableoid`,
          [ids],
        ),
      { asReplica: true },
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return deleted;
  }
}
