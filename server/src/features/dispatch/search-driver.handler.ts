import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { aheadOf, REAL_CLOCK, realTimeOf, type TwinClock } from '../../calendar/twin-clock.ts';
import { coalesce } from '../../concurrency/coalesce.ts';
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts';
import type { Database } from '../../database/database.ts';
import type { DriverNotification, SearchStep, ShipmentPayload } from '../../jobs/definitions.ts';
import { createFailureLog, type FailureLog } from '../../observability/failure-log.ts';
import { currentTrace, currentTraceparent, runInTrace, type Trace } from '../../observability/trace-context.ts';
import { accountMoving } from '../../refusals/refusal.ts';
import { toClock } from '../accounts/index.ts';
import { type DriverPositions, findRobots, type Nearby } from '../drivers/index.ts';
import type { Locator } from '../geocoding/index.ts';
import { locateShipment } from '../shipments/index.ts';
import type { SearchContext } from './assign-nearest.ts';
import type { Step } from './plan-step.ts';
import { type StepOutcome, takeSteps } from './take-steps.ts';

export interface SearchDriverContext extends SearchContext {
  db: Database;
  positions: DriverPositions;
  locator: Locator;
  pushToDrivers: (notification: DriverNotification) => Promise<void>;
  log: FastifyBaseLogger;
}

export interface DriverSearch {
  /**
   * Takes one step of a search. Calls external systems first: the geocoder for the coordinates, Redis for the drivers
   * nearby. Then one transaction reads shipment and search, decides, and sets the next timer. Idempotent: a repeated or
   * late job finds its step done. The state of a search is in PostgreSQL only, so neither a process nor Redis can lose it.
   */
  search: (wanted: SearchStep, real: Date) => Promise<void>;
  /** Like `search`, but does nothing and returns false when the geocoder, which may be slow, has to be asked first. */
  searchLocated: (wanted: SearchStep, real: Date) => Promise<boolean>;
}

/** How many of the nearest drivers are read; more only when these do not fill the wave, and by itself. The last bounds the cost. */
const SEARCH_SIZES = [100, 500, 2_500];
const TOGETHER = { maxBatch: 100, maxRunning: 2 };
const BY_ITSELF = { maxBatch: 1, maxRunning: 4 }; // of a pool of ten connections

/** Steps that are taken at the same time share their statements, and one transaction. */
export function createDriverSearch(context: SearchDriverContext): DriverSearch {
  const { db, locator } = context;
  const readPickup = coalesce(TOGETHER, (wanted: ShipmentPayload[]) => readPickups(db, wanted));
  const report = createFailureLog(context.log);
  const takeTogether = coalesce(TOGETHER, (steps: TracedStep[]) => takeAll(context, steps, report));
  const takeByItself = coalesce(BY_ITSELF, (steps: TracedStep[]) => takeAll(context, steps, report));
  const twins = createKeyedMutex(); // steps at the same time would all find the same free robot

  return {
    async search(wanted, real) {
      let pickup = await readPickup(wanted);
      let geocoderFailed = false;
      if (needsGeocoder(pickup)) {
        const { accountId, shipmentId } = wanted;
        geocoderFailed = !(await hasResponded(locateShipment(db, locator, accountId, shipmentId), context.log));
        pickup = await readPickup(wanted);
      }
      await takeStep(wanted, pickup, geocoderFailed, real);
    },

    async searchLocated(wanted, real) {
      const pickup = await readPickup(wanted);
      if (needsGeocoder(pickup)) return false;
      await takeStep(wanted, pickup, false, real);
      return true;
    },
  };

  async function takeStep(wanted: SearchStep, pickup: Pickup, geocoderFailed: boolean, real: Date): Promise<void> {
    if (pickup.isMoving) throw accountMoving(); // the job is retried, here or in the other cell
    const { accountId, shipmentId } = wanted;
    const release = pickup.isTest ? await twins.acquire(accountId) : null;
    const driverIds = await ask(wanted, pickup, geocoderFailed, real).finally(release);
    if (driverIds.length > 0) await context.pushToDrivers({ accountId, shipmentId, driverIds, push: 'offer' });
  }

  /** Returns the drivers whose offers have to be pushed. */
  async function ask(wanted: SearchStep, pickup: Pickup, geocoderFailed: boolean, real: Date): Promise<string[]> {
    const { status, place, isTest, clock } = pickup;
    const aheadMs = aheadOf(clock, real);
    const now = realTimeOf(real, -aheadMs);
    const traced = { wanted: { ...wanted, traceparent: currentTraceparent() }, trace: currentTrace() };
    for (const most of SEARCH_SIZES) {
      const near = status === 'created' && place ? await findNearby(context, wanted, isTest, place, most) : null;
      const step = { ...traced, now, aheadMs, place, geocoderFailed, isTest, near };
      let outcome: StepOutcome = most === SEARCH_SIZES[0] ? await takeTogether(step) : 'by itself';
      if (outcome === 'by itself') outcome = await takeByItself(step);
      if (typeof outcome !== 'string') return outcome.asked;
    }
    throw new Error('the last size must suffice');
  }
}

interface TracedStep extends Step {
  trace: Trace | undefined;
}

/**
 * A step that is alone has its own trace. If PostgreSQL refuses several together, each is taken by itself: a fault of one must not
 * hold the others up.
 */
async function takeAll(
  { db, jobs, config }: SearchDriverContext,
  steps: TracedStep[],
  report: FailureLog,
): Promise<StepOutcome[]> {
  const take = () => db.transaction().execute((tx) => takeSteps(tx, { jobs, config }, steps));
  const [first, second] = steps;
  if (!second) return first?.trace ? runInTrace(first.trace, take) : take();
  return take().catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) throw error;
    report(error, { steps: steps.length }, 'steps of searches failed together, and are taken one by one');
    return steps.map(() => 'by itself');
  });
}

const needsGeocoder = ({ status, place, isMoving }: Pickup) => status === 'created' && !place && !isMoving;

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
  /** To another cell. */
  isMoving: boolean;
  clock: TwinClock;
}

/** The test twin was emptied since. */
const UNKNOWN: Pickup = { status: null, place: null, isTest: false, isMoving: false, clock: REAL_CLOCK };

interface PickupRow {
  id: string;
  status: string;
  pickup: [longitude: number, latitude: number] | null;
  delivery: Coordinates | null;
  isTest: boolean;
  isMoving: boolean;
  clock_ahead_ms: number;
  clock_held_at: Date | null;
}

async function readPickups(db: Database, wanted: ShipmentPayload[]): Promise<Pickup[]> {
  const keys = wanted.map(({ accountId, shipmentId }) => ({ accountId, shipmentId }));
  const { rows } = await sql<PickupRow>`
    select s.id, s.status, s.pickup_address->'location'->'coordinates' as pickup,
           s.delivery_address->'coordinates' as delivery, a.live_account_id is not null as "isTest",
           a.moved_to is not null as "isMoving", a.clock_ahead_ms, a.clock_held_at
    from json_to_recordset(${JSON.stringify(keys)}) as w ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (w."accountId", w."shipmentId")
    join accounts a on a.id = s.account_id`.execute(db);
  const found = new Map(rows.map((row) => [row.id, toPickup(row)]));
  return wanted.map(({ shipmentId }) => found.get(shipmentId) ?? UNKNOWN);
}

function toPickup({ status, pickup, delivery, isTest, isMoving, ...clock }: PickupRow): Pickup {
  const place = pickup && delivery ? { longitude: pickup[0], latitude: pickup[1] } : null;
  return { status, place, isTest, isMoving, clock: toClock(clock) };
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
