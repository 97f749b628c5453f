import type { DriverShipment } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { refuseAsUnknownRun } from '../../http/driver-refusal.ts';
import { isUuid } from '../../uuid.ts';
import { IN_HAND, selectViews, viewForDriver } from '../drivers/index.ts';

/** A driver's shipments are found by the driver, whoever the merchant is: the driver is in every WHERE. */
export async function listRuns(db: Database, driverId: string): Promise<DriverShipment[]> {
  const rows = await selectViews(db).where('driver_id', '=', driverId).where('status', 'in', IN_HAND).execute();
  return rows
    .map((row) => viewForDriver(row, true))
    .sort((a, b) => (a.assignedAt ?? '').localeCompare(b.assignedAt ?? ''));
}

export async function readRun(db: Database, driverId: string, shipmentId: string): Promise<DriverShipment> {
  if (!isUuid(shipmentId)) refuseAsUnknownRun();
  const row = await selectViews(db)
    .where('driver_id', '=', driverId)
    .where('shipments.id', '=', shipmentId)
    .executeTakeFirst();
  return row ? viewForDriver(row, true) : refuseAsUnknownRun();
}

/** Locks a shipment of the driver; of another driver, or of none, it is unknown. */
export async function lockRun(tx: Tx, driverId: string, shipmentId: string) {
  return (await lockRunOrNothing(tx, driverId, shipmentId)) ?? refuseAsUnknownRun();
}

export async function lockRunOrNothing(tx: Tx, driverId: string, shipmentId: string) {
  if (!isUuid(shipmentId)) return undefined;
  return tx
    .selectFrom('shipments')
    .select(['account_id as accountId', 'reference_number as referenceNumber', 'status'])
    .select(['is_collection as isCollection', 'delivery_code as deliveryCode'])
    .select('wrong_delivery_codes as wrongCodes')
    .where('driver_id', '=', driverId)
    .where('id', '=', shipmentId)
    .forUpdate()
    .executeTakeFirst();
}
