import { MAX_DRIVER_LATITUDE } from '@navette/contract';
import type { Redis } from 'ioredis';

/** A driver's last position. Stored in Redis only: it is outdated within minutes, and the next ping replaces it. */
export interface Position {
  latitude: number;
  longitude: number;
  at: Date;
}

const POSITION_TTL_SECONDS = 120; // the app of an available driver pings at least once a minute

/** The map, which searches read, holds available drivers only. The last position is stored for every driver. */
const mapKey = (prefix: string) => `${prefix}drivers:map`;
const positionKey = (prefix: string, driverId: string) => `${prefix}drivers:position:${driverId}`;

/** One round trip to Redis. */
export async function savePosition(
  redis: Redis,
  prefix: string,
  driver: { driverId: string; available: boolean },
  { latitude, longitude, at }: Position,
): Promise<void> {
  const { driverId, available } = driver;
  const pipeline = redis.pipeline();
  const value = JSON.stringify([latitude, longitude, at.getTime()]);
  pipeline.set(positionKey(prefix, driverId), value, 'EX', POSITION_TTL_SECONDS);
  if (available) pipeline.geoadd(mapKey(prefix), longitude, latitude, driverId);
  else pipeline.zrem(mapKey(prefix), driverId); // Redis may have been unreachable when the driver became unavailable
  const results = await pipeline.exec();
  for (const [error] of results ?? []) if (error) throw error;
}

/** The last position; null when it is older than two minutes. */
export async function livePosition(redis: Redis, prefix: string, driverId: string): Promise<Position | null> {
  return readPosition(await redis.get(positionKey(prefix, driverId)));
}

/** The last positions of these drivers, without those that are older than two minutes. One round trip to Redis. */
export async function livePositions(redis: Redis, prefix: string, driverIds: string[]): Promise<Map<string, Position>> {
  if (driverIds.length === 0) return new Map();
  const values = await redis.mget(driverIds.map((driverId) => positionKey(prefix, driverId)));
  return new Map(
    driverIds.flatMap((driverId, i): [string, Position][] => {
      const position = readPosition(values[i]);
      return position ? [[driverId, position]] : [];
    }),
  );
}

function readPosition(value: string | null | undefined): Position | null {
  if (!value) return null;
  const [latitude, longitude, at] = JSON.parse(value) as [number, number, number];
  return { latitude, longitude, at: new Date(at) };
}

export async function removeFromMap(redis: Redis, prefix: string, driverId: string): Promise<void> {
  await redis.zrem(mapKey(prefix), driverId);
}

export interface NearDriver {
  driverId: string;
  metres: number;
}

export interface Nearby {
  /** Nearest first. */
  drivers: NearDriver[];
  /** The list is complete up to this distance. */
  completeToMetres: number;
}

/** The nearest drivers on the map within the radius. Removes drivers without a recent position from the map. */
export async function nearestDrivers(
  redis: Redis,
  prefix: string,
  place: { latitude: number; longitude: number },
  radiusKm: number,
  most: number,
): Promise<Nearby> {
  const nobody = { drivers: [], completeToMetres: Number.POSITIVE_INFINITY };
  if (Math.abs(place.latitude) > MAX_DRIVER_LATITUDE) return nobody; // Redis rejects such coordinates
  const found = (await redis.geosearch(
    mapKey(prefix),
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
  const positions = await redis.mget(found.map(([driverId]) => positionKey(prefix, driverId)));
  const stale = found.filter((_, i) => !positions[i]).map(([driverId]) => driverId);
  if (stale.length > 0) await redis.zrem(mapKey(prefix), ...stale);
  const near = found.map(([driverId, km]) => ({ driverId, metres: Math.round(Number(km) * 1000) }));
  return {
    drivers: near.filter((_, i) => positions[i]),
    completeToMetres: found.length < most ? Number.POSITIVE_INFINITY : (near.at(-1)?.metres ?? 0),
  };
}
