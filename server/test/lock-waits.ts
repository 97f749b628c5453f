import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database, Tx } from '../src/database/database.ts';

/**
 * Waits until this many connections to the database wait for a lock. Updates of a key's last use do not count: they run
 * in the background after any request.
 */
export async function waitForLockWaits(db: Database, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query not like '%set last_used_at%'`.execute(
        db,
      );
      expect(rows).toHaveLength(count);
    },
    { timeout: 240_000 },
  );
}

class UndoIt extends Error {}

/**
 * Starts two operations while a third transaction holds a lock that both need halfway, then releases it. If the two lock
 * the same rows in opposite order, each holds its first lock by then, and they deadlock.
 */
export async function meetHalfWay(
  db: Database,
  hold: (tx: Tx) => Promise<unknown>,
  works: [() => Promise<unknown>, () => Promise<unknown>],
): Promise<PromiseSettledResult<unknown>[]> {
  let started: Promise<PromiseSettledResult<unknown>[]> | undefined;
  const held = db.transaction().execute(async (tx) => {
    await hold(tx);
    started = Promise.allSettled(works.map((work) => work()));
    await waitForLockWaits(db, 2);
    throw new UndoIt();
  });
  await held.catch((error: unknown) => {
    if (!(error instanceof UndoIt)) throw error;
  });
  return (await started) ?? [];
}
