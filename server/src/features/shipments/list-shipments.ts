import { DEFAULT_PAGE_SIZE, type ListQuery, MAX_PAGE_SIZE } from '@navette/contract';
import type pg from 'pg';
import { fieldErrors } from '../../http/refusal.ts';
import { DOCUMENT_JSON } from './document-json.ts';
import { conditions, type Filter, findRange, type Range } from './shipment-filter.ts';

/**
 * A page of an account's shipments, newest first, as the JSON text of the whole answer.
 *
 * Numbers run without gaps in the order of creation, so a page of the unfiltered list is a range of numbers and its
 * total is the last of them: page one of ten and page fifty thousand cost the same. Dates only narrow that range.
 * Lists by status or group walk an index made for them; by cursor they too cost the same at any depth.
 */
export async function listShipments(
  pool: pg.Pool,
  accountId: string,
  query: ListQuery,
  timeZone: string,
): Promise<string> {
  const page = query.page ?? 1;
  const limit = Math.min(query.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const range = await findRange(pool, accountId, query, timeZone);
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const skipped = before === undefined ? (page - 1) * limit : 0;

  const picky = query.status !== undefined || query.groupReference !== undefined;
  const total = picky ? await countMatching(pool, accountId, query, range) : range.above - range.lowest;
  const above = Math.min(before ?? range.above, range.above);
  const { numbers, documents } = picky
    ? await readMatching(pool, accountId, query, { ...range, above }, skipped, limit)
    : await readRange(pool, accountId, { lowest: range.lowest, above: above - skipped }, limit);

  const last = numbers.at(-1);
  const more = numbers.length === limit && last !== undefined && (picky || last > range.lowest);
  const pagination = {
    page,
    limit,
    total,
    totalPages: Math.ceil(total / limit),
    nextCursor: more ? writeCursor(last) : null,
  };
  return `{"success":true,"shippings":[${documents.join(',')}],"pagination":${JSON.stringify(pagination)}}`;
}

interface Page {
  numbers: number[];
  documents: string[];
}

interface PageRow {
  number: number;
  document: string;
}

async function readRange(pool: pg.Pool, accountId: string, { lowest, above }: Range, limit: number): Promise<Page> {
  const { rows } = await pool.query<PageRow>({
    name: 'shipments-in-range',
    text: `
      select s.number, ${DOCUMENT_JSON} as document
      from shipments s
      where s.account_id = $1 and s.number >= $2 and s.number < $3
      order by s.number desc limit $4`,
    values: [accountId, Math.max(lowest, above - limit), above, limit],
  });
  return toPage(rows);
}

async function readMatching(
  pool: pg.Pool,
  accountId: string,
  filter: Filter,
  { lowest, above }: Range,
  skipped: number,
  limit: number,
): Promise<Page> {
  const { text, name, values } = conditions(filter);
  const next = 4 + values.length;
  const { rows } = await pool.query<PageRow>({
    name: `shipments-by-${name}`,
    text: `
      select s.number, ${DOCUMENT_JSON} as document
      from ( -- so that no document is built for the rows that are skipped
        select * from shipments s where s.account_id = $1 and s.number >= $2 and s.number < $3 ${text}
        order by s.number desc offset $${next} limit $${next + 1}
      ) s order by s.number desc`,
    values: [accountId, lowest, above, ...values, skipped, limit],
  });
  return toPage(rows);
}

/** By status alone the counters know; otherwise the index is counted. */
async function countMatching(
  pool: pg.Pool,
  accountId: string,
  query: ListQuery,
  { lowest, above }: Range,
): Promise<number> {
  if (query.status !== undefined && !query.groupReference && !query.from && !query.to) {
    const { rows } = await pool.query<{ total: number }>({
      name: `count-${query.status}`,
      text: `select ${query.status} as total from account_counters where account_id = $1`, // a status of the contract
      values: [accountId],
    });
    return rows[0]?.total ?? 0;
  }
  const { text, name, values } = conditions(query);
  const { rows } = await pool.query<{ total: number }>({
    name: `count-by-${name}`,
    text: `select count(*) as total from shipments s
           where s.account_id = $1 and s.number >= $2 and s.number < $3 ${text}`,
    values: [accountId, lowest, above, ...values],
  });
  return rows[0]?.total ?? 0;
}

const toPage = (rows: PageRow[]): Page => ({
  numbers: rows.map(({ number }) => number),
  documents: rows.map(({ document }) => document),
});

const writeCursor = (number: number) => Buffer.from(`before ${number}`).toString('base64url');

function readCursor(cursor: string): number {
  const number = /^before (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (number !== undefined) return Number(number);
  throw fieldErrors([
    { type: 'field', msg: 'Curseur inconnu : reprenez nextCursor tel quel.', path: 'cursor', location: 'query' },
  ]);
}
