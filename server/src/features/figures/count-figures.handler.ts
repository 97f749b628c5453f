import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { BATCH, countSomePending } from './count-pending.ts';
import { lockFigures } from './write-figures.ts';

/** Counts all that has ended so far, in short transactions. A killed one has counted nothing, and the next run repeats it. */
export async function countFigures(db: Database, timeZone: string, now: Date): Promise<void> {
  let counted: number;
  do {
    counted = await db.transaction().execute(async (tx) => {
      await lockFigures(tx);
      return countSomePending(tx, timeZone);
    });
  } while (counted === BATCH);
  await sql`update figures_state set counted_at = greatest(counted_at, ${now}::timestamptz)`.execute(db);
}
