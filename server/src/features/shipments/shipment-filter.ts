import type { ListQuery } from '@navette/contract';
import type pg from 'pg';
import { endOfDateFilter, startOfDateFilter } from '../../calendar/local-calendar.ts';

export type Filter = Pick<ListQuery, 'status' | 'groupReference' | 'from' | 'to'>;

/** Numbers from `lowest` (inclusive) to `above` (exclusive). */
export interface Range {
  lowest: number;
  above: number;
}

/** Translates the dates of a filter into a range of the account's shipment numbers. */
export async function findRange(
  pool: pg.Pool,
  accountId: string,
  { from, to }: Filter,
  timeZone: string,
): Promise<Range> {
  const { rows } = await pool.query<Range & { last: number }>({
    name: 'shipment-range',
    text: `
      select case when $2::timestamptz is null then 1 else first_number_since($1, $2) end as lowest,
             case when $3::timestamptz is null then last_shipment + 1 else first_number_since($1, $3) end as above
      from account_counters where account_id = $1`,
    values: [
      accountId,
      from === undefined ? null : startOfDateFilter(from, timeZone),
      to === undefined ? null : endOfDateFilter(to, timeZone),
    ],
  });
  const { lowest = 1, above = 1 } = rows[0] ?? {};
  return { lowest: Math.min(lowest, above), above };
}

/** SQL conditions of a filter, with their values from $4 on. The name identifies the prepared statement. */
export function conditions({ status, groupReference }: Filter) {
  const values = [status, groupReference].filter((value) => value !== undefined);
  const clauses = [
    ...(status === undefined ? [] : [`and s.status = $4`]),
    ...(groupReference === undefined ? [] : [`and s.group_reference = $${3 + values.length}`]),
  ];
  return {
    text: clauses.join(' '),
    name: [status === undefined ? '' : 'status', groupReference === undefined ? '' : 'group'].join('-'),
    values,
  };
}

/** Ids of at most `most` matching shipments, newest first. */
export async function findShipmentIds(
  pool: pg.Pool,
  accountId: string,
  filter: Filter,
  timeZone: string,
  most: number,
): Promise<string[]> {
  const { lowest, above } = await findRange(pool, accountId, filter, timeZone);
  const { text, name, values } = conditions(filter);
  const { rows } = await pool.query<{ id: string }>({
    name: `shipment-ids-by-${name}`,
    text: `
      select s.id from shipments s where s.account_id = $1 and s.number >= $2 and s.number < $3 ${text}
      order by s.number desc limit $${4 + values.length}`,
    values: [accountId, lowest, above, ...values, most],
  });
  return rows.map(({ id }) => id);
}
