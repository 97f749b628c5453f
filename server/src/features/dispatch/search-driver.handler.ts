import type { FastifyBaseLogger } from 'fastify';
import { aheadOf, REAL_CLOCK, realTimeOf, type TwinClock } from '../../calendar/twin-clock.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { DriverNotification, SearchStep } from '../../jobs/definitions.ts';
import { accountMoving } from '../../refusals/refusal.ts';
import { toClock } from '../accounts/index.ts';
import { type DriverPositions, findRobots, type Nearby } from '../drivers/index.ts';
import type { Locator } from '../geocoding/index.ts';
import type { MessageSettings } from '../messages/index.ts';
import { locateShipment } from '../shipments/index.ts';
import { TooFewCandidates } from './next-wave.ts';
import { takeStep } from './take-step.ts';

export interface SearchDriverContext {
  db: Database;
  positions: DriverPositions;
  jobs: JobSender;
  locator: Locator;
  config: Pick<Config, 'dispatch' | 'driverPay' | 'timeZone'> & MessageSettings;
  pushToDrivers: (notification: DriverNotification) => Promise<void>;
  log: FastifyBaseLogger;
}

/** How many of the nearest drivers are read; more only when these do not fill the wave. The last bounds the cost. */
const SEARCH_SIZES = [100, 500, 2_500];

/**
 * Takes one step of a search. Calls external systems first: the geocoder for the coordinates, Redis for the drivers
 * nearby. Then one transaction reads shipment and search, decides, and sets the next timer. Idempotent: a repeated or late
 * job finds its step done. The state of a search is in PostgreSQL only, so neither a process nor Redis can lose it.
 */
export async function searchDriver(context: SearchDriverContext, wanted: SearchStep, real: Date): Promise<void> {
  const { db, locator } = context;
  const { accountId, shipmentId } = wanted;
  let pickup = await readPickup(db, accountId, shipmentId);
  let geocoderFailed = false;
  if (needsGeocoder(pickup)) {
    geocoderFailed = !(await hasResponded(locateShipment(db, locator, accountId, shipmentId), context.log));
    pickup = await readPickup(db, accountId, shipmentId);
  }
  await step(context, wanted, { ...pickup, geocoderFailed }, real);
}

/** Like `searchDriver`, but does nothing and returns false when the geocoder, which may be slow, has to be asked first. */
export async function searchLocated(context: SearchDriverContext, wanted: SearchStep, real: Date): Promise<boolean> {
  const pickup = await readPickup(context.db, wanted.accountId, wanted.shipmentId);
  if (needsGeocoder(pickup)) return false;
  await step(context, wanted, { ...pickup, geocoderFailed: false }, real);
  return true;
}

const needsGeocoder = ({ status, place }: Pickup) => status === 'created' && !place;

async function step(
  context: SearchDriverContext,
  wanted: SearchStep,
  { status, place, isTest, clock, geocoderFailed }: Pickup & { geocoderFailed: boolean },
  real: Date,
): Promise<void> {
  const { db, jobs, config } = context;
  const aheadMs = aheadOf(clock, real);
  const now = realTimeOf(real, -aheadMs);
  for (const most of SEARCH_SIZES) {
    const near = status === 'created' && place ? await findNearby(context, wanted, isTest, place, most) : null;
    const surroundings = { place, geocoderFailed, near };
    try {
      const driverIds = await db
        .transaction()
        .execute((tx) => takeStep(tx, { jobs, config, aheadMs }, wanted, surroundings, now));
      const { accountId, shipmentId } = wanted;
      if (driverIds.length > 0) await context.pushToDrivers({ accountId, shipmentId, driverIds, push: 'offer' });
      return;
    } catch (error) {
      if (!(error instanceof TooFewCandidates)) throw error;
    }
  }
}

/** An outage of the geocoder must not use up the job's retries: the search waits instead. */
async function hasResponded(work: Promise<void>, log: FastifyBaseLogger): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    log.warn({ err: error }, 'geocoder failed: the search waits');
    return false;
  }
}

interface Coordinates {
  latitude: number;
  longitude: number;
}

interface Pickup {
  status: string | null;
  /** Null while either address has no coordinates. */
  place: Coordinates | null;
  isTest: boolean;
  clock: TwinClock;
}

async function readPickup(db: Database, accountId: string, shipmentId: string): Promise<Pickup> {
  const row = await db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['s.status', 's.pickup_address', 's.delivery_address', 'a.live_account_id', 'a.moved_to'])
    .select(['a.clock_ahead_ms', 'a.clock_held_at'])
    .where('s.account_id', '=', accountId)
    .where('s.id', '=', shipmentId)
    .executeTakeFirst();
  if (!row) return { status: null, place: null, isTest: false, clock: REAL_CLOCK }; // the test twin was emptied since
  if (row.moved_to !== null) throw accountMoving(); // the job is retried, here or in the other cell
  const { location } = row.pickup_address;
  const { coordinates } = row.delivery_address;
  const [longitude, latitude] = location?.coordinates ?? [];
  const located = latitude !== undefined && longitude !== undefined && coordinates !== null;
  const isTest = row.live_account_id !== null;
  return { status: row.status, place: located ? { latitude, longitude } : null, isTest, clock: toClock(row) };
}

/** A twin's robots, or real drivers. Null when Redis does not respond. This differs from an empty list: the drivers nearby are unknown. */
async function findNearby(
  { db, positions, config, log }: SearchDriverContext,
  { accountId, shipmentId }: SearchStep,
  isTest: boolean,
  place: Coordinates,
  most: number,
): Promise<Nearby | null> {
  if (isTest) {
    const robots = await findRobots(db, accountId, shipmentId);
    return { drivers: robots, completeToMetres: Number.POSITIVE_INFINITY };
  }
  try {
    const near = await positions.nearest(place, Math.max(...config.dispatch.radiiKm), most);
    return most === SEARCH_SIZES.at(-1) ? { ...near, completeToMetres: Number.POSITIVE_INFINITY } : near;
  } catch (error) {
    log.warn({ err: error }, 'driver positions cannot be read: the search waits');
    return null;
  }
}
