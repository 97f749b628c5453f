/** The difference between the server's clock and the phone's. */
export interface ClockSkew {
  /** Server minus phone, ms. */
  offsetMs: number;
  /** Round trip of the request that measured it, ms. */
  roundTripMs: number;
  /** Phone's clock, ms. */
  measuredAt: number;
}

const WRONG_FROM_MS = 2 * 60_000; // the operator's deadlines are in minutes; smaller differences are corrected silently
const HALF_SECOND_MS = 500; // the Date header has no fraction of a second: on average half a second is cut off
const OLD_AFTER_MS = 10 * 60_000;

/** From the Date header of a response. Null when the header is missing, as in a response of a cache. */
export function measureSkew(dateHeader: string | null, sentAt: number, receivedAt: number): ClockSkew | null {
  const serverMs = dateHeader === null ? Number.NaN : Date.parse(dateHeader);
  if (Number.isNaN(serverMs) || receivedAt < sentAt) return null;
  const middle = (sentAt + receivedAt) / 2;
  return {
    offsetMs: Math.round(serverMs + HALF_SECOND_MS - middle),
    roundTripMs: receivedAt - sentAt,
    measuredAt: receivedAt,
  };
}

/** Keeps the more exact measurement. An old one gives way: the phone's clock may have been set meanwhile. */
export function betterSkew(known: ClockSkew | null, measured: ClockSkew): ClockSkew {
  if (known === null || measured.roundTripMs <= known.roundTripMs) return measured;
  const age = measured.measuredAt - known.measuredAt;
  const hasJumped = Math.abs(measured.offsetMs - known.offsetMs) > measured.roundTripMs + 2 * HALF_SECOND_MS;
  return age < 0 || age > OLD_AFTER_MS || hasJumped ? measured : known;
}

/** The server's time for a time of the phone. */
export const toServerTime = (phoneMs: number, skew: ClockSkew | null): Date =>
  new Date(phoneMs + (skew?.offsetMs ?? 0));

/** Minutes by which the phone is ahead (positive) or behind (negative); null when the clock is good enough. */
export function wrongByMinutes(skew: ClockSkew | null): number | null {
  if (skew === null || Math.abs(skew.offsetMs) <= WRONG_FROM_MS) return null;
  return Math.round(-skew.offsetMs / 60_000);
}
