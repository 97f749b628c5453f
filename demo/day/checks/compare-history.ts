import type { ShipmentStatus } from '@navette/contract';
import { legalSteps } from '../../../server/src/features/shipments/lifecycle.ts';
import type { Act, Story } from '../book.ts';
import type { RushHour } from '../rush-hour.ts';
import type { ShipmentRead } from './read-every-shipment.ts';

/** A story beside what the merchant reads of it. */
export interface ComparedStory {
  story: Story;
  document: ShipmentRead;
  /** What was done to it, by the day or by the service itself, as far as the history confirms. */
  acts: Act[];
  /** Of those that nobody knows of for sure: the history has room for so many. */
  maybe: Act[];
  faults: string[];
}

const LEGAL = new Set(legalSteps().map(({ from, to }) => `${from}>${to}`));

interface Strictness {
  /** Nobody was killed: every answer came, so the order is known as well. */
  isExact: boolean;
  /** Drivers who take every run. */
  automatic: ReadonlySet<string>;
}

/** The history is legal, each of its steps was done by somebody, and everything that was done is in it. */
export function compareHistory(
  story: Story,
  document: ShipmentRead,
  rush: RushHour,
  strictness: Strictness,
): ComparedStory {
  const history = document.statusHistory.map(({ status }) => status);
  const faults: string[] = [];
  const blame = (what: string) =>
    faults.push(`${story.referenceNumber} (${story.plan.mode}, ${story.plan.fate}): ${what}; ${history.join(' > ')}`);

  for (const [i, status] of history.entries()) {
    const before = history[i - 1];
    if (before && !LEGAL.has(`${before}>${status}`)) blame(`${before} > ${status} is not legal`);
  }
  const times = document.statusHistory.map(({ at }) => Date.parse(at));
  if (times.some((at, i) => at < (times[i - 1] ?? 0))) blame('runs backwards');
  if (history.at(-1) !== document.status) blame(`does not end in ${document.status}`);
  if (document.status !== 'delivered' && document.status !== 'cancelled') blame('is not over');

  const left = withoutActivation(document, story, rush, blame);
  const certain = story.acts.filter(({ isCertain }) => isCertain);
  const sequence = left.join(' > ');
  for (const { status } of certain)
    if (!takeOut(left, status)) blame(`${status} was answered with a yes and is missing`);
  const maybe = story.acts.filter(({ isCertain, status }) => !isCertain && takeOut(left, status));
  const acts = [...certain];
  // Automatic dispatch can be so fast, and a cancellation so close, that no driver ever sees the run.
  if (document.status === 'cancelled' && takeOut(left, 'assigned')) {
    acts.push({ status: 'assigned', channel: 'http', driverId: null, isCertain: true });
  }
  for (const status of left) blame(`nobody did: ${status}`);

  const isOrderKnown = strictness.isExact && !story.plan.fate.startsWith('cancelled');
  if (isOrderKnown && sequence !== certain.map(({ status }) => status).join(' > '))
    blame('is in another order than done');
  const last = certain.findLast(({ status }) => status === 'delivered');
  const deliverer = typeof document.deliverer === 'object' ? (document.deliverer?._id ?? null) : document.deliverer;
  if (last && last.driverId !== deliverer) blame('was delivered by somebody else');
  if (document.price !== story.price) blame('changed its price');
  return { story, document, acts, maybe, faults };
}

/** What is programmed becomes `created` by itself, at its time and never before; what is for another day does not. */
function withoutActivation(
  { statusHistory }: ShipmentRead,
  { plan: { mode } }: Story,
  rush: RushHour,
  blame: (what: string) => void,
): ShipmentStatus[] {
  const [birth, second, ...rest] = statusHistory;
  if (birth?.status !== 'programmed' || second?.status !== 'created') return statusHistory.map(({ status }) => status);
  if (mode === 'another-day') blame('was activated days early');
  else if (Date.parse(second.at) < rush.at.getTime()) blame(`was activated early, at ${second.at}`);
  return [birth.status, ...rest.map(({ status }) => status)];
}

function takeOut(statuses: ShipmentStatus[], wanted: ShipmentStatus): boolean {
  const at = statuses.indexOf(wanted);
  if (at >= 0) statuses.splice(at, 1);
  return at >= 0;
}
