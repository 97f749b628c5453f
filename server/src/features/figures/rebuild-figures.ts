import { endOfDateFilter, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Database, Tx } from '../../database/database.ts';
import { differingRows } from './compare-rows.ts';
import { countAllPending } from './count-pending.ts';
import { readFactsOf } from './read-facts.ts';
import { type DayRow, Tally } from './tally.ts';
import { lockFigures, readDays, replaceDay } from './write-figures.ts';

export interface RebuiltDay {
  day: string;
  rows: number;
  /** Rows that were wrong before. */
  corrected: number;
}

/**
 * Counts a local day again from its shipments and incidents, and its month from its days. Safe while the service runs:
 * one snapshot shows rows and pending entries of the same moment, and the lock keeps the counting job waiting.
 */
export async function rebuildDay(db: Database, day: string, timeZone: string): Promise<RebuiltDay> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await lockFigures(tx);
      await refuseArchived(tx, day, timeZone);
      await countAllPending(tx, timeZone);
      const rows = await recomputeDay(tx, day, timeZone);
      const corrected = differingRows(await readDays(tx, [day]), rows).length;
      await replaceDay(tx, day, rows, timeZone);
      return { day, rows: rows.length, corrected };
    });
}

export class DayIsArchived extends Error {
  constructor(day: string) {
    super(`shipments that ended on or after ${day} are archived, so its figures cannot be counted again`);
  }
}

/** Counting what is left would lose the others. */
async function refuseArchived(tx: Tx, day: string, timeZone: string): Promise<void> {
  const archived = await tx
    .selectFrom('archive_files')
    .select('file_name')
    .where('last_ended_at', '>=', startOfDateFilter(day, timeZone))
    .limit(1)
    .executeTakeFirst();
  if (archived) throw new DayIsArchived(day);
}

/** The rows of a local day as its shipments and incidents give them. */
export async function recomputeDay(tx: Tx, day: string, timeZone: string): Promise<DayRow[]> {
  const window = { from: startOfDateFilter(day, timeZone), before: endOfDateFilter(day, timeZone) };
  const tally = new Tally(timeZone);
  for await (const facts of readFactsOf(tx, window, timeZone)) for (const fact of facts) tally.addFact(fact);
  return tally.rows();
}
