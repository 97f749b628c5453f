import type { Database, Tx } from '../../database/database.ts';

const ABANDONED_AFTER_MS = 3_600_000; // far longer than an upload takes

/** Lists a file that is about to be written: unless it is kept, it is deleted later. */
export async function listUntilKept(db: Database, fileName: string, now: Date): Promise<void> {
  const deleteAfter = new Date(now.getTime() + ABANDONED_AFTER_MS);
  await db.insertInto('proof_files_to_delete').values({ file_name: fileName, delete_after: deleteAfter }).execute();
}

/** In the transaction that refers to the file, which must end soon. Fails when the file may be deleted before. */
export async function keepFile(tx: Tx, fileName: string, now: Date): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('proof_files_to_delete')
    .where('file_name', '=', fileName)
    .where('delete_after', '>', new Date(now.getTime() + ABANDONED_AFTER_MS / 2))
    .executeTakeFirst();
  if (numDeletedRows !== 1n) throw new Error(`${fileName} took too long to write`);
}
