import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Database, Tx } from '../../database/database.ts';
import type { DriverSessions, SignedInDriver } from '../../http/driver-authentication.ts';
import { hashSecretToken, newSecretToken } from '../../secrets/secret-token.ts';

const DAY_MS = 86_400_000;
const EXPIRE_AFTER_MS = 180 * DAY_MS; // then drivers sign in again, even if they use the session daily
export const IDLE_MS = 30 * DAY_MS; // longer than a driver's holiday
const NOTE_USE_EVERY_MS = 10 * 60_000; // not with every command, which would turn each read into a write
const CACHE_MS = 400; // every process refuses an ended session and a disabled driver within a second
const MAX_CACHED = 50_000; // sessions
const RECENTLY_VALID_MS = 10 * 60_000;

export const toBytes = (hash: string) => Buffer.from(hash, 'hex');

/** Sessions last used before this time have expired. */
export const usedSince = (now: Date) => new Date(now.getTime() - IDLE_MS);

/** Opens a session. Returns its token, of which only the hash is stored. */
export async function openSession(
  tx: Tx | Database,
  driverId: string,
  device: string | null,
  now: Date,
): Promise<string> {
  const token = newSecretToken('driver');
  await tx
    .insertInto('driver_sessions')
    .values({
      driver_id: driverId,
      token_hash: toBytes(hashSecretToken(token)),
      device,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + EXPIRE_AFTER_MS),
    })
    .execute();
  return token;
}

const OPEN_SESSIONS = `
  select encode(s.token_hash, 'hex') as "tokenHash", s.id as "sessionId", d.id as "driverId", d.available,
    d.test_account_id is not null as "isRobot", s.last_used_at as "lastUsedAt",
    a.clock_ahead_ms as "aheadMs", a.clock_held_at as "heldAt"
  from driver_sessions s join drivers d on d.id = s.driver_id left join accounts a on a.id = d.test_account_id
  where s.token_hash = any($1) and s.closed_at is null and s.expires_at > $2 and s.last_used_at > $3
    and d.disabled_at is null`;

const NOTE_USE = 'update driver_sessions set last_used_at = $2 where token_hash = $1 and last_used_at < $2';

interface SessionRow extends Omit<SignedInDriver, 'clock'> {
  lastUsedAt: Date;
  aheadMs: number | null;
  heldAt: Date | null;
}

/** An object, because the cache rejects a fetch that resolves to undefined after its entry was deleted. */
interface CacheEntry {
  driver: SignedInDriver | null;
}

/** Looks sessions up by the token's hash and caches them briefly. Wrong tokens are not cached. */
export function createDriverSessions(
  pool: pg.Pool,
  now: () => Date,
): DriverSessions & { forget(tokenHashes: Iterable<string>): void } {
  const read = async (hashes: string[], at: Date) => {
    const { rows } = await pool.query<SessionRow>({
      name: 'open-driver-sessions',
      text: OPEN_SESSIONS,
      values: [hashes.map(toBytes), at, usedSince(at)],
    });
    return rows;
  };
  const lookUp = async (hash: string): Promise<CacheEntry> => {
    const at = now();
    const [found] = await read([hash], at);
    if (!found) return { driver: null };
    const { lastUsedAt, aheadMs, heldAt, ...driver } = found;
    if (at.getTime() - lastUsedAt.getTime() >= NOTE_USE_EVERY_MS) {
      await pool.query({ name: 'note-driver-session-use', text: NOTE_USE, values: [toBytes(hash), at] });
    }
    return { driver: { ...driver, clock: { aheadMs: aheadMs ?? 0, heldAt } } };
  };
  const recentlyValid = new LRUCache<string, true>({ max: MAX_CACHED, ttl: RECENTLY_VALID_MS });
  const cached = new LRUCache<string, CacheEntry>({
    max: MAX_CACHED,
    ttl: CACHE_MS,
    fetchMethod: lookUp,
    ignoreFetchAbort: true, // a look-up during `forget` still returns to its callers, and is not cached
  });
  return {
    async find(token) {
      const hash = hashSecretToken(token);
      const { driver } = (await cached.fetch(hash)) ?? { driver: null };
      if (driver) recentlyValid.set(hash, true);
      else for (const cache of [recentlyValid, cached]) cache.delete(hash);
      return driver;
    },
    wasValidRecently: (token) => recentlyValid.has(hashSecretToken(token)),
    /** This process then refuses the tokens at once; the others do when their cache expires. */
    forget(tokenHashes) {
      for (const hash of tokenHashes) cached.delete(hash);
    },
    async closedAmong(tokens) {
      const hashes = new Map(tokens.map((token) => [hashSecretToken(token), token]));
      for (const { tokenHash } of await read([...hashes.keys()], now())) hashes.delete(tokenHash);
      return new Set(hashes.values());
    },
  };
}
