import type { Redis } from 'ioredis';
import type { Database } from '../../database/database.ts';
import { isNextStop } from './in-hand.ts';
import { livePosition, type Position } from './positions.ts';

/** Where a driver is, for those who wait for one shipment: only while that is the driver's next stop. */
export const createLivePositions = (db: Database, redis: Redis, prefix: string) => ({
  positionFor: async (driverId: string, shipmentId: string): Promise<Position | null> =>
    (await isNextStop(db, driverId, shipmentId)) ? livePosition(redis, prefix, driverId) : null,
});
