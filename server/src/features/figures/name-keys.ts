import { readPostalTowns } from '../../adapters/geocoder/main-towns.ts';
import type { Database } from '../../database/database.ts';
import type { OpenDimension } from './read-figures.ts';

type Names = Map<string, string>;

let towns: Promise<Names> | undefined;

/** Names of zones, merchants or drivers as they are now: figures refer to ids, so that erased names leave no trace. */
export async function nameKeys(db: Database, by: OpenDimension, keys: string[]): Promise<Names> {
  if (keys.length === 0) return new Map();
  if (by === 'zone') {
    towns ??= readPostalTowns();
    return towns;
  }
  const rows =
    by === 'merchant'
      ? await db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', keys).execute()
      : await db
          .selectFrom('drivers')
          .select(['id', (eb) => eb.fn<string>('concat_ws', [eb.val(' '), 'first_name', 'last_name']).as('name')])
          .where('id', 'in', keys)
          .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
