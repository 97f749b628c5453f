import type { ConsoleShipment, ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { SHIPMENT_VERSION } from './shipment-version.ts';

/** A shipment of any live account, as an act of the console returns it. */
export async function readAnyConsoleShipment(db: Database, id: string): Promise<ConsoleShipment | null> {
  const row = await db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', (join) => join.onRef('a.id', '=', 's.account_id').on('a.live_account_id', 'is', null))
    .leftJoin('drivers as d', 'd.id', 's.driver_id')
    .select(['s.id', 's.reference_number as reference', 's.status', SHIPMENT_VERSION.as('version'), 'd.id as driverId'])
    .select(sql<string | null>`d.first_name || ' ' || d.last_name`.as('driverName'))
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const { reference, status, version, driverId, driverName } = row;
  const driver = driverId ? { id: driverId, name: driverName ?? '' } : null;
  return { id: row.id, reference, status: status as ShipmentStatus, version, driver };
}
