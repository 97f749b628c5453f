import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';

const EVERY_MS = 20;

/**
 * Probes how busy the machine is while `work` runs: the worst delay, in milliseconds, of a short timer followed by an
 * empty statement. A test that bounds a time adds a multiple of it, so other programs on the machine cannot fail it.
 */
export async function withMachineLag<Result>(
  db: Database,
  work: () => Promise<Result>,
): Promise<{ result: Result; lagMs: number }> {
  let lagMs = 0;
  let isDone = false;
  const probing = (async () => {
    while (!isDone) {
      const started = performance.now();
      await setTimeout(EVERY_MS);
      await sql`select 1`.execute(db);
      lagMs = Math.max(lagMs, performance.now() - started - EVERY_MS);
    }
  })();
  try {
    const result = await work();
    return { result, lagMs };
  } finally {
    isDone = true;
    await probing;
  }
}
