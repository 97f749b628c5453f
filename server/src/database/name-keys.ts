import { keysFromEachWord } from '../text/search-words.ts';
import type { Tx } from './database.ts';

/** Replaces the words by which the console finds a merchant or driver. Runs in the transaction that writes the name. */
export async function replaceNameKeys(
  tx: Tx,
  kind: 'account' | 'driver',
  subjectId: string,
  { names, whole }: { names: string[]; whole: string[] },
): Promise<void> {
  const keys = new Set([...names.flatMap(keysFromEachWord), ...whole].filter((key) => key !== ''));
  await tx.deleteFrom('name_keys').where('subject_id', '=', subjectId).execute();
  const rows = [...keys].sort().map((key) => ({ kind, key, subject_id: subjectId }));
  if (rows.length > 0) await tx.insertInto('name_keys').values(rows).execute();
}
