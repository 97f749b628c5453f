import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeOfStep } from './step-time.ts';

const at = (time: string) => new Date(`2026-11-16T${time}Z`);
const RECEIVED = at('14:09:00');

describe('the time of a step', () => {
  test('is the phone’s when it is plausible, the arrival otherwise, with the reason', () => {
    const assigned = at('14:00:00');
    expect(timeOfStep(at('14:02:00'), RECEIVED, assigned)).toEqual({ at: at('14:02:00'), unusedBecause: null });
    expect(timeOfStep(null, RECEIVED, assigned)).toEqual({ at: RECEIVED, unusedBecause: null });
    expect(timeOfStep(at('14:19:00'), RECEIVED, assigned)).toEqual({ at: RECEIVED, unusedBecause: 'in the future' });
    expect(timeOfStep(at('13:52:00'), RECEIVED, assigned)).toEqual({
      at: RECEIVED,
      unusedBecause: 'before the previous step',
    });
    expect(timeOfStep(new Date('2026-11-15T14:08:59Z'), RECEIVED, null)).toEqual({
      at: RECEIVED,
      unusedBecause: 'more than 24 hours old',
    });
  });

  test('tolerates clocks that differ by a few seconds, without a time in the future or before the previous step', () => {
    expect(timeOfStep(at('14:09:04'), RECEIVED, null)).toEqual({ at: RECEIVED, unusedBecause: null });
    expect(timeOfStep(at('14:04:57'), RECEIVED, at('14:05:00'))).toEqual({ at: at('14:05:00'), unusedBecause: null });
  });

  test('is never in the future, never before the previous step, and at most 24 hours old', () => {
    const minutes = fc.integer({ min: -3_000, max: 3_000 });
    fc.assert(
      fc.property(minutes, fc.option(fc.integer({ min: 0, max: 3_000 })), (done, previous) => {
        const shifted = (value: number) => new Date(RECEIVED.getTime() + value * 60_000);
        const previousAt = previous === null ? null : shifted(-previous);
        const time = timeOfStep(shifted(done), RECEIVED, previousAt);
        expect(time.at.getTime()).toBeLessThanOrEqual(RECEIVED.getTime());
        expect(time.at.getTime()).toBeGreaterThanOrEqual(previousAt?.getTime() ?? 0);
        expect(time.unusedBecause === null).toBe(time.at.getTime() === shifted(done).getTime());
      }),
    );
  });
});
