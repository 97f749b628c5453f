import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const LOCKED = ['55P03', '40P01']; // a lock was not available in time, deadlock
const GIVE_WAY_FOR_MS = 300_000;

/** Below the second after which PostgreSQL looks for deadlocks: the change to the schema gives up, and no request fails. */
export const LOCK_TIMEOUT_MS = 500;
const RETRY_MS = 200;

/**
 * Runs a change to the schema while the service runs. Its connection waits for locks for `LOCK_TIMEOUT_MS` at most; then it
 * gives way to the requests behind it and tries again: they are delayed by half a second at most, and none fails.
 */
export async function giveWay<T>(run: () => Promise<T>, retryMs = RETRY_MS): Promise<T> {
  const deadline = Date.now() + GIVE_WAY_FOR_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && LOCKED.includes(error.code ?? '');
      if (!isLocked || Date.now() > deadline) throw error;
      await sleep(retryMs * (1 + Math.random()));
    }
  }
}
