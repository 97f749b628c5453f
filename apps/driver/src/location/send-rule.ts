import { distanceKm, type Place } from '@navette/contract/driver-stop-order';

export interface Fix extends Place {
  /** Metres. */
  accuracy: number;
  /** Phone's clock, ms. */
  at: number;
}

const MOVING_EVERY_MS = 5_000;
const STANDING_EVERY_MS = 45_000; // the server forgets a position after two minutes
const MOVED_KM = 0.02; // less is the noise of the receiver

/** Every 5 seconds while moving; every 45 seconds while standing, to save battery. */
export function shouldSend(last: { place: Place; at: number } | null, fix: Place, now: number): boolean {
  if (last === null) return true;
  const elapsed = now - last.at;
  if (elapsed < 0 || elapsed >= STANDING_EVERY_MS) return true;
  return elapsed >= MOVING_EVERY_MS && distanceKm(last.place, fix) >= MOVED_KM;
}
