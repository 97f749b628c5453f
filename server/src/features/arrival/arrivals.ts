import type { Place } from '@navette/contract/driver-stop-order';
import { sql } from 'kysely';
import { localHour } from '../../calendar/local-calendar.ts';
import { aheadOf, REAL_CLOCK, type TwinClock } from '../../calendar/twin-clock.ts';
import { shareResult } from '../../concurrency/share-result.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { zoneOf } from '../../geography/zone-of.ts';
import { ACTIVE_RUN_LITERALS, type DriverPositions } from '../drivers/index.ts';
import { type Arrival, type ArrivalKnowledge, type ExpectedRun, estimateArrivals } from './estimate-arrival.ts';
import { readKnowledge } from './knowledge.ts';

export interface ArrivalsOptions {
  db: Database;
  positions: Pick<DriverPositions, 'findAll'>;
  config: Pick<Config, 'arrival' | 'timeZone'>;
}

/** Arrival estimates of shipments under way. */
export interface Arrivals {
  /** By shipment id, at this real time. Those of drivers without a known place, and of parcels that nobody carries, are missing. */
  ofDrivers(driverIds: readonly string[], now: Date): Promise<Map<string, Arrival>>;
}

const LEARNED_FOR_MS = 10 * 60_000; // it changes once a night
const POSITIONS_TIMEOUT_MS = 300; // a fast page matters more than the estimate
const OLDEST_STEP_MS = 30 * 60_000; // a driver whose phone is silent is somewhere else by then

export function createArrivals({ db, positions, config }: ArrivalsOptions): Arrivals {
  const hourOf = (at: number) => Number(localHour(new Date(at), config.timeZone));
  const readLearned = shareResult(LEARNED_FOR_MS, () => readKnowledge(db));
  return {
    async ofDrivers(driverIds, now) {
      const ids = [...new Set(driverIds)];
      if (ids.length === 0) return new Map();
      const [runs, places, learned] = await Promise.all([
        listAnyRuns(db, ids),
        findPlaces(positions, ids),
        readLearned(),
      ]);
      const knowledge: ArrivalKnowledge = { assumed: config.arrival, ...learned, hourOf };
      const perDriver = Map.groupBy(runs, ({ driverId }) => driverId);
      return new Map(
        [...perDriver].flatMap(([driverId, ofDriver]) => {
          const aheadMs = aheadOf(ofDriver[0]?.clock ?? REAL_CLOCK, now);
          const at = now.getTime() + aheadMs;
          const found = places.get(driverId);
          const start = found ? { ...found, at: found.at + aheadMs } : lastStep(ofDriver, at);
          return [...estimateArrivals(ofDriver, start, knowledge, at)];
        }),
      );
    },
  };
}

async function findPlaces(positions: ArrivalsOptions['positions'], ids: string[]) {
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, POSITIONS_TIMEOUT_MS, null).unref());
  const found = await Promise.race([positions.findAll(ids).catch(() => null), timeout]);
  return new Map(
    [...(found ?? [])].map(([id, { latitude, longitude, at }]) => [
      id,
      { place: { latitude, longitude }, at: at.getTime() },
    ]),
  );
}

/** The last pickup: where a driver without a position was last. */
function lastStep(runs: readonly ActiveRun[], now: number): { place: Place; at: number } | null {
  const steps = runs.flatMap(({ pickup, pickedUpAt }) =>
    pickup && pickedUpAt ? [{ place: pickup, at: pickedUpAt }] : [],
  );
  const last = steps.sort((a, b) => b.at.getTime() - a.at.getTime())[0];
  if (!last || now - last.at.getTime() > OLDEST_STEP_MS) return null;
  return { place: last.place, at: last.at.getTime() };
}

interface ActiveRun extends ExpectedRun {
  driverId: string;
  pickedUpAt: Date | null;
  /** Of the account: robots of a test twin follow its clock, and carry no other account's parcels. */
  clock: TwinClock;
}

interface RunRow {
  id: string;
  driverId: string;
  status: string;
  pickedUpAt: Date | null;
  startsAt: Date | null;
  dueAt: Date | null;
  from: [longitude: number, latitude: number] | null;
  to: Place | null;
  fromPostalCode: string | null;
  toPostalCode: string | null;
  hasIncident: boolean;
  aheadMs: number;
  heldAt: Date | null;
}

/** Runs of any account: a driver carries parcels of several, and each of them takes time. */
async function listAnyRuns(db: Database, driverIds: string[]): Promise<ActiveRun[]> {
  const { rows } = await sql<RunRow>`
    select s.id, s.driver_id as "driverId", s.status, s.picked_up_at as "pickedUpAt", s.slot_starts_at as "startsAt",
      s.estimated_delivery_at as "dueAt", s.pickup_address #> '{location,coordinates}' as "from",
      s.delivery_address -> 'coordinates' as "to", s.pickup_address ->> 'postalCode' as "fromPostalCode",
      s.delivery_address ->> 'postalCode' as "toPostalCode",
      exists (select from incidents i where (i.account_id, i.shipment_id) = (s.account_id, s.id)
        and i.resolved_at is null) as "hasIncident", a.clock_ahead_ms as "aheadMs", a.clock_held_at as "heldAt"
    from shipments s join accounts a on a.id = s.account_id
    where s.driver_id = any(${driverIds}::uuid[]) and s.status in (${sql.join(ACTIVE_RUN_LITERALS)}) and s.returned_at is null`.execute(
    db,
  );
  return rows.map((row) => ({
    id: row.id,
    driverId: row.driverId,
    isPickedUp: row.status !== 'assigned',
    pickedUpAt: row.pickedUpAt,
    pickup: row.from && { longitude: row.from[0], latitude: row.from[1] },
    delivery: row.to,
    pickupZone: zoneOf(row.fromPostalCode),
    zone: zoneOf(row.toPostalCode),
    slot: row.startsAt && row.dueAt ? { from: row.startsAt.getTime(), until: row.dueAt.getTime() } : null,
    hasIncident: row.hasIncident,
    clock: { aheadMs: row.aheadMs, heldAt: row.heldAt },
  }));
}
