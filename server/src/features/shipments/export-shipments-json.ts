import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { KeyedMutex } from '../../concurrency/keyed-mutex.ts';
import type { Archive } from '../archive/index.ts';
import { readDocuments, rowsInRange } from './read-documents.ts';
import { streamExclusively } from './stream-exclusively.ts';

const ROWS_AT_ONCE = 500; // about 600 kB of typical documents

export type ShipmentExport = (accountId: string) => Promise<Readable>;

/**
 * Streams all shipments of an account as one JSON response, newest first, a range of numbers at a time. Numbers have no
 * gaps and archived shipments are read from their files, so the last number at the start defines the export: each shipment up to it, once.
 * Memory does not grow with the account, and no connection is held while the client reads.
 */
export function createShipmentExport(
  pool: pg.Pool,
  archive: Archive,
  mutex: KeyedMutex,
  stalledMs?: number,
): ShipmentExport {
  return (accountId) => streamExclusively(mutex, accountId, writeJson(pool, archive, accountId), stalledMs);
}

async function* writeJson(pool: pg.Pool, archive: Archive, accountId: string): AsyncGenerator<string> {
  const last = await readLastNumber(pool, accountId);
  const readRows = rowsInRange(pool, archive, accountId, 1);
  const reading = { above: last + 1, limit: last, atOnce: ROWS_AT_ONCE };
  let separator = '{"success":true,"shippings":[';
  for await (const { documents } of readDocuments(pool, accountId, readRows, reading)) {
    yield separator + documents.join(',');
    separator = ',';
  }
  yield ']}';
}

async function readLastNumber(pool: pg.Pool, accountId: string): Promise<number> {
  const { rows } = await pool.query<{ last: number }>({
    name: 'last-shipment-number',
    text: 'select last_shipment as last from account_counters where account_id = $1',
    values: [accountId],
  });
  return rows[0]?.last ?? 0;
}
