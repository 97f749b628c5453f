import type { Place } from '@navette/contract/driver-stop-order';
import { distanceKm } from '../../geography/distance-km.ts';
import type { Leg } from './pace.ts';

/** A delivered parcel, as far as learning needs it. */
export interface DeliveredRun {
  driverId: string;
  pickedUpAt: Date;
  deliveredAt: Date;
  pickup: Place | null;
  delivery: Place | null;
  zone: string;
}

interface Step {
  at: number;
  place: Place | null;
  /** Of a delivery. */
  run: DeliveredRun | null;
}

const LONGEST_MS = 2 * 3_600_000;

/**
 * The ways of drivers to their deliveries. Only those that began with the parcel in hand: before, a driver may have waited
 * for work, and the way would seem long.
 */
export function legsOf(runs: readonly DeliveredRun[], hourOf: (at: number) => number): Leg[] {
  return [...Map.groupBy(runs, ({ driverId }) => driverId).values()].flatMap((ofDriver) => {
    const steps = ofDriver
      .flatMap((run): Step[] => [
        { at: run.pickedUpAt.getTime(), place: run.pickup, run: null },
        { at: run.deliveredAt.getTime(), place: run.delivery, run },
      ])
      .sort((a, b) => a.at - b.at);
    return steps.flatMap(({ at, place, run }, i): Leg[] => {
      const before = steps[i - 1];
      if (!run || !before?.place || !place || run.pickedUpAt.getTime() > before.at) return [];
      if (at - before.at > LONGEST_MS) return [];
      const { zone } = run;
      return [
        { zone, hour: hourOf(before.at), km: distanceKm(before.place, place), minutes: (at - before.at) / 60_000 },
      ];
    });
  });
}
