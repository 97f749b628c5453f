import { ERASED } from '@navette/contract';
import type { Move } from './move.ts';

/** Tables whose rows name the driver of a past run. */
const NAMING = ['shipments', 'driver_offers', 'dispatch_decisions', 'incidents', 'proofs'];

/**
 * Past runs name drivers of the source, who stay there. The target gets rows with their ids, disabled and without personal
 * data, unless it knows them.
 */
export async function bringDrivers({ from, to, ids, source }: Move): Promise<void> {
  const naming = NAMING.map((table) => `select driver_id from ${table} where account_id = any($1)`).join(' union ');
  const { rows } = await from.query<{ id: string; created: string; cell: string }>(
    `select id, created_at::text as created, coalesce(works_in, $2) as cell from drivers
     where test_account_id is null and id in (${naming})`,
    [ids, source.name],
  );
  await to.query(
    `insert into drivers (id, first_name, last_name, phone_number, created_at, available, disabled_at,
       personal_data_erased_at, works_in)
     select id, $2, $2, $2, created::timestamptz, false, now(), now(), cell
     from json_to_recordset($1) as d (id uuid, created text, cell text)
     on conflict (id) do nothing`,
    [JSON.stringify(rows), ERASED],
  );
}

/** After a move was abandoned: those that nothing else at the target names. */
export async function removeBroughtDrivers({ to, source }: Pick<Move, 'to' | 'source'>): Promise<void> {
  const unnamed = NAMING.map((table) => `not exists (select from ${table} n where n.driver_id = d.id)`).join(' and ');
  await to.query(`delete from drivers d where works_in = $1 and ${unnamed}`, [source.name]);
}
