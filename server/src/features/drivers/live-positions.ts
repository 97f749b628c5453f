import type { Database } from '../../database/database.ts';
import { isNextStop } from './active-runs.ts';
import type { DriverPositions, Position } from './positions.ts';

/** The driver's position for the recipient of a shipment: only while that shipment is the driver's next stop. */
export const createLivePositions = (db: Database, positions: DriverPositions) => ({
  positionFor: async (driverId: string, shipmentId: string): Promise<Position | null> =>
    (await isNextStop(db, driverId, shipmentId)) ? positions.find(driverId) : null,
});
