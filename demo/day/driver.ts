import { setTimeout } from 'node:timers/promises';
import type { DriverShipment, Offer } from '@navette/contract';
import { distanceKm } from '../../server/src/geography/distance-km.ts';
import type { Day } from './day.ts';
import type { DriverPhone } from './driver-phone.ts';
import { RUNS_PER_DRIVER } from './installation.ts';
import { answerOffer } from './offers.ts';
import { type Place, strideTowards } from './paris.ts';
import { takeNextStep } from './runs.ts';

/** One driver at work. */
export interface DriverAtWork {
  id: string;
  name: string;
  phone: DriverPhone;
  autoAccept: boolean;
  /** Offers that were seen before. */
  offered: Set<string>;
  /** Runs that this driver accepted. */
  accepted: Set<string>;
  /** The runs of the last response. */
  runs: DriverShipment[];
  delivered: number;
}

export interface Tempo {
  /** Between two steps of the loop. */
  tickMs: number;
  /** Between two positions: at least a second, since the server keeps no more. */
  pingMs: number;
  /** Between two polls without a push; after a push, the next tick polls. */
  lookMs: { http: number; realtime: number };
  /** Distance per tick: the distances of a day in a minute. */
  strideKm: number;
}

const NEAR_KM = 0.05;

/** Polls, moves and acts in a loop until nothing is left to deliver. */
export async function work(day: Day, me: DriverAtWork, from: Place, tempo: Tempo): Promise<void> {
  let place = from;
  let [pingedAt, lookedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  me.phone.onPush(() => {
    day.seen.pushes++;
    lookedAt = Number.NEGATIVE_INFINITY; // several pushes cause one poll
  });

  try {
    await send('setAvailability', { available: true });
    while (!day.isOver()) {
      if (performance.now() - pingedAt >= tempo.pingMs) await ping();
      if (performance.now() - lookedAt >= tempo.lookMs[me.phone.channel]) await look();
      await goOn();
      await setTimeout(tempo.tickMs);
    }
    await send('setAvailability', { available: false });
  } finally {
    me.phone.hangUp(); // also after the deadline: an open socket would keep the process running
  }

  function send(...command: Parameters<DriverPhone['send']>) {
    day.seen.commands++;
    return me.phone.send(...command);
  }

  async function ping(): Promise<void> {
    pingedAt = performance.now();
    day.seen.positions++;
    await me.phone.send('sendPosition', { ...place });
  }

  async function look(): Promise<void> {
    lookedAt = performance.now();
    const { body: offered } = await send('listOffers');
    // At most two offers per poll: the others may be outdated after that.
    let capacity = Math.min(2, RUNS_PER_DRIVER - me.runs.length);
    for (const offer of offered.offers as Offer[]) if (capacity > 0 && (await answerOffer(day, me, offer))) capacity--;
    const { body: inHand } = await send('listShipments');
    me.runs = inHand.shippings;
    for (const run of me.runs) noticeDispatch(run);
  }

  /** A run that was neither accepted by this driver nor assigned by the operator came from automatic dispatch. */
  function noticeDispatch({ id, status }: DriverShipment): void {
    const tracked = day.journal.trackedShipments.get(id);
    if (!tracked || me.accepted.has(id) || day.operatorRecords.hasAssigned(id, me.id)) return;
    me.accepted.add(id);
    if (!me.autoAccept) day.journal.report(tracked, `${me.name} has it without having accepted it`);
    if (status === 'assigned') day.journal.note(tracked, { status: 'assigned', channel: 'http', driverId: me.id });
  }

  /** Picks up all assigned runs first, then delivers. */
  async function goOn(): Promise<void> {
    const mine = me.runs.filter(({ id }) => {
      const tracked = day.journal.trackedShipments.get(id);
      return tracked?.holder === me.id && !tracked.isWithOperator && !day.journal.isOver(tracked);
    });
    const fetching = mine.filter(({ status }) => status === 'assigned');
    for (const run of fetching.length > 0 ? fetching : mine) {
      const goal = run.status === 'assigned' ? run.pickup.coordinates : run.delivery.coordinates;
      if (!goal) throw new Error(`${run.referenceNumber} was offered without a place`);
      place = strideTowards(place, goal, tempo.strideKm);
      if (distanceKm(place, goal) > NEAR_KM) return;
      if (await takeNextStep(day, me, run)) return; // otherwise a message is awaited here, and the next run is tried
    }
  }
}
