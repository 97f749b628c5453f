import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';

const WRITE_AFTER_MS = 500;
const NOT_AGAIN_FOR_MS = 60_000; // a write per request would make every reader a writer
const KEYS = 50_000;

interface KeyUse {
  accountId: string;
  keyId: string;
  at: Date;
}

export interface KeyUseNotes {
  note(use: KeyUse): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/** Remembers when keys were last used: each at most once a minute and process, many in one statement. */
export function createKeyUseNotes(db: Database, log: FastifyBaseLogger): KeyUseNotes {
  const noted = new LRUCache<string, true>({ max: KEYS, ttl: NOT_AGAIN_FOR_MS });
  let unwritten: KeyUse[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    const uses = unwritten;
    unwritten = [];
    try {
      await writeUses(db, uses);
    } catch (error) {
      for (const { keyId } of uses) noted.delete(keyId); // the next use is written instead
      log.debug({ err: error }, 'uses of keys were not noted');
    }
  }

  return {
    note(use) {
      if (noted.has(use.keyId)) return;
      noted.set(use.keyId, true);
      unwritten.push(use);
      timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref();
    },
    async stop() {
      clearTimeout(timer);
      if (unwritten.length > 0) await write();
    },
  };
}

/** In one order everywhere, so that two processes which write the same keys cannot wait for each other in a ring. */
async function writeUses(db: Database, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    with used as materialized (
      select k.id, u.at
      from json_to_recordset(${JSON.stringify(uses)}) as u ("accountId" uuid, "keyId" uuid, at timestamptz)
      join api_keys k on k.account_id = u."accountId" and k.id = u."keyId"
      where k.last_used_at is null or k.last_used_at < u.at
      order by k.id
      for update of k
    )
    update api_keys k set last_used_at = used.at from used where k.id = used.id
  `.execute(db);
}
