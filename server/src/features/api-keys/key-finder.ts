import type { Scope } from '@navette/contract';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Database } from '../../database/database.ts';
import { prepare } from '../../database/prepare.ts';
import type { KeyFinder, KnownKey } from '../../http/caller.ts';
import { hashApiKey } from './api-key.ts';
import { compileNarrowing } from './narrowing.ts';

const FRESH_FOR_MS = 500; // a revoked key is refused by every process within a second
const KEYS = 50_000;
const RECENTLY_VALID_MS = 10 * 60_000;

/** Finds keys by their hash and caches them briefly. Does not cache unknown keys. */
export function createKeyFinder(db: Database, pool: pg.Pool): KeyFinder {
  const find = prepare(pool, 'find-key', selectKey(db, Buffer.alloc(0)));
  const recentlyValid = new LRUCache<string, true>({ max: KEYS, ttl: RECENTLY_VALID_MS });
  const known = new LRUCache<string, KnownKey>({
    max: KEYS,
    ttl: FRESH_FOR_MS,
    fetchMethod: async (hash) => (await find(Buffer.from(hash, 'hex'))).map(toKnownKey)[0],
  });
  return {
    async find(key) {
      const hash = hashApiKey(key);
      const fresh = known.get(hash);
      if (fresh) return fresh;
      const found = (await known.fetch(hash)) ?? null;
      if (found) recentlyValid.set(hash, true);
      else recentlyValid.delete(hash);
      return found;
    },
    wasValidRecently: (key) => recentlyValid.has(hashApiKey(key)),
  };
}

const selectKey = (db: Database, hash: Buffer) =>
  db
    .selectFrom('api_keys')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.id', '=', 'api_keys.account_id').on('accounts.closed_at', 'is', null),
    )
    .select([
      'api_keys.id',
      'api_keys.name',
      'scopes',
      'networks',
      'resources',
      'expires_at',
      'accounts.id as account_id',
      'accounts.name as account_name',
      'accounts.live_account_id',
      'moved_to',
      'clock_ahead_ms',
      'clock_held_at',
    ])
    .select(['client_id', 'limit_per_minute', 'limit_per_hour', 'limit_per_day'])
    .where('key_hash', '=', hash)
    .where('revoked_at', 'is', null);

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKey>['execute']>>[number];

function toKnownKey(row: KeyRow): KnownKey {
  const key = {
    id: row.id,
    name: row.name,
    scopes: row.scopes as Scope[],
    expiresAt: row.expires_at,
    narrowing: compileNarrowing(row.networks, row.resources),
  };
  if (row.account_id === null) return { key, account: null };
  return {
    key,
    account: {
      accountId: row.account_id,
      isTest: row.live_account_id !== null,
      isMoved: row.moved_to !== null,
      clock: { aheadMs: row.clock_ahead_ms ?? 0, heldAt: row.clock_held_at },
      accountName: row.account_name ?? '',
      clientId: row.client_id ?? '',
      rateLimits: { minute: row.limit_per_minute ?? 0, hour: row.limit_per_hour ?? 0, day: row.limit_per_day ?? 0 },
    },
  };
}
