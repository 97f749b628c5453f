import { zoneOf } from '../../geography/zone-of.ts';
import { isOnTime } from '../shipments/index.ts';
import { bucketOf } from './histogram.ts';
import type { Fact, Figures } from './tally.ts';

interface HistoryStep {
  status: string;
  at: string;
}

/** A shipment that was delivered, returned or cancelled, as far as figures need it. */
export interface EndedRun {
  accountId: string;
  driverId: string | null;
  postalCode: string | null;
  priceCents: number;
  payCents: number;
  createdAt: Date;
  activateAt: Date | null;
  slotStartsAt: Date | null;
  estimatedDeliveryAt: Date | null;
  deliveredAt: Date | null;
  cancelledAt: Date | null;
  returnedAt: Date | null;
  history: HistoryStep[];
}

export interface EndedIncident {
  accountId: string;
  driverId: string;
  postalCode: string | null;
  kind: string;
  happenedAt: Date;
}

/** The fact of a run, at the time of its end: of the delivery by the phone's clock, also when that arrived late. */
export function factOfRun(run: EndedRun, timeZone: string): Fact | null {
  const { accountId, driverId, postalCode, deliveredAt, cancelledAt, returnedAt } = run;
  const at = deliveredAt ?? cancelledAt ?? returnedAt;
  if (!at) return null;
  return { at, accountId, driverId, zone: zoneOf(postalCode), figures: figuresOfRun(run, timeZone) };
}

export const factOfIncident = ({ accountId, driverId, postalCode, kind, happenedAt }: EndedIncident): Fact => ({
  at: happenedAt,
  ...{ accountId, driverId, zone: zoneOf(postalCode), figures: { incidents: { [kind]: 1 } } },
});

/** A cancelled run was refunded. A returned one was charged, and its driver is not paid. */
function figuresOfRun(run: EndedRun, timeZone: string): Partial<Figures> {
  const { deliveredAt, cancelledAt, priceCents, payCents } = run;
  if (!deliveredAt) return cancelledAt ? { cancelled: 1 } : { returned: 1, chargedCents: priceCents };
  const { wait, door } = timesOfRun(run, deliveredAt);
  return {
    delivered: 1,
    onTime: isOnTime(run, deliveredAt, timeZone) ? 1 : 0,
    chargedCents: priceCents,
    payCents,
    wait: { [bucketOf(wait)]: 1 },
    door: { [bucketOf(door)]: 1 },
  };
}

/**
 * Seconds from the moment at which a run first needed a driver, until it had the one who kept it and until the door. A
 * run that a driver gave back waits on. One that was assigned ahead of its activation did not wait.
 */
export function timesOfRun({ history, activateAt, createdAt }: EndedRun, deliveredAt: Date) {
  const steps = history.map(({ status, at }) => ({ status, at: Date.parse(at) }));
  const needed = steps.find(({ status }) => status === 'created');
  const lastSearch = steps.findLastIndex(({ status }) => status === 'created');
  const found = steps.slice(lastSearch + 1).find(({ status }) => status === 'assigned');
  const since = needed?.at ?? (activateAt ?? createdAt).getTime();
  const seconds = (until: number) => Math.max(0, (until - since) / 1_000);
  return { wait: found ? seconds(found.at) : 0, door: seconds(deliveredAt.getTime()) };
}
