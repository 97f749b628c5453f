import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { IDLE_MS, usedSince } from './driver-sessions.ts';

const MAX_LISTED = 50; // more devices than a driver has

export type WhichSessions = 'all' | { only: string } | { allBut: string };

/** Ends open sessions of a driver. Returns the hashes of their tokens. */
export async function endSessions(
  db: Database | Tx,
  driverId: string,
  which: WhichSessions,
  now: Date,
): Promise<string[]> {
  const [only, allBut] = which === 'all' ? [] : 'only' in which ? [which.only] : [undefined, which.allBut];
  if (only !== undefined && !isUuid(only)) return [];
  const ended = await db
    .updateTable('driver_sessions')
    .set({ closed_at: now })
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('driver_sessions')
        .select('token_hash')
        .where('driver_id', '=', driverId)
        .where('closed_at', 'is', null)
        .$if(only !== undefined, (query) => query.where('id', '=', only as string))
        .$if(allBut !== undefined, (query) => query.where('id', '!=', allBut as string))
        .orderBy('token_hash') // one lock order prevents deadlocks between devices that end each other's sessions
        .forUpdate(),
    )
    .returning('token_hash')
    .execute();
  return ended.map(({ token_hash }) => token_hash.toString('hex'));
}

/** The open sessions of a driver, last used first, by their public id. The token is never returned. */
export async function listSessions(db: Database, driverId: string, now: Date) {
  const rows = await db
    .selectFrom('driver_sessions')
    .select(['id', 'device', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'expires_at as expiresAt'])
    .where('driver_id', '=', driverId)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', usedSince(now))
    .orderBy('last_used_at', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ expiresAt, ...session }) => ({
    ...session,
    expiresAt: new Date(Math.min(expiresAt.getTime(), session.lastUsedAt.getTime() + IDLE_MS)),
  }));
}
