import { MAX_DRIVER_LATITUDE } from '@navette/contract';
import type { Redis } from 'ioredis';
import { METRES_PER_DEGREE } from '../../geography/circle.ts';
import { type DriverPositions, POSITION_TTL_SECONDS, type Position } from './positions.ts';

// Redis finds nothing in a box that is much larger than the earth.
const AROUND_EARTH_METRES = 40_500_000;
const POLE_TO_POLE_METRES = 20_200_000;

/** Positions in Redis, for all processes. Readers remove drivers without a recent position from the two maps. */
export function createRedisPositions(redis: Redis, prefix: string): DriverPositions {
  const mapKey = `${prefix}drivers:map`;
  const seenKey = `${prefix}drivers:seen`;
  const positionKey = (driverId: string) => `${prefix}drivers:position:${driverId}`;
  const valuesOf = (driverIds: string[]) => redis.mget(driverIds.map(positionKey));

  return {
    /** One round trip. */
    async save({ driverId, available, isRobot }, { latitude, longitude, at }) {
      const pipeline = redis.pipeline();
      const value = JSON.stringify([latitude, longitude, at.getTime(), available ? 1 : 0]);
      pipeline.set(positionKey(driverId), value, 'EX', POSITION_TTL_SECONDS);
      if (!isRobot) pipeline.geoadd(seenKey, longitude, latitude, driverId);
      if (available && !isRobot) pipeline.geoadd(mapKey, longitude, latitude, driverId);
      else pipeline.zrem(mapKey, driverId); // Redis may have been unreachable when the driver became unavailable
      const results = await pipeline.exec();
      for (const [error] of results ?? []) if (error) throw error;
    },

    async removeFromMap(driverId) {
      await redis.zrem(mapKey, driverId);
    },

    async find(driverId) {
      return readPosition(await redis.get(positionKey(driverId)));
    },

    async findAll(driverIds) {
      if (driverIds.length === 0) return new Map();
      const values = await valuesOf(driverIds);
      return new Map(
        driverIds.flatMap((driverId, i): [string, Position][] => {
          const position = readPosition(values[i]);
          return position ? [[driverId, position]] : [];
        }),
      );
    },

    async nearest(place, radiusKm, most) {
      const nobody = { drivers: [], completeToMetres: Number.POSITIVE_INFINITY };
      if (Math.abs(place.latitude) > MAX_DRIVER_LATITUDE) return nobody; // Redis rejects such coordinates
      const found = (await redis.geosearch(
        mapKey,
        'FROMLONLAT',
        place.longitude,
        place.latitude,
        'BYRADIUS',
        radiusKm,
        'km',
        'ASC',
        'COUNT',
        most,
        'WITHDIST',
      )) as [string, string][];
      if (found.length === 0) return nobody;
      const positions = await valuesOf(found.map(([driverId]) => driverId));
      const stale = found.filter((_, i) => !positions[i]).map(([driverId]) => driverId);
      if (stale.length > 0) await redis.zrem(mapKey, ...stale);
      const near = found.map(([driverId, km]) => ({ driverId, metres: Math.round(Number(km) * 1000) }));
      return {
        drivers: near.filter((_, i) => positions[i]),
        completeToMetres: found.length < most ? Number.POSITIVE_INFINITY : (near.at(-1)?.metres ?? 0),
      };
    },

    /** Two round trips, whatever the number. */
    async seen(area, most) {
      const south = Math.max(area.south, -MAX_DRIVER_LATITUDE);
      const north = Math.min(area.north, MAX_DRIVER_LATITUDE);
      if (south >= north) return { drivers: [], isComplete: true };
      const nearestToEquator = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
      const widestDegree = METRES_PER_DEGREE * Math.cos((nearestToEquator * Math.PI) / 180);
      const found = (await redis.geosearch(
        seenKey,
        'FROMLONLAT',
        (area.west + area.east) / 2,
        (south + north) / 2,
        'BYBOX',
        Math.min((area.east - area.west) * widestDegree * 1.01, AROUND_EARTH_METRES),
        Math.min((north - south) * METRES_PER_DEGREE * 1.01, POLE_TO_POLE_METRES),
        'm',
        'ASC',
        'COUNT',
        most,
      )) as string[];
      if (found.length === 0) return { drivers: [], isComplete: true };
      const values = await valuesOf(found);
      const stale = found.filter((_, i) => !values[i]);
      if (stale.length > 0) await redis.zrem(seenKey, ...stale);
      const drivers = found.flatMap((driverId, i) => {
        const position = readPosition(values[i]);
        return position ? [{ driverId, ...position, available: isAvailable(values[i]) }] : [];
      });
      return { drivers, isComplete: found.length < most };
    },
  };
}

function readPosition(value: string | null | undefined): Position | null {
  if (!value) return null;
  const [latitude, longitude, at] = JSON.parse(value) as [number, number, number];
  return { latitude, longitude, at: new Date(at) };
}

/** A process of the previous version stores three values: the driver counts as available. */
const isAvailable = (value: string | null | undefined): boolean => (JSON.parse(value ?? '[]') as number[])[3] !== 0;
