import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Database, Tx } from '../../database/database.ts';
import type { DriverSessions, SignedInDriver } from '../../http/driver-door.ts';
import { hashSecretToken, newSecretToken } from '../../secret-token.ts';

const FRESH_FOR_MS = 400; // a closed session and a disabled driver are refused by every process within a second
const SESSIONS = 50_000;
const GOOD_LATELY_MS = 10 * 60_000;

const toBytes = (hash: string) => Buffer.from(hash, 'hex');

/** Opens a session; the token is returned this once and kept hashed. */
export async function openSession(tx: Tx | Database, driverId: string, now: Date): Promise<string> {
  const token = newSecretToken('navette_driver_');
  await tx
    .insertInto('driver_sessions')
    .values({
      driver_id: driverId,
      token_hash: toBytes(hashSecretToken(token)),
      created_at: now,
    })
    .execute();
  return token;
}

export async function closeSession(db: Database, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('driver_sessions')
    .set({ closed_at: now })
    .where('token_hash', '=', toBytes(sessionId))
    .where('closed_at', 'is', null)
    .execute();
}

export async function closeAllSessions(tx: Tx, driverId: string, now: Date): Promise<void> {
  await tx
    .updateTable('driver_sessions')
    .set({ closed_at: now })
    .where('driver_id', '=', driverId)
    .where('closed_at', 'is', null)
    .execute();
}

const OPEN_SESSIONS = `
  select encode(s.token_hash, 'hex') as "sessionId", d.id as "driverId", d.available
  from driver_sessions s join drivers d on d.id = s.driver_id
  where s.token_hash = any($1) and s.closed_at is null and d.disabled_at is null`;

/** Looks sessions up by the token's hash and remembers them for a moment; a wrong token is not remembered. */
export function createDriverSessions(pool: pg.Pool): DriverSessions & { forget(sessionId: string): void } {
  const find = async (hashes: string[]) => {
    const { rows } = await pool.query<SignedInDriver>({
      name: 'open-driver-sessions',
      text: OPEN_SESSIONS,
      values: [hashes.map(toBytes)],
    });
    return rows;
  };
  const goodLately = new LRUCache<string, true>({ max: SESSIONS, ttl: GOOD_LATELY_MS });
  const known = new LRUCache<string, SignedInDriver>({
    max: SESSIONS,
    ttl: FRESH_FOR_MS,
    fetchMethod: async (hash) => (await find([hash]))[0],
    ignoreFetchAbort: true, // a look-up that `forget` overtakes still answers who waits for it, and is not remembered
  });
  return {
    async find(token) {
      const hash = hashSecretToken(token);
      const found = (await known.fetch(hash)) ?? null;
      if (found) goodLately.set(hash, true);
      else goodLately.delete(hash);
      return found;
    },
    wasGoodLately: (token) => goodLately.has(hashSecretToken(token)),
    /** So that this process at least knows at once; the others do in a moment. */
    forget: (sessionId) => void known.delete(sessionId),
    async closedAmong(tokens) {
      const hashes = new Map(tokens.map((token) => [hashSecretToken(token), token]));
      for (const { sessionId } of await find([...hashes.keys()])) hashes.delete(sessionId);
      return new Set(hashes.values());
    },
  };
}
