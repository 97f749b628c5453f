import type { AssignmentPreview, BoardRefusal, ConsoleShipment, MapPoint } from '@navette/contract';
import { shownDistanceKm } from '../../geography/distance-km.ts';
import { isOnTime, type PromisedTime, promisedUntil, transition } from '../shipments/index.ts';

export interface DriverToAssign {
  id: string;
  available: boolean;
  isDisabled: boolean;
  /** Parcels under way. */
  runs: number;
  position: MapPoint | null;
}

export interface ShipmentToAssign extends PromisedTime {
  shipment: ConsoleShipment;
  pickup: MapPoint | null;
  /** The driver refused an offer of it, gave it back, or it was taken from the driver. */
  refusedBefore: boolean;
}

export interface PlanSettings {
  radiiKm: readonly number[];
  runsPerDriver: number;
  nearlyLateMinutes: number;
  timeZone: string;
}

const MINUTE_MS = 60_000;

/**
 * Pure: each row as the assignment would treat it, in the order of the request. A driver takes parcels up to the limit;
 * the rows after that are refused. A parcel that changes hands counts like a new one.
 */
export function planAssignments(
  driver: DriverToAssign,
  rows: { shipmentId: string; found: ShipmentToAssign | undefined }[],
  settings: PlanSettings,
  now: Date,
): AssignmentPreview[] {
  let runs = driver.runs;
  return rows.map(({ shipmentId, found }) => {
    if (!found) return { shipmentId, ...refused('unknown'), shipment: null, distanceKm: null, warnings: [] };
    const { shipment } = found;
    const facts = { shipmentId, shipment, distanceKm: shownDistanceKm(driver.position, found.pickup) };
    const refusal = refusalOf(driver, shipment, runs, settings.runsPerDriver);
    if (refusal) return { ...facts, ...refused(refusal), warnings: [] };
    runs += 1;
    const will = shipment.status === 'assigned' ? 'reassign' : 'assign';
    return { ...facts, will, refusal: null, warnings: warningsOf(driver, found, facts.distanceKm, settings, now) };
  });
}

const refused = (refusal: BoardRefusal) => ({ will: 'refuse' as const, refusal });

function refusalOf(
  driver: DriverToAssign,
  { status, driver: current }: ConsoleShipment,
  runs: number,
  runsPerDriver: number,
): BoardRefusal | null {
  if (driver.isDisabled) return 'driver_disabled';
  if (!transition(status, 'assign', 'http')) return 'status';
  if (status === 'assigned' && current?.id === driver.id) return 'same_driver';
  return runs >= runsPerDriver ? 'run_limit' : null;
}

function warningsOf(
  driver: DriverToAssign,
  found: ShipmentToAssign,
  km: number | null,
  { radiiKm, nearlyLateMinutes, timeZone }: PlanSettings,
  now: Date,
): AssignmentPreview['warnings'] {
  const isLate = !isOnTime(found, now, timeZone);
  const nearlyFrom = promisedUntil(found, timeZone).getTime() - nearlyLateMinutes * MINUTE_MS;
  const applies = {
    far: km !== null && km > Math.max(...radiiKm),
    refused_before: found.refusedBefore,
    position_unknown: driver.position === null,
    offline: !driver.available,
    late: isLate,
    nearly_late: !isLate && found.slotStartsAt !== null && now.getTime() >= nearlyFrom,
    programmed: found.shipment.status === 'programmed',
  };
  return (Object.keys(applies) as (keyof typeof applies)[]).filter((warning) => applies[warning]);
}
