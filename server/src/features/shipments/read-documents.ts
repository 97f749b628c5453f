import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import type { Archive } from '../archive/index.ts';
import { DOCUMENT_JSON } from './document-json.ts';

const MOST_BYTES = 1024 * 1024; // of documents that one statement should return
const CHUNK_BYTES = 160 * 1024;
const LARGE_METADATA_BYTES = 17_000; // above today's limit: only shipments from before the limit exceed it
const LARGE_COMPRESSED_BYTES = 2_000; // as compressed by PostgreSQL, by a factor of up to about ninety

/**
 * The document, or null when its metadata is so large that a statement of its own reads it. Decided by the stored size,
 * which PostgreSQL returns without reading the value.
 */
export const SMALL_DOCUMENT_JSON = `
  case when pg_column_size(s.metadata) < case when pg_column_compression(s.metadata) is null
    then ${LARGE_METADATA_BYTES} else ${LARGE_COMPRESSED_BYTES} end then ${DOCUMENT_JSON} end`;

export interface DocumentRow {
  number: number;
  document: string | null;
}

/** Reads up to `limit` rows below a number, newest first. */
export type ReadRows = (above: number, limit: number) => Promise<DocumentRow[]>;

/** Reads a range of numbers, which has no gaps: those that are not in the table are archived. */
export const rowsInRange =
  (pool: pg.Pool, archive: Archive, accountId: string, lowest: number): ReadRows =>
  async (above, limit) => {
    const start = Math.max(lowest, above - limit);
    const { rows } = await pool.query<DocumentRow>({
      name: 'shipments-in-range',
      text: `
        select s.number, ${SMALL_DOCUMENT_JSON} as document
        from shipments s
        where s.account_id = $1 and s.number >= $2 and s.number < $3
        order by s.number desc limit $4`,
      values: [accountId, start, above, limit],
    });
    const end = rows.at(-1)?.number ?? above;
    return [...rows, ...(await readArchived(archive, accountId, numbersBelow(end, start)))];
  };

const numbersBelow = (above: number, lowest: number) =>
  Array.from({ length: Math.max(0, above - lowest) }, (_, i) => above - 1 - i);

/** Documents of archived shipments, newest first. */
export async function readArchived(archive: Archive, accountId: string, numbers: number[]): Promise<DocumentRow[]> {
  if (numbers.length === 0) return [];
  const rows = await archive.readDocuments(accountId, numbers);
  return rows.sort((a, b) => b.number - a.number);
}

export interface Chunk {
  numbers: number[];
  documents: string[];
  isLast: boolean;
}

interface Reading {
  above: number;
  /** How many documents to read in all. */
  limit: number;
  /** The most that one statement reads. */
  atOnce: number;
}

/**
 * Documents of an account below a number, newest first, in chunks of about 64 KiB, or of one larger document. No
 * connection is held while the consumer processes a chunk. A statement that returned more than a megabyte is followed by
 * one for fewer rows.
 */
export async function* readDocuments(
  pool: pg.Pool,
  accountId: string,
  readRows: ReadRows,
  { above, limit, atOnce }: Reading,
): AsyncGenerator<Chunk> {
  let left = limit;
  let next = above;
  let rowsAtOnce = atOnce;
  for (;;) {
    const asked = Math.min(left, rowsAtOnce);
    const rows = await readRows(next, asked);
    const small = takeSmall(rows);
    if (small.length === 0 && rows[0]) small.push(await readLarge(pool, accountId, rows[0].number));
    left -= small.length;
    const isEnd = left === 0 || (small.length === rows.length && rows.length < asked);
    next = small.at(-1)?.number ?? next;
    const bytes = small.reduce((sum, { document }) => sum + document.length, 0);
    if (bytes > MOST_BYTES) rowsAtOnce = Math.max(1, Math.floor((small.length * MOST_BYTES) / bytes));
    yield* chunksOf(small, isEnd);
    if (isEnd) return;
  }
}

interface Taken {
  number: number;
  document: string;
}

/** The first rows, up to a large document. */
function takeSmall(rows: DocumentRow[]): Taken[] {
  const end = rows.findIndex(({ document }) => document === null);
  return (end === -1 ? rows : rows.slice(0, end)) as Taken[];
}

/** Other requests get a turn of the event loop between two chunks. Strings of this size are collected by V8's quick collector. */
async function* chunksOf(rows: Taken[], isEnd: boolean): AsyncGenerator<Chunk> {
  let start = 0;
  do {
    let end = start;
    for (let bytes = 0; end < rows.length && bytes < CHUNK_BYTES; end++) bytes += rows[end]?.document.length ?? 0;
    const chunk = rows.slice(start, end);
    start = end;
    const numbers = chunk.map(({ number }) => number);
    yield { numbers, documents: chunk.map(({ document }) => document), isLast: isEnd && end === rows.length };
    await setImmediate();
  } while (start < rows.length);
}

async function readLarge(pool: pg.Pool, accountId: string, number: number): Promise<Taken> {
  const { rows } = await pool.query<Taken>({
    name: 'shipment-by-number',
    text: `select s.number, ${DOCUMENT_JSON} as document from shipments s where s.account_id = $1 and s.number = $2`,
    values: [accountId, number],
  });
  if (!rows[0]) throw new Error('shipment not found, although one with so much metadata is not archived meanwhile');
  return rows[0];
}
