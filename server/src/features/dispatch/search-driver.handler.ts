import type { Shipment } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Redis } from 'ioredis';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { SearchStep } from '../../jobs/definitions.ts';
import { type NearDriver, nearestDrivers } from '../drivers/index.ts';
import type { Locator } from '../geocoding/index.ts';
import { locateShipment } from '../shipments/index.ts';
import { takeStep } from './take-step.ts';

export interface Searching {
  db: Database;
  redis: Redis;
  jobs: JobSender;
  locator: Locator;
  config: Pick<Config, 'dispatch' | 'redisPrefix' | 'timeZone'>;
  log: FastifyBaseLogger;
}

/**
 * One step of a search. What lies outside PostgreSQL is asked first: where the addresses are, and who is near. Then one
 * transaction looks at shipment and search as they are now, decides, and sets the next timer; run twice, or late, it
 * finds the step done and leaves it. A search lives in PostgreSQL alone, so that no process and no Redis can lose it.
 */
export async function searchDriver(searching: Searching, wanted: SearchStep, now: Date): Promise<void> {
  const { db, locator, jobs, config } = searching;
  const { accountId, shipmentId } = wanted;
  let { status, place } = await look(db, accountId, shipmentId);
  let geocoderAway = false;
  if (status === 'created' && !place) {
    geocoderAway = !(await isAnswered(locateShipment(db, locator, accountId, shipmentId), searching.log));
    ({ status, place } = await look(db, accountId, shipmentId));
  }
  const near = status === 'created' && place ? await lookAround(searching, place) : null;
  await db.transaction().execute((tx) => takeStep(tx, { jobs, config }, wanted, { place, geocoderAway, near }, now));
}

/** A geocoder that is away for a day must not use up the job's attempts: the search waits for it. */
async function isAnswered(work: Promise<void>, log: FastifyBaseLogger): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    log.warn({ err: error }, 'a shipment cannot be located: its search waits');
    return false;
  }
}

interface Place {
  latitude: number;
  longitude: number;
}

/** Where the parcel is; null as long as one of the two addresses is nowhere on the map. */
async function look(db: Database, accountId: string, shipmentId: string) {
  const row = await db
    .selectFrom('shipments')
    .select(['status', 'pickup_address', 'delivery_address'])
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  const { location } = row.pickup_address as unknown as Shipment['pickupAddress'];
  const { coordinates } = row.delivery_address as unknown as Shipment['deliveryAddress'];
  const [longitude, latitude] = location?.coordinates ?? [];
  const located = latitude !== undefined && longitude !== undefined && coordinates !== null;
  return { status: row.status, place: located ? { latitude, longitude } : null };
}

/** Null when Redis does not answer: then nobody knows who is near, which is not the same as nobody being near. */
async function lookAround({ redis, config, log }: Searching, place: Place): Promise<NearDriver[] | null> {
  try {
    return await nearestDrivers(redis, config.redisPrefix, place, Math.max(...config.dispatch.radiiKm));
  } catch (error) {
    log.warn({ err: error }, 'driver positions cannot be read: searches wait');
    return null;
  }
}
