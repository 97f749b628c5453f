import { describe, expect, test } from 'vitest';
import { betterSkew, measureSkew, toServerTime, wrongByMinutes } from './server-clock.ts';

const SERVER = 'Mon, 16 Nov 2026 10:00:00 GMT';
const at = Date.parse(SERVER);

describe('the phone’s clock', () => {
  test.each([
    [10, 10],
    [-10, -10],
    [1, null],
    [0, null],
  ])('%i minutes ahead is reported as %s', (minutes, reported) => {
    const phone = at + minutes * 60_000;
    expect(wrongByMinutes(measureSkew(SERVER, phone, phone + 200))).toBe(reported);
  });

  test('is corrected to the server’s time, to a second', () => {
    const phone = at + 10 * 60_000;
    const skew = measureSkew(SERVER, phone, phone + 400);
    expect(Math.abs(toServerTime(phone + 60_000, skew).getTime() - (at + 60_000))).toBeLessThan(1_000);
    expect(toServerTime(phone, null).getTime()).toBe(phone);
  });

  test('is not measured without a Date header, or over a jump of the clock', () => {
    expect(measureSkew(null, at, at)).toBeNull();
    expect(measureSkew('yesterday', at, at)).toBeNull();
    expect(measureSkew(SERVER, at, at - 5_000)).toBeNull();
  });

  test('keeps the more exact measurement, until it is old or the clock was set', () => {
    const exact = { offsetMs: 0, roundTripMs: 50, measuredAt: 0 };
    expect(betterSkew(exact, { offsetMs: 400, roundTripMs: 900, measuredAt: 1_000 })).toBe(exact);
    const later = { offsetMs: 400, roundTripMs: 900, measuredAt: 11 * 60_000 };
    expect(betterSkew(exact, later)).toBe(later);
    const jumped = { offsetMs: 600_000, roundTripMs: 900, measuredAt: 1_000 };
    expect(betterSkew(exact, jumped)).toBe(jumped);
    expect(betterSkew(null, exact)).toBe(exact);
  });
});
