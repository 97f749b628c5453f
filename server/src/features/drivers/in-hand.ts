import type { ShipmentStatus } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';

/** The statuses in which a shipment is some driver's business. */
export const IN_HAND = ['assigned', 'picked_up', 'in_transit'] as const satisfies ShipmentStatus[];

/** How many shipments a driver has in hand, over all accounts. */
async function countRunsInHand(db: Tx, driverId: string): Promise<number> {
  const { runs } = await db
    .selectFrom('shipments')
    .select((eb) => eb.fn.countAll<number>().as('runs'))
    .where('driver_id', '=', driverId)
    .where('status', 'in', IN_HAND)
    .executeTakeFirstOrThrow();
  return runs;
}

/** Locks the driver, so that two shipments cannot both be their last. */
export async function canTakeAnother(tx: Tx, driverId: string, runsPerDriver: number): Promise<boolean> {
  const driver = await tx
    .selectFrom('drivers')
    .select(['disabled_at'])
    .where('id', '=', driverId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return driver?.disabled_at === null && (await countRunsInHand(tx, driverId)) < runsPerDriver;
}

/** A driver's next stop is the shipment they set off with first. */
export async function isNextStop(db: Database, driverId: string, shipmentId: string): Promise<boolean> {
  const next = await db
    .selectFrom('shipments')
    .select('id')
    .where('driver_id', '=', driverId)
    .where('status', '=', 'in_transit')
    .orderBy('departed_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return next?.id === shipmentId;
}
