import { DEFAULT_PAGE_SIZE, type ListQuery, MAX_PAGE_SIZE } from '@navette/contract';
import type pg from 'pg';
import { fieldErrors } from '../../http/refusal.ts';
import { endOf, startOf } from '../slots/index.ts';
import { DOCUMENT_JSON } from './document-json.ts';

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

/** Numbers from `lowest` up to, but without, `above`. */
interface Range {
  lowest: number;
  above: number;
}

interface Page {
  numbers: number[];
  documents: string[];
}

interface PageRow {
  number: number;
  document: string;
}

async function findRange(pool: pg.Pool, accountId: string, { from, to }: ListQuery, timeZone: string): Promise<Range> {
  const { rows } = await pool.query<Range & { last: number }>({
    name: 'shipment-range',
    text: `
      select case when $2::timestamptz is null then 1 else first_number_since($1, $2) end as lowest,
             case when $3::timestamptz is null then last_shipment + 1 else first_number_since($1, $3) end as above
      from account_counters where account_id = $1`,
    values: [
      accountId,
      from === undefined ? null : startOf(from, timeZone),
      to === undefined ? null : endOf(to, timeZone),
    ],
  });
  const { lowest = 1, above = 1 } = rows[0] ?? {};
  return { lowest: Math.min(lowest, above), above };
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

type Filter = Pick<ListQuery, 'status' | 'groupReference'>;

/** The conditions that are asked for, with their values from $4 on; the name tells the statements apart. */
function conditions({ status, groupReference }: Filter) {
  const values = [status, groupReference].filter((value) => value !== undefined);
  const wanted = [
    ...(status === undefined ? [] : [`and s.status = $4`]),
    ...(groupReference === undefined ? [] : [`and s.group_reference = $${3 + values.length}`]),
  ];
  return {
    text: wanted.join(' '),
    name: wanted.length > 1 ? 'status-group' : status === undefined ? 'group' : 'status',
    values,
  };
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
