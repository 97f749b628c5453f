import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { firstIdAt } from '../../database/uuid.ts';
import { insertKeys, SEARCHABLE_COLUMNS, type SearchableShipment } from './add-search-keys.ts';

export interface RebuildProgress extends Record<string, unknown> {
  shipments: number;
  /** Keys that were missing. */
  added: number;
}

const BEFORE_ALL = { accountId: firstIdAt(new Date(0)), number: 0 };

/**
 * Rebuilds the search keys of all accounts' shipments, for a database that has lost them. It only adds missing keys, in
 * batches with a transaction each: it may run concurrently with the worker or with itself, and be repeated after a stop.
 */
export async function rebuildAllSearchKeys(
  db: Database,
  onProgress: (soFar: RebuildProgress) => void = () => {},
  atOnce = 1_000,
): Promise<RebuildProgress> {
  const soFar = { shipments: 0, added: 0 };
  for (let after = BEFORE_ALL; ; ) {
    const { rows, added } = await db.transaction().execute((tx) => rebuildNext(tx, after, atOnce));
    const last = rows.at(-1);
    if (!last) return soFar;
    soFar.added += added;
    soFar.shipments += rows.length;
    onProgress(soFar);
    after = last;
  }
}

/** Locks the rows against erasure meanwhile, so that an erased name does not return as a key. */
async function rebuildNext(tx: Tx, after: typeof BEFORE_ALL, atOnce: number) {
  const { rows } = await sql<SearchableShipment>`
    select ${SEARCHABLE_COLUMNS} from shipments s where (s.account_id, s.number) > (${after.accountId}::uuid, ${after.number}::bigint)
    order by s.account_id, s.number limit ${atOnce} for share
  `.execute(tx);
  return { rows, added: await insertKeys(tx, rows) };
}
