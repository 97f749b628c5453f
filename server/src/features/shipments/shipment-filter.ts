import type { ListQuery } from '@navette/contract';
import type pg from 'pg';
import { endOf, startOf } from '../slots/index.ts';

export type Filter = Pick<ListQuery, 'status' | 'groupReference' | 'from' | 'to'>;

/** Numbers from `lowest` up to, but without, `above`. */
export interface Range {
  lowest: number;
  above: number;
}

/** Where the dates of a filter lie in an account's numbers. */
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
      from === undefined ? null : startOf(from, timeZone),
      to === undefined ? null : endOf(to, timeZone),
    ],
  });
  const { lowest = 1, above = 1 } = rows[0] ?? {};
  return { lowest: Math.min(lowest, above), above };
}

/** The conditions that are asked for, with their values from $4 on; the name tells the statements apart. */
export function conditions({ status, groupReference }: Filter) {
  const values = [status, groupReference].filter((value) => value !== undefined);
  const wanted = [
    ...(status === undefined ? [] : [`and s.status = $4`]),
    ...(groupReference === undefined ? [] : [`and s.group_reference = $${3 + values.length}`]),
  ];
  return {
    text: wanted.join(' '),
    name: [status === undefined ? '' : 'status', groupReference === undefined ? '' : 'group'].join('-'),
    values,
  };
}

/** Ids of the matching shipments, newest first, at most so many. */
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
