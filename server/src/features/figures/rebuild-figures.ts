import { sql } from 'kysely';
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
      await refuseWithoutRows(tx, day, timeZone);
      await countAllPending(tx, timeZone);
      const rows = await recomputeDay(tx, day, timeZone);
      const corrected = differingRows(await readDays(tx, [day]), rows).length;
      await replaceDay(tx, day, rows, timeZone);
      return { day, rows: rows.length, corrected };
    });
}

export class RowsAreGone extends Error {
  constructor(day: string) {
    super(`shipments of ${day} or later are archived or moved to another cell, so its figures cannot be counted again`);
  }
}

/** Counting the rows that are left would lose the others. */
async function refuseWithoutRows(tx: Tx, day: string, timeZone: string): Promise<void> {
  if ((await daysWithRows(tx, [day], timeZone)).length === 0) throw new RowsAreGone(day);
}

/** Of these days, those whose shipments are all here: none was archived, and no moved account was forgotten since. */
export async function daysWithRows(tx: Tx, days: string[], timeZone: string): Promise<string[]> {
  const { rows } = await sql<{ until: Date | null }>`
    select greatest((select max(last_ended_at) from archive_files), (select max(forgotten_at) from account_moves))
      as until`.execute(tx);
  const goneUntil = rows[0]?.until ?? null;
  return days.filter((day) => goneUntil === null || startOfDateFilter(day, timeZone) > goneUntil);
}

/** The rows of a local day as its shipments and incidents give them. */
export async function recomputeDay(tx: Tx, day: string, timeZone: string): Promise<DayRow[]> {
  const window = { from: startOfDateFilter(day, timeZone), before: endOfDateFilter(day, timeZone) };
  const tally = new Tally(timeZone);
  for await (const facts of readFactsOf(tx, window, timeZone)) for (const fact of facts) tally.addFact(fact);
  return tally.rows();
}
