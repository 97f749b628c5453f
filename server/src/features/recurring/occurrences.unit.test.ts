import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextOccurrences, occurrencesBetween, type Rule } from './occurrences.ts';

const PARIS = 'Europe/Paris';
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const rule = (changes: Partial<Rule> = {}): Rule => ({
  weekdays: [2],
  slotStart: 600,
  startsOn: '2026-01-01',
  endsOn: null,
  ...changes,
});
const between = (changes: Partial<Rule>, from: string, to: string, zone = PARIS) =>
  occurrencesBetween(rule(changes), new Date(from), new Date(to), zone);
const shown = (occurrences: ReturnType<typeof between>) =>
  occurrences.map(({ day, startsAt }) => `${day} ${startsAt.toISOString().slice(11, 16)}`);

describe('the occurrences of a rule', () => {
  test('every Tuesday at 10 stays at 10 local time when the clock changes', () => {
    expect(shown(between({}, '2026-03-20T00:00Z', '2026-04-08T00:00Z'))).toEqual([
      '2026-03-24 09:00',
      '2026-03-31 08:00', // the clock went forward on the 29th
      '2026-04-07 08:00',
    ]);
    expect(shown(between({}, '2026-10-20T00:00Z', '2026-10-28T00:00Z'))).toEqual([
      '2026-10-20 08:00',
      '2026-10-27 09:00',
    ]);
  });

  test('a start that the clock leaves out moves forward with it; one that it shows twice is the first', () => {
    const atHalfPastTwo = { weekdays: EVERY_DAY, slotStart: 150 };
    expect(shown(between(atHalfPastTwo, '2026-03-28T00:00Z', '2026-03-30T12:00Z'))).toEqual([
      '2026-03-28 01:30',
      '2026-03-29 01:30', // 2h30 does not exist: 3h30 in summer time
      '2026-03-30 00:30',
    ]);
    expect(shown(between(atHalfPastTwo, '2026-10-23T12:00Z', '2026-10-26T12:00Z'))).toEqual([
      '2026-10-24 00:30',
      '2026-10-25 00:30', // and not again at 01:30
      '2026-10-26 01:30',
    ]);
  });

  test('a date that the zone left out has none', () => {
    const days = between(
      { weekdays: EVERY_DAY, startsOn: '2011-12-28' },
      '2011-12-28T00:00Z',
      '2012-01-01T00:00Z',
      'Pacific/Apia',
    ).map(({ day }) => day);
    expect(days).toEqual(['2011-12-28', '2011-12-29', '2011-12-31', '2012-01-01']);
  });

  test('lie between start and end date, both included', () => {
    const rule = { weekdays: EVERY_DAY, startsOn: '2026-05-04', endsOn: '2026-05-06' };
    expect(shown(between(rule, '2026-01-01T00:00Z', '2027-01-01T00:00Z'))).toEqual([
      '2026-05-04 08:00',
      '2026-05-05 08:00',
      '2026-05-06 08:00',
    ]);
    expect(nextOccurrences({ ...rule, slotStart: 600 }, new Date('2026-05-06T08:00:00.001Z'), 1, PARIS)).toEqual([]);
  });

  test('adjoining periods share none and leave none out, in any zone', () => {
    const zones = [PARIS, 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/Nuuk', 'UTC'];
    const instant = fc.date({ min: new Date('2024-01-01'), max: new Date('2029-01-01'), noInvalidDate: true });
    const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    const days = fc.array(fc.integer({ min: 0, max: 30 * 86_400_000 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instant, days, weekdays, fc.nat(1439), (zone, from, steps, week, slot) => {
        const any = rule({ weekdays: week, slotStart: slot, startsOn: '2020-01-01' });
        const ends = [from];
        for (const step of steps) ends.push(new Date((ends.at(-1) ?? from).getTime() + step));
        const parts = ends.slice(1).flatMap((end, i) => occurrencesBetween(any, ends[i] ?? from, end, zone));
        expect(parts).toEqual(occurrencesBetween(any, from, ends.at(-1) ?? from, zone));
        expect(new Set(parts.map(({ day }) => day)).size).toBe(parts.length);
      }),
      { numRuns: 60 },
    );
  });
});
