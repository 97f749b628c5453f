import { sql } from 'kysely';
import type { FileStore } from '../../adapters/files/file-store.ts';
import type { Database } from '../../database/database.ts';

const AT_ONCE = 100;

/**
 * A label that is being drawn during the erasure of its shipment may be stored afterwards. After this delay no more can
 * appear.
 */
const DRAWN_BY_THEN_MS = 3_600_000;

/** Deletes the files of erased labels, and unfinished files. A file that cannot be deleted stays in the table. */
export async function deleteLabelFiles(db: Database, store: FileStore, now: Date): Promise<number> {
  const settled = new Date(now.getTime() - DRAWN_BY_THEN_MS);
  await store.deleteUnfinished(settled);
  for (let deleted = 0; ; ) {
    const { rows } = await sql<{ name: string }>`
      select file_name as name from label_files_to_delete where erased_at <= ${settled}
      order by erased_at limit ${AT_ONCE}`.execute(db);
    if (rows.length === 0) return deleted;
    const names = rows.map(({ name }) => name);
    await Promise.all(names.map((name) => store.delete(name)));
    await sql`delete from label_files_to_delete where file_name = any(${names})`.execute(db);
    deleted += names.length;
  }
}
