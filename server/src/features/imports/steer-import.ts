import type { Database } from '../../database/database.ts';
import { refuseDashboard } from '../../http/dashboard-refusal.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { carryOutImportJob } from '../../jobs/definitions.ts';
import { findImport } from './read-imports.ts';

/** Hands the good lines to a worker. Asked again, it changes nothing. */
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
    if (numUpdatedRows > 0n)
      await jobs.send(tx, carryOutImportJob, { accountId, importId }, { singletonKey: importId });
  });
}

/** What was created stays; the worker looks before each handful of lines. */
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
