import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Database } from '../../database/database.ts';

const AT_ONCE = 100;

/** Deletes files of erased shipments and of uploads that were not completed. A file that cannot be deleted stays listed. */
export async function deleteProofFiles(db: Database, store: FileStore, now: Date): Promise<number> {
  for (let deleted = 0; ; ) {
    const rows = await db
      .selectFrom('proof_files_to_delete')
      .select('file_name as name')
      .where('delete_after', '<=', now)
      .orderBy('delete_after')
      .limit(AT_ONCE)
      .execute();
    if (rows.length === 0) return deleted;
    const names = rows.map(({ name }) => name);
    await Promise.all(names.map((name) => store.delete(name)));
    await db.deleteFrom('proof_files_to_delete').where('file_name', 'in', names).execute();
    deleted += names.length;
  }
}
