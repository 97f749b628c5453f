import type { Database } from '../database/database.ts';
import type { Directory, PersonKind } from './directory.ts';

const PER_RUN = 1_000; // the next run continues

/**
 * Reports to the directory who signs in here, in the order of the changes. They are deleted last, so that a failure repeats
 * them. Without a directory there is nothing to report.
 */
export async function publishSignInChanges(
  db: Database,
  directory: Directory | null,
  cell: string | null,
): Promise<void> {
  const changes = await db.selectFrom('sign_in_changes').selectAll().orderBy('id').limit(PER_RUN).execute();
  if (changes.length === 0) return;
  if (directory && cell !== null) {
    for (const { kind, address_hash: hash, is_known: isKnown } of changes) {
      const person = [cell, kind as PersonKind, hash] as const;
      await (isKnown ? directory.publish(...person) : directory.withdraw(...person));
    }
  }
  const reported = changes.map(({ id }) => id);
  await db.deleteFrom('sign_in_changes').where('id', 'in', reported).execute();
}
