import { setTimeout } from 'node:timers/promises';
import type { DriverShipment, Offer } from '@navette/contract';
import { distanceKm } from '../../server/src/adapters/geocoder/distance-km.ts';
import type { Day } from './day.ts';
import type { DriverPhone } from './driver-phone.ts';
import { answerOffer } from './offers.ts';
import { type Place, strideTowards } from './paris.ts';
import { takeNextStep } from './runs.ts';
import { RUNS_PER_DRIVER } from './stage.ts';

/** One driver at work. */
export interface DriverAtWork {
  id: string;
  name: string;
  phone: DriverPhone;
  autoAccept: boolean;
  /** Offers that were seen before. */
  offered: Set<string>;
  /** Runs that this driver said yes to. */
  accepted: Set<string>;
  /** What the app showed last. */
  runs: DriverShipment[];
  delivered: number;
}

export interface Tempo {
  /** Between two looks out of the window. */
  tickMs: number;
  /** Between two positions: at least a second, more are not kept. */
  pingMs: number;
  /** Between two looks at the app without a push; with one, at the next tick. */
  lookMs: { http: number; realtime: number };
  /** How far one gets in a tick: a day's ways in a minute. */
  strideKm: number;
}

const NEAR_KM = 0.05;

/** Looks, moves, acts, rests; until nothing is left to be delivered. */
export async function work(day: Day, me: DriverAtWork, from: Place, tempo: Tempo): Promise<void> {
  let place = from;
  let [pingedAt, lookedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  me.phone.onPush(() => {
    day.seen.pushes++;
    lookedAt = Number.NEGATIVE_INFINITY; // several at once are one reason to look
  });

  await say('setAvailability', { available: true });
  while (!day.isOver()) {
    if (performance.now() - pingedAt >= tempo.pingMs) await ping();
    if (performance.now() - lookedAt >= tempo.lookMs[me.phone.channel]) await look();
    await goOn();
    await setTimeout(tempo.tickMs);
  }
  await say('setAvailability', { available: false });
  me.phone.hangUp();

  function say(...command: Parameters<DriverPhone['say']>) {
    day.seen.commands++;
    return me.phone.say(...command);
  }

  async function ping(): Promise<void> {
    pingedAt = performance.now();
    day.seen.positions++;
    await me.phone.say('sendPosition', { ...place });
  }

  async function look(): Promise<void> {
    lookedAt = performance.now();
    const { body: offered } = await say('listOffers');
    // One thinks about two at a time: whatever else was on the screen is old by then.
    let room = Math.min(2, RUNS_PER_DRIVER - me.runs.length);
    for (const offer of offered.offers as Offer[]) if (room > 0 && (await answerOffer(day, me, offer))) room--;
    const { body: inHand } = await say('listShipments');
    me.runs = inHand.shippings;
    for (const run of me.runs) noticeDispatch(run);
  }

  /** A run that neither this driver nor the operator asked for came by automatic dispatch. */
  function noticeDispatch({ id, status }: DriverShipment): void {
    const story = day.book.stories.get(id);
    if (!story || me.accepted.has(id) || day.operator.gave(story, me.id)) return;
    me.accepted.add(id);
    if (!me.autoAccept) day.book.complain(story, `${me.name} has it without having been asked`);
    if (status === 'assigned') day.book.note(story, { status: 'assigned', channel: 'http', driverId: me.id });
  }

  /** First everything is fetched, then everything is brought. */
  async function goOn(): Promise<void> {
    const mine = me.runs.filter(({ id }) => {
      const story = day.book.stories.get(id);
      return story?.holder === me.id && !story.isWithOperator && !day.book.isOver(story);
    });
    const fetching = mine.filter(({ status }) => status === 'assigned');
    for (const run of fetching.length > 0 ? fetching : mine) {
      const goal = run.status === 'assigned' ? run.pickup.coordinates : run.delivery.coordinates;
      if (!goal) throw new Error(`${run.referenceNumber} was offered without a place`);
      place = strideTowards(place, goal, tempo.strideKm);
      if (distanceKm(place, goal) > NEAR_KM) return;
      if (await takeNextStep(day, me, run)) return; // else somebody is waited for here, and the next run is looked at
    }
  }
}
