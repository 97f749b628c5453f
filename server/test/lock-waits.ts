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

export interface HeldUpdates {
  /** Resolves when one waits. */
  reached(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Lets so many rows of a table be updated, or inserted, and holds the next one: its process can be killed in the middle of
 * its work.
 */
export async function holdUpdates(
  db: Database,
  table: string,
  rows: number,
  event: 'update' | 'insert' = 'update',
): Promise<HeldUpdates> {
  await sql`create sequence updates_made`.execute(db); // counts also what is rolled back
  await sql`create function wait_for_test() returns trigger language plpgsql as ${sql.lit(`
    begin if nextval('updates_made') > ${rows} then perform pg_advisory_xact_lock(1); end if; return new; end`)}`.execute(
    db,
  );
  await sql`create trigger held before ${sql.raw(event)} on ${sql.table(table)} for each row execute function wait_for_test()`.execute(
    db,
  );
  const holder = await db.startTransaction().execute();
  await sql`select pg_advisory_xact_lock(1)`.execute(holder);
  return {
    reached: () => waitForLockWaits(db, 1),
    async release() {
      await holder.rollback().execute();
      await sql`drop function wait_for_test cascade`.execute(db);
      await sql`drop sequence updates_made`.execute(db);
    },
  };
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
