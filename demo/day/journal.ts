import type { ShipmentStatus } from '@navette/contract';
import type { PlannedShipment } from './plan.ts';

export type Channel = 'http' | 'realtime';

/** An action on a shipment that the service accepted. */
export interface Act {
  status: ShipmentStatus;
  channel: Channel;
  driverId: string | null;
  /** False when a response was lost and the retry was refused: the action may have happened. */
  isCertain: boolean;
}

/** One shipment with all actions on it, as the clients recorded them. */
export interface TrackedShipment {
  plan: PlannedShipment;
  id: string;
  referenceNumber: string;
  price: number;
  acts: Act[];
  /** Id of the driver who has it now, as far as the clients know. */
  holder: string | null;
  /** Its incident has happened: from now on it is delivered normally. */
  isFateDone: boolean;
  /** The operator is changing it: drivers do nothing with it. */
  isWithOperator: boolean;
  refusals: number;
  /** When the merchant's cancellation was refused as too late. */
  cancelRefusedAt: Date | null;
  /** Offers with this expiry are ignored. */
  ignoredUntil: string | null;
  /** Six digits, as the recipient's page shows them. */
  code: string | null;
  /** Since when a driver waits for the delivery code, or for the QR code at the pickup. */
  waitingSince: number | null;
}

/** Everything that the clients did, recorded by them. Nothing in it comes from the database. */
export interface Journal {
  trackedShipments: Map<string, TrackedShipment>;
  problems: string[];
  open(
    plan: PlannedShipment,
    created: { _id: string; referenceNumber: string; price: number; status: ShipmentStatus },
  ): TrackedShipment;
  /** Now, or as soon as the response to its creation has arrived: others may know the shipment earlier. */
  onceOpen(id: string, use: (tracked: TrackedShipment) => void): void;
  note(tracked: TrackedShipment, act: Omit<Act, 'isCertain'> & { isCertain?: boolean }): void;
  report(tracked: TrackedShipment | null, what: string): void;
  isOver(tracked: TrackedShipment): boolean;
  unfinished(): TrackedShipment[];
  count(status: ShipmentStatus): number;
}

const isEnd = ({ status }: Pick<Act, 'status'>) => status === 'delivered' || status === 'cancelled';

/** The end, if it has one: the response to an earlier act may have arrived after it. */
const latest = (acts: Act[]) => acts.findLast((act) => act.isCertain && isEnd(act)) ?? acts.at(-1);

export function createJournal(): Journal {
  const trackedShipments = new Map<string, TrackedShipment>();
  const problems: string[] = [];
  const unfinished = new Set<TrackedShipment>(); // every driver reads it at every tick
  const early = new Map<string, ((tracked: TrackedShipment) => void)[]>();
  return {
    trackedShipments,
    problems,
    open(plan, { _id: id, referenceNumber, price, status }) {
      const creation: Act = { status, channel: 'http', driverId: null, isCertain: true };
      const tracked: TrackedShipment = {
        ...{ plan, id, referenceNumber, price, acts: [creation], holder: null, code: null },
        ...{
          isFateDone: false,
          isWithOperator: false,
          refusals: 0,
          cancelRefusedAt: null,
          ignoredUntil: null,
          waitingSince: null,
        },
      };
      trackedShipments.set(id, tracked);
      unfinished.add(tracked);
      for (const use of early.get(id) ?? []) use(tracked);
      return tracked;
    },
    onceOpen(id, use) {
      const tracked = trackedShipments.get(id);
      if (tracked) use(tracked);
      else early.set(id, [...(early.get(id) ?? []), use]);
    },
    note(tracked, { isCertain = true, ...act }) {
      tracked.acts.push({ ...act, isCertain });
      if (!isCertain) return;
      tracked.waitingSince = null;
      if (isEnd(act)) unfinished.delete(tracked);
      if (act.status === 'assigned') tracked.holder = act.driverId;
      // A late response must not take the run from the driver who has it by now.
      const isGivenBack = act.status === 'created' && (act.driverId === null || act.driverId === tracked.holder);
      if (isGivenBack || act.status === 'cancelled') tracked.holder = null;
    },
    report(tracked, what) {
      problems.push(tracked ? `${tracked.referenceNumber} (${tracked.plan.fate}): ${what}` : what);
    },
    isOver: (tracked) => !unfinished.has(tracked),
    unfinished: () => [...unfinished],
    count: (status) => {
      let many = 0;
      for (const { acts } of trackedShipments.values()) if (latest(acts)?.status === status) many++;
      return many;
    },
  };
}
