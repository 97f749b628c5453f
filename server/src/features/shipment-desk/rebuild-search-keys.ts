import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../uuid.ts';
import { BORN, type Born, insertKeys } from './add-search-keys.ts';

export interface Rebuilt extends Record<string, unknown> {
  shipments: number;
  /** Keys that were missing. */
  added: number;
}

const BEFORE_ALL = { accountId: firstIdAt(new Date(0)), number: 0 };

/**
 * Makes the search keys of all accounts' shipments again, for a database that has lost them. It only adds what is
 * missing, and each handful is a statement of its own: it may run beside the worker, beside itself, and again after it
 * was stopped.
 */
export async function rebuildAllSearchKeys(
  db: Database,
  onProgress: (soFar: Rebuilt) => void = () => {},
  atOnce = 1_000,
): Promise<Rebuilt> {
  const soFar = { shipments: 0, added: 0 };
  for (let after = BEFORE_ALL; ; ) {
    const { rows } = await sql<Born>`
      select ${BORN} from shipments s where (s.account_id, s.number) > (${after.accountId}::uuid, ${after.number}::bigint)
      order by s.account_id, s.number limit ${atOnce}
    `.execute(db);
    const last = rows.at(-1);
    if (!last) return soFar;
    soFar.added += await insertKeys(db, rows);
    soFar.shipments += rows.length;
    onProgress(soFar);
    after = last;
  }
}
