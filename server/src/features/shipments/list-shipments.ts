import type { Readable } from 'node:stream';
import { DEFAULT_PAGE_SIZE, type ListQuery, MAX_PAGE_SIZE } from '@navette/contract';
import type pg from 'pg';
import type { KeyedMutex } from '../../concurrency/keyed-mutex.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import type { Archive } from '../archive/index.ts';
import {
  type Chunk,
  type DocumentRow,
  type ReadRows,
  readArchived,
  readDocuments,
  rowsInRange,
  SMALL_DOCUMENT_JSON,
} from './read-documents.ts';
import { conditions, type Filter, findRange, type Range } from './shipment-filter.ts';
import { streamExclusively } from './stream-exclusively.ts';

/** Per account: reading the first documents of a page, and streaming a large page. */
export interface ListMutexes {
  reading: KeyedMutex;
  streaming: KeyedMutex;
}

/**
 * A page of an account's shipments, newest first: the JSON text of the whole response, or a stream when it is large.
 *
 * Shipments are numbered without gaps in the order of creation. A page of the unfiltered list is therefore a range of
 * numbers, and the total is the last number: page one and page fifty thousand cost the same. Dates only narrow that
 * range. Lists by status or group use an index of their own; with a cursor they too cost the same at any depth.
 *
 * However many pages an account requests at once, it uses one connection and the time of one statement in each process.
 */
export async function listShipments(
  pool: pg.Pool,
  archive: Archive,
  mutexes: ListMutexes,
  accountId: string,
  query: ListQuery,
  timeZone: string,
): Promise<string | Readable> {
  const page = query.page ?? 1;
  const limit = Math.min(query.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const range = await findRange(pool, accountId, query, timeZone);
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const skipped = before === undefined ? (page - 1) * limit : 0;

  const isFiltered = query.status !== undefined || query.groupReference !== undefined;
  const total = isFiltered ? await countMatching(pool, accountId, query, range) : range.above - range.lowest;
  const above = Math.min(before ?? range.above, range.above);
  const readRows = isFiltered
    ? rowsMatching(pool, archive, accountId, query, range.lowest, skipped)
    : rowsInRange(pool, archive, accountId, range.lowest);
  const reading = { above: isFiltered ? above : above - skipped, limit, atOnce: limit };
  const chunks = readDocuments(pool, accountId, readRows, reading);

  const endOfPage = (found: number, last: number | undefined) => {
    const more = found === limit && last !== undefined && (isFiltered || last > range.lowest);
    const totalPages = Math.ceil(total / limit);
    const nextCursor = more ? writeCursor(last) : null;
    return `],"pagination":${JSON.stringify({ page, limit, total, totalPages, nextCursor })}}`;
  };
  const release = await mutexes.reading.acquire(accountId);
  const first = (await chunks.next().finally(release)).value as Chunk;
  if (first.isLast) return startOfPage(first) + endOfPage(first.numbers.length, first.numbers.at(-1));
  return streamExclusively(mutexes.streaming, accountId, writeLargePage(first, chunks, endOfPage));
}

const startOfPage = ({ documents }: Chunk) => `{"success":true,"shippings":[${documents.join(',')}`;

async function* writeLargePage(
  first: Chunk,
  rest: AsyncGenerator<Chunk>,
  endOfPage: (found: number, last: number | undefined) => string,
): AsyncGenerator<string> {
  let found = first.numbers.length;
  let last = first.numbers.at(-1);
  yield startOfPage(first);
  for await (const { numbers, documents } of rest) {
    found += numbers.length;
    last = numbers.at(-1) ?? last;
    if (documents.length > 0) yield `,${documents.join(',')}`;
  }
  yield endOfPage(found, last);
}

/** Reads the rows that match a filter; the first statement skips the rows of earlier pages. */
function rowsMatching(
  pool: pg.Pool,
  archive: Archive,
  accountId: string,
  filter: Filter,
  lowest: number,
  skipped: number,
): ReadRows {
  const { text, name, values } = conditions(filter);
  const next = 4 + values.length;
  let toSkip = skipped;
  return async (above, limit) => {
    const { rows } = await pool.query<DocumentRow>({
      name: `shipments-by-${name}`,
      text: `
        select s.number, ${SMALL_DOCUMENT_JSON} as document
        from ( -- builds no document for skipped rows
          select * from shipments s where s.account_id = $1 and s.number >= $2 and s.number < $3 ${text}
          order by s.number desc offset $${next} limit $${next + 1}
        ) s order by s.number desc`,
      values: [accountId, lowest, above, ...values, toSkip, limit],
    });
    const isFull = rows.length === limit || filter.groupReference !== undefined; // archived shipments have no group any more
    const page = { lowest, above, skipped: toSkip, read: rows.length, limit };
    toSkip = 0;
    if (isFull) return rows;
    const numbers = await findArchived(pool, accountId, filter, page);
    return [...rows, ...(await readArchived(archive, accountId, numbers))];
  };
}

interface PartOfPage extends Range {
  skipped: number;
  /** Rows of the table that are on the page. */
  read: number;
  limit: number;
}

/** The numbers of archived shipments that follow the rows of the table: archived ones are older. */
async function findArchived(pool: pg.Pool, accountId: string, filter: Filter, page: PartOfPage): Promise<number[]> {
  const { lowest, above, skipped, read, limit } = page;
  const passed = read > 0 || skipped === 0 ? skipped : await countRows(pool, 'shipments', accountId, filter, page);
  const { text, name, values } = conditions(filter);
  const { rows } = await pool.query<{ number: number }>({
    name: `archived-by-${name}`,
    text: `
      select s.number from archived_shipments s
      where s.account_id = $1 and s.number >= $2 and s.number < $3 ${text}
      order by s.number desc offset $${4 + values.length} limit $${5 + values.length}`,
    values: [accountId, lowest, above, ...values, skipped - passed, limit - read],
  });
  return rows.map(({ number }) => number);
}

/** Uses the counters for a filter by status alone; otherwise counts index entries. */
async function countMatching(
  pool: pg.Pool,
  accountId: string,
  query: ListQuery,
  { lowest, above }: Range,
): Promise<number> {
  if (query.status !== undefined && !query.groupReference && !query.from && !query.to) {
    const { rows } = await pool.query<{ total: number }>({
      name: `count-${query.status}`,
      text: `select ${query.status} as total from account_counters where account_id = $1`, // one of the contract's statuses
      values: [accountId],
    });
    return rows[0]?.total ?? 0;
  }
  const inTable = await countRows(pool, 'shipments', accountId, query, { lowest, above });
  if (query.groupReference !== undefined) return inTable;
  return inTable + (await countRows(pool, 'archived_shipments', accountId, query, { lowest, above }));
}

async function countRows(
  pool: pg.Pool,
  table: 'shipments' | 'archived_shipments',
  accountId: string,
  filter: Filter,
  { lowest, above }: Range,
): Promise<number> {
  const { text, name, values } = conditions(filter);
  const { rows } = await pool.query<{ total: number }>({
    name: `count-${table}-by-${name}`,
    text: `select count(*) as total from ${table} s
           where s.account_id = $1 and s.number >= $2 and s.number < $3 ${text}`,
    values: [accountId, lowest, above, ...values],
  });
  return rows[0]?.total ?? 0;
}

const writeCursor = (number: number) => Buffer.from(`before ${number}`).toString('base64url');

function readCursor(cursor: string): number {
  const number = /^before (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (number !== undefined) return Number(number);
  throw fieldErrors([
    { type: 'field', msg: 'Curseur inconnu : reprenez nextCursor tel quel.', path: 'cursor', location: 'query' },
  ]);
}
