import { MAX_DRIVER_LATITUDE } from '@navette/contract';
import type { Redis } from 'ioredis';

/** Where a driver was last seen. Only in Redis: worthless minutes later, and sent again with the next ping. */
export interface Position {
  latitude: number;
  longitude: number;
  at: Date;
}

const FORGOTTEN_AFTER_SECONDS = 120; // a driver who waits for runs pings at least once a minute

/** The map that searches look at holds available drivers only; the last position is kept for all. */
const mapKey = (prefix: string) => `${prefix}drivers:map`;
const positionKey = (prefix: string, driverId: string) => `${prefix}drivers:position:${driverId}`;

/** One round trip. */
export async function keepPosition(
  redis: Redis,
  prefix: string,
  driver: { driverId: string; available: boolean },
  { latitude, longitude, at }: Position,
): Promise<void> {
  const { driverId, available } = driver;
  const trip = redis.pipeline();
  const value = JSON.stringify([latitude, longitude, at.getTime()]);
  trip.set(positionKey(prefix, driverId), value, 'EX', FORGOTTEN_AFTER_SECONDS);
  if (available) trip.geoadd(mapKey(prefix), longitude, latitude, driverId);
  else trip.zrem(mapKey(prefix), driverId); // Redis may have been away when they took themselves off
  const answers = await trip.exec();
  for (const [error] of answers ?? []) if (error) throw error;
}

/** The last position, or null when there is none of the last two minutes. */
export async function livePosition(redis: Redis, prefix: string, driverId: string): Promise<Position | null> {
  return readPosition(await redis.get(positionKey(prefix, driverId)));
}

function readPosition(value: string | null | undefined): Position | null {
  if (!value) return null;
  const [latitude, longitude, at] = JSON.parse(value) as [number, number, number];
  return { latitude, longitude, at: new Date(at) };
}

export async function takeOffMap(redis: Redis, prefix: string, driverId: string): Promise<void> {
  await redis.zrem(mapKey(prefix), driverId);
}

export interface NearDriver {
  driverId: string;
  metres: number;
}

const MOST_LOOKED_AT = 100;

/** Drivers on the map within the radius, nearest first. Who has not been heard of lately is taken off it. */
export async function nearestDrivers(
  redis: Redis,
  prefix: string,
  place: { latitude: number; longitude: number },
  radiusKm: number,
): Promise<NearDriver[]> {
  if (Math.abs(place.latitude) > MAX_DRIVER_LATITUDE) return []; // Redis would answer that this is no place
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
    MOST_LOOKED_AT,
    'WITHDIST',
  )) as [string, string][];
  if (found.length === 0) return [];
  const positions = await redis.mget(found.map(([driverId]) => positionKey(prefix, driverId)));
  const silent = found.filter((_, i) => !positions[i]).map(([driverId]) => driverId);
  if (silent.length > 0) await redis.zrem(mapKey(prefix), ...silent);
  return found
    .filter((_, i) => positions[i])
    .map(([driverId, km]) => ({ driverId, metres: Math.round(Number(km) * 1000) }));
}
