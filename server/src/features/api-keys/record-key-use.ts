import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';

const WRITE_AFTER_MS = 500;
const NOT_AGAIN_FOR_MS = 60_000; // avoids a write for every request
const KEYS = 50_000;

interface KeyUse {
  accountId: string;
  keyId: string;
  at: Date;
}

export interface KeyUseRecorder {
  record(use: KeyUse): void;
  /** Writes pending uses. */
  stop(): Promise<void>;
}

/** Records the last use of keys in batches: at most once per key, minute and process. */
export function createKeyUseRecorder(db: Database, log: FastifyBaseLogger): KeyUseRecorder {
  const recorded = new LRUCache<string, true>({ max: KEYS, ttl: NOT_AGAIN_FOR_MS });
  let unwritten: KeyUse[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    const uses = unwritten;
    unwritten = [];
    try {
      await writeUses(db, uses);
    } catch (error) {
      for (const { keyId } of uses) recorded.delete(keyId); // so that the next use is written
      log.debug({ err: error }, 'uses of keys were not recorded');
    }
  }

  return {
    record(use) {
      if (recorded.has(use.keyId)) return;
      recorded.set(use.keyId, true);
      unwritten.push(use);
      timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref();
    },
    async stop() {
      clearTimeout(timer);
      if (unwritten.length > 0) await write();
    },
  };
}

/** Sorted by id: one lock order prevents deadlocks between processes that update the same keys. */
async function writeUses(db: Database, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    with used as materialized (
      select k.id, u.at
      from json_to_recordset(${JSON.stringify(uses)}) as u ("accountId" uuid, "keyId" uuid, at timestamptz)
      join api_keys k on k.account_id = u."accountId" and k.id = u."keyId"
      where (k.last_used_at is null or k.last_used_at < u.at) and ${servedHere('k.account_id')}
      order by k.id
      for update of k
    )
    update api_keys k set last_used_at = used.at from used where k.id = used.id
  `.execute(db);
}
