import { accountTime, type TwinClock } from '../../calendar/twin-clock.ts';
import type { Database, Tx } from '../../database/database.ts';

/** The columns of `accounts` that make its clock. */
export const toClock = (row: { clock_ahead_ms: number | null; clock_held_at: Date | null }): TwinClock => ({
  aheadMs: row.clock_ahead_ms ?? 0,
  heldAt: row.clock_held_at,
});

/** The time of an account by its own clock, uncached. */
export async function readAccountTime(db: Database | Tx, accountId: string, real: Date): Promise<Date> {
  const row = await db
    .selectFrom('accounts')
    .select(['clock_ahead_ms', 'clock_held_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row ? accountTime(toClock(row), real) : real;
}
