/** The clock of a test twin. That of a live account is never ahead, which a constraint of the table enforces. */
export interface TwinClock {
  aheadMs: number;
  /** While a call moves the clock: the instant at which it stands. */
  heldAt: Date | null;
}

export const REAL_CLOCK: TwinClock = { aheadMs: 0, heldAt: null };

/** A clock that stands for longer runs again: the process that moved it has died. */
const LONGEST_HOLD_MS = 60_000;

/** The account's time. It differs from the real one in test twins only. */
export function accountTime({ aheadMs, heldAt }: TwinClock, real: Date): Date {
  const running = real.getTime() + aheadMs;
  const isHeld = heldAt !== null && running < heldAt.getTime() + LONGEST_HOLD_MS;
  return isHeld ? heldAt : new Date(running);
}

/** How far the account's time is ahead of the real one. Jobs are due in real time. */
export const aheadOf = (clock: TwinClock, real: Date): number => accountTime(clock, real).getTime() - real.getTime();

/** The real time at which the account's clock will show this instant. */
export const realTimeOf = (instant: Date, aheadMs: number): Date => new Date(instant.getTime() - aheadMs);
