import type { ShipmentStatus } from '@navette/contract';
import { legalSteps } from '../../../server/src/features/shipments/lifecycle.ts';
import type { Act, TrackedShipment } from '../journal.ts';
import type { RushHour } from '../rush-hour.ts';
import type { ShipmentRead } from './read-every-shipment.ts';

/** A tracked shipment compared with the merchant's document. */
export interface ComparedShipment {
  tracked: TrackedShipment;
  document: ShipmentRead;
  /** Actions on it, by clients or by the service, that the history confirms. */
  acts: Act[];
  /** Uncertain actions for which the history has an entry. */
  maybe: Act[];
  faults: string[];
}

const LEGAL = new Set(legalSteps().map(({ from, to }) => `${from}>${to}`));

interface Strictness {
  /** No process was killed: every response arrived, so the order is known as well. */
  isExact: boolean;
  /** Drivers with automatic acceptance. */
  automatic: ReadonlySet<string>;
}

/** The history is legal, each of its steps has an action, and every action is in it. */
export function compareHistory(
  tracked: TrackedShipment,
  document: ShipmentRead,
  rush: RushHour,
  strictness: Strictness,
): ComparedShipment {
  const history = document.statusHistory.map(({ status }) => status);
  const faults: string[] = [];
  const blame = (what: string) =>
    faults.push(
      `${tracked.referenceNumber} (${tracked.plan.mode}, ${tracked.plan.fate}): ${what}; ${history.join(' > ')}`,
    );

  for (const [i, status] of history.entries()) {
    const before = history[i - 1];
    if (before && !LEGAL.has(`${before}>${status}`)) blame(`${before} > ${status} is not legal`);
  }
  const times = document.statusHistory.map(({ at }) => Date.parse(at));
  if (times.some((at, i) => at < (times[i - 1] ?? 0))) blame('runs backwards');
  if (history.at(-1) !== document.status) blame(`does not end in ${document.status}`);
  if (document.status !== 'delivered' && document.status !== 'cancelled') blame('is not over');

  const left = withoutActivation(document, rush, blame);
  const certain = tracked.acts.filter(({ isCertain }) => isCertain);
  const sequence = left.join(' > ');
  for (const { status } of certain) if (!takeOut(left, status)) blame(`${status} succeeded and is missing`);
  const maybe = tracked.acts.filter(({ isCertain, status }) => !isCertain && takeOut(left, status));
  const acts = [...certain];
  // Automatic dispatch can be so fast, and a cancellation so close, that no driver ever sees the run.
  if (document.status === 'cancelled' && takeOut(left, 'assigned')) {
    acts.push({ status: 'assigned', channel: 'http', driverId: null, isCertain: true });
  }
  for (const status of left) blame(`nobody did: ${status}`);

  const isOrderKnown = strictness.isExact && !tracked.plan.fate.startsWith('cancelled');
  if (isOrderKnown && sequence !== certain.map(({ status }) => status).join(' > '))
    blame('is in another order than done');
  const last = certain.findLast(({ status }) => status === 'delivered');
  const deliverer = typeof document.deliverer === 'object' ? (document.deliverer?._id ?? null) : document.deliverer;
  if (last && last.driverId !== deliverer) blame('was delivered by somebody else');
  if (document.price !== tracked.price) blame('changed its price');
  if (wasRefusedTooEarly(tracked, document)) blame('could not be cancelled, although no driver had it');
  return { tracked, document, acts, maybe, faults };
}

const LEFT: ShipmentStatus[] = ['picked_up', 'in_transit', 'delivered', 'cancelled'];

/** A cancellation whose response was lost is refused when it is repeated after its end. */
const wasRefusedTooEarly = ({ cancelRefusedAt }: TrackedShipment, { statusHistory }: ShipmentRead) =>
  cancelRefusedAt !== null &&
  !statusHistory.some(({ status, at }) => LEFT.includes(status) && new Date(at) <= cancelRefusedAt);

/** Programmed shipments become `created` at their time and never before. */
function withoutActivation(
  { statusHistory }: ShipmentRead,
  rush: RushHour,
  blame: (what: string) => void,
): ShipmentStatus[] {
  const [creation, second, ...rest] = statusHistory;
  if (creation?.status !== 'programmed' || second?.status !== 'created')
    return statusHistory.map(({ status }) => status);
  if (Date.parse(second.at) < rush.at.getTime()) blame(`was activated early, at ${second.at}`);
  return [creation.status, ...rest.map(({ status }) => status)];
}

function takeOut(statuses: ShipmentStatus[], wanted: ShipmentStatus): boolean {
  const at = statuses.indexOf(wanted);
  if (at >= 0) statuses.splice(at, 1);
  return at >= 0;
}
