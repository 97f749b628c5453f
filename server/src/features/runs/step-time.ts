/** Why the time that the phone sent is not used. */
export type UnusedBecause = 'in the future' | 'before the previous step' | 'more than 24 hours old';

export interface StepTime {
  /** When the step happened, as far as is known. */
  at: Date;
  /** Null when the phone's time was used, or none was sent. */
  unusedBecause: UnusedBecause | null;
}

const OLDEST_MS = 24 * 3_600_000; // a shift, with a night in between
const CLOCK_TOLERANCE_MS = 5_000; // two clocks that are set by the network differ by less

/** Decides between the phone's time and the time of arrival. A phone's clock may be wrong, or set wrong on purpose. */
export function timeOfStep(doneAt: Date | null, receivedAt: Date, previousStepAt: Date | null): StepTime {
  if (doneAt === null) return { at: receivedAt, unusedBecause: null };
  const unused = (unusedBecause: UnusedBecause) => ({ at: receivedAt, unusedBecause });
  const ageMs = receivedAt.getTime() - doneAt.getTime();
  if (ageMs < -CLOCK_TOLERANCE_MS) return unused('in the future');
  if (ageMs > OLDEST_MS) return unused('more than 24 hours old');
  if (previousStepAt && doneAt.getTime() < previousStepAt.getTime() - CLOCK_TOLERANCE_MS) {
    return unused('before the previous step');
  }
  return { at: latest(previousStepAt, ageMs < 0 ? receivedAt : doneAt), unusedBecause: null };
}

const latest = (a: Date | null, b: Date) => (a && a > b ? a : b);
