import type { Offer } from '@navette/contract';
import type { Story } from './book.ts';
import { cancel } from './cancel.ts';
import type { Day } from './day.ts';
import type { DriverAtWork } from './driver.ts';

const WHIMS = 0.03; // offers that a driver just does not fancy
const MOST_REFUSALS = 3; // of one shipment: who refused is not asked again

/** What a driver makes of an offer: yes, mostly. False when it was left alone. */
export async function answerOffer(day: Day, me: DriverAtWork, { shipping, expiresAt }: Offer): Promise<boolean> {
  const { book, seen, chance } = day;
  const story = book.stories.get(shipping.id);
  if (!story || me.accepted.has(story.id)) return false; // faster than the answer to its creation: next time
  const offer = `${story.id} ${expiresAt}`;
  const isNew = !me.offered.has(offer);
  me.offered.add(offer);
  if (isNew) seen.offers++;
  if (story.plan.fate === 'ignored' && isToBeIgnored(story, expiresAt)) {
    if (isNew) seen.ignored++;
    return false;
  }
  const isUnwanted = story.plan.fate === 'refused' || chance.isLuck(WHIMS);
  if (isUnwanted && story.refusals < MOST_REFUSALS) await refuse(day, me, story);
  else await accept(day, me, story);
  return true;
}

/** The first drivers asked do not answer at all. */
function isToBeIgnored(story: Story, expiresAt: string): boolean {
  story.ignoredUntil ??= expiresAt;
  return story.ignoredUntil === expiresAt;
}

async function refuse({ book, seen }: Day, me: DriverAtWork, story: Story): Promise<void> {
  story.refusals++;
  const { status, body } = await me.phone.say('refuseOffer', { id: story.id });
  if (status === 200) seen.refused++;
  else if (body.error !== 'OFFER_GONE') book.complain(story, `refusing answered ${status} ${body.error}`);
}

async function accept(day: Day, me: DriverAtWork, story: Story): Promise<void> {
  const { book, seen } = day;
  const cancelling = story.plan.fate === 'cancelled-at-accept' ? cancel(day, story) : null;
  const saying = me.phone.say('acceptOffer', { id: story.id });
  const [{ status, body, isDoubtful }] = await Promise.all([saying, cancelling]);
  const act = { status: 'assigned', channel: me.phone.channel, driverId: me.id } as const;
  if (status === 200) {
    me.accepted.add(story.id);
    seen.accepted++;
    book.note(story, act);
  } else if (body.error === 'OFFER_GONE') {
    seen.tooLate++;
    if (isDoubtful) book.note(story, { ...act, isCertain: false });
  } else if (body.error !== 'TOO_MANY_RUNS') book.complain(story, `accepting answered ${status} ${body.error}`);
}
