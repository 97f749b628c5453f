import type { Offer } from '@navette/contract';
import { cancel } from './cancel.ts';
import type { Day } from './day.ts';
import type { DriverAtWork } from './driver.ts';
import type { TrackedShipment } from './journal.ts';

const WHIMS = 0.03; // share of offers that drivers refuse at random
const MOST_REFUSALS = 3; // per shipment: drivers who refused get no second offer

/** Accepts or refuses an offer. False when the offer was ignored. */
export async function answerOffer(day: Day, me: DriverAtWork, { shipping, expiresAt }: Offer): Promise<boolean> {
  const { journal, seen, chance } = day;
  const tracked = journal.trackedShipments.get(shipping.id);
  if (!tracked || me.accepted.has(tracked.id)) return false; // the offer arrived before the response to the creation: retried at the next poll
  const offer = `${tracked.id} ${expiresAt}`;
  const isNew = !me.offered.has(offer);
  me.offered.add(offer);
  if (isNew) seen.offers++;
  if (tracked.plan.fate === 'ignored' && isToBeIgnored(tracked, expiresAt)) {
    if (isNew) seen.ignored++;
    return false;
  }
  const isUnwanted = tracked.plan.fate === 'refused' || chance.isLuck(WHIMS);
  if (isUnwanted && tracked.refusals < MOST_REFUSALS) await refuse(day, me, tracked);
  else await accept(day, me, tracked);
  return true;
}

/** The first wave of offers gets no answer. */
function isToBeIgnored(tracked: TrackedShipment, expiresAt: string): boolean {
  tracked.ignoredUntil ??= expiresAt;
  return tracked.ignoredUntil === expiresAt;
}

async function refuse({ journal, seen }: Day, me: DriverAtWork, tracked: TrackedShipment): Promise<void> {
  tracked.refusals++;
  const { status, body } = await me.phone.send('refuseOffer', { id: tracked.id });
  if (status === 200) seen.refused++;
  else if (body.error !== 'OFFER_GONE') journal.report(tracked, `refusing answered ${status} ${body.error}`);
}

async function accept(day: Day, me: DriverAtWork, tracked: TrackedShipment): Promise<void> {
  const { journal, seen } = day;
  const cancelling = tracked.plan.fate === 'cancelled-at-accept' ? cancel(day, tracked) : null;
  const saying = me.phone.send('acceptOffer', { id: tracked.id });
  const [{ status, body, isDoubtful }] = await Promise.all([saying, cancelling]);
  const act = { status: 'assigned', channel: me.phone.channel, driverId: me.id } as const;
  if (status === 200) {
    me.accepted.add(tracked.id);
    seen.accepted++;
    journal.note(tracked, act);
  } else if (body.error === 'OFFER_GONE') {
    seen.tooLate++;
    if (isDoubtful) journal.note(tracked, { ...act, isCertain: false });
  } else if (body.error !== 'TOO_MANY_RUNS') journal.report(tracked, `accepting answered ${status} ${body.error}`);
}
