import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { runImportJob } from '../../jobs/definitions.ts';
import { refuseDashboard } from '../../refusals/dashboard-refusal.ts';
import { findImport } from './read-imports.ts';

/** Enqueues the creation of the valid lines. Idempotent. */
export async function startImport(
  db: Database,
  jobs: JobSender,
  accountId: string,
  importId: string,
  now: Date,
): Promise<void> {
  const { state, good } = await findImport(db, accountId, importId);
  if (state === 'cancelled') refuseDashboard('IMPORT_OVER');
  if (good === 0) refuseDashboard('NOTHING_TO_IMPORT');
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('imports')
      .set({ state: 'running', started_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', importId)
      .where('state', '=', 'previewed')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const options = { singletonKey: importId, group: { id: accountId } };
    await jobs.send(tx, runImportJob, { accountId, importId }, options);
  });
}

/** Shipments already created stay. The worker checks for a cancellation before each batch of lines. */
export async function cancelImport(db: Database, accountId: string, importId: string, now: Date): Promise<void> {
  const { state } = await findImport(db, accountId, importId);
  if (state === 'done') refuseDashboard('IMPORT_OVER');
  await db
    .updateTable('imports')
    .set({ state: 'cancelled', finished_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .where('state', 'in', ['previewed', 'running'])
    .execute();
}
