import type { ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';

/** The statuses of an active run: a shipment that was assigned to a driver and is neither delivered nor returned. */
export const ACTIVE_RUN_STATUSES = ['assigned', 'picked_up', 'in_transit'] as const satisfies ShipmentStatus[];

/** For SQL. With parameters instead of literals, a generic plan cannot use the partial index `shipments_in_hand`. */
export const ACTIVE_RUN_LITERALS = ACTIVE_RUN_STATUSES.map((status) => sql.lit(status));

/** Counts across accounts. */
async function countActiveRuns(db: Tx, driverId: string): Promise<number> {
  const { runs } = await db
    .selectFrom('shipments')
    .select((eb) => eb.fn.countAll<number>().as('runs'))
    .where('driver_id', '=', driverId)
    .where('status', 'in', ACTIVE_RUN_LITERALS)
    .where('returned_at', 'is', null)
    .executeTakeFirstOrThrow();
  return runs;
}

/** Locks the driver, so that two concurrent assignments cannot both take the last place. */
export async function hasCapacity(tx: Tx, driverId: string, runsPerDriver: number): Promise<boolean> {
  const driver = await tx
    .selectFrom('drivers')
    .select(['disabled_at'])
    .where('id', '=', driverId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return driver?.disabled_at === null && (await countActiveRuns(tx, driverId)) < runsPerDriver;
}

/** A driver's next stop is the shipment with the earliest departure. */
export async function isNextStop(db: Database, driverId: string, shipmentId: string): Promise<boolean> {
  const next = await db
    .selectFrom('shipments')
    .select('id')
    .where('driver_id', '=', driverId)
    .where('status', '=', sql.lit('in_transit')) // uses the index shipments_in_hand
    .where('returned_at', 'is', null)
    .orderBy('departed_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return next?.id === shipmentId;
}
