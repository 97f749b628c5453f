import { MAX_WRONG_DELIVERY_CODES, type ShipmentStatus, type TestStep, type TestTarget } from '@navette/contract';

export interface CourierFacts {
  status: ShipmentStatus;
  wrongCodes: number;
  returned: boolean;
}

/** The steps of a robot courier that the driver API accepts in this state; the first one is the way to delivery. */
export function possibleSteps({ status, wrongCodes, returned }: CourierFacts): TestStep[] {
  if (returned) return [];
  const isLocked = wrongCodes >= MAX_WRONG_DELIVERY_CODES;
  switch (status) {
    case 'programmed':
      return ['activate'];
    case 'created':
      return ['accept', 'refuse'];
    case 'assigned':
      return ['pick_up', 'abandon'];
    case 'picked_up':
      return ['depart'];
    case 'in_transit':
      return isLocked ? ['report_incident'] : ['deliver', 'wrong_code', 'report_incident'];
    default:
      return [];
  }
}

const NEXT: Partial<Record<ShipmentStatus, TestStep>> = {
  programmed: 'activate',
  created: 'accept',
  assigned: 'pick_up',
  picked_up: 'depart',
  in_transit: 'deliver',
};
const ORDER: readonly ShipmentStatus[] = ['programmed', 'created', 'assigned', 'picked_up', 'in_transit', 'delivered'];

export const hasReached = (status: ShipmentStatus, target: TestTarget): boolean =>
  ORDER.includes(status) && ORDER.indexOf(status) >= ORDER.indexOf(target);

/** The next step on the way to delivery; null when there is none. */
export function nextStep(facts: CourierFacts): TestStep | null {
  const next = NEXT[facts.status];
  return next !== undefined && possibleSteps(facts).includes(next) ? next : null;
}

interface Point {
  latitude: number;
  longitude: number;
}

const APPROACH_DEGREES = 0.01; // about a kilometre: where a robot starts from
const CITY_KM_PER_HOUR = 20;
const REAL_APPROACH_SECONDS = 300;
const REAL_HANDOVER_SECONDS = 120;

/** How long a robot stays in a status before it does the next step. */
export function secondsIn(
  status: ShipmentStatus,
  km: number,
  { pace, secondsPerStep }: { pace: string; secondsPerStep: number },
): number {
  if (pace === 'fast') return secondsPerStep;
  if (status === 'in_transit') return Math.max(REAL_HANDOVER_SECONDS, (km / CITY_KM_PER_HOUR) * 3_600);
  return status === 'assigned' ? REAL_APPROACH_SECONDS : REAL_HANDOVER_SECONDS;
}

/** Where the robot is, at this share of the time it spends in the status: on its way to the pickup, there, or after it. */
export function positionIn(status: ShipmentStatus, share: number, pickup: Point, delivery: Point): Point {
  const part = Math.min(1, Math.max(0, share));
  if (status === 'in_transit') return between(pickup, delivery, part);
  if (status === 'delivered') return delivery;
  if (status !== 'assigned') return pickup;
  return between({ latitude: pickup.latitude + APPROACH_DEGREES, longitude: pickup.longitude }, pickup, part);
}

const between = (from: Point, to: Point, part: number): Point => ({
  latitude: from.latitude + (to.latitude - from.latitude) * part,
  longitude: from.longitude + (to.longitude - from.longitude) * part,
});
