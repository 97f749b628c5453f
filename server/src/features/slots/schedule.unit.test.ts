import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isIsoDate } from '../../validation/iso-date.ts';
import { type AccountSlot, resolveSchedule, type Schedule } from './schedule.ts';

const PARIS = 'Europe/Paris';
const NOW = new Date('2026-03-04T09:00:00Z'); // a Wednesday, 10h in Paris
const morning: AccountSlot = { id: 'slot-1', label: 'Matin (9h-12h)', start: 540, end: 720 };
const afternoon: AccountSlot = { id: 'slot-2', label: '14h-16h', start: 840, end: 960 };
const slots = [morning, afternoon];

const resolve = (scheduledDate: string, timeSlot: string, timeZone = PARIS, now = NOW) =>
  resolveSchedule({ scheduledDate, timeSlot }, slots, timeZone, now);

function scheduled(scheduledDate: string, timeSlot: string, timeZone = PARIS, now = NOW): Schedule {
  const outcome = resolve(scheduledDate, timeSlot, timeZone, now);
  if (outcome.kind !== 'scheduled') throw new Error(`${scheduledDate} ${timeSlot} is ${outcome.kind}`);
  return outcome.schedule;
}

describe('the two fields together', () => {
  test('none of them means express', () => {
    expect(resolveSchedule({}, slots, PARIS, NOW)).toEqual({ kind: 'express' });
  });

  test.each([
    [{ scheduledDate: '2026-03-05' }, 'DATE_WITHOUT_SLOT'],
    [{ timeSlot: '14h-16h' }, 'SLOT_WITHOUT_DATE'],
  ])('one alone is refused: %j is %s', (half, slug) => {
    expect(resolveSchedule(half, slots, PARIS, NOW)).toEqual({ kind: 'refused', slug, message: expect.any(String) });
  });

  test('both make a slot with its instants', () => {
    expect(scheduled('2026-03-05', '14:30 - 16:00')).toEqual({
      date: '2026-03-05',
      label: '14h30-16h',
      slotId: null,
      hours: { start: 870, end: 960 },
      weekend: false,
      startsAt: new Date('2026-03-05T13:30:00Z'),
      endsAt: new Date('2026-03-05T15:00:00Z'),
    });
  });
});

describe('which slot is meant', () => {
  test.each([
    ['slot-1', 'slot-1', 'Matin (9h-12h)'],
    ['Matin (9h-12h)', 'slot-1', 'Matin (9h-12h)'],
    ['14h-16h', 'slot-2', '14h-16h'],
    ['14:00-16:00', null, '14h-16h'],
    ['9h-12h', null, '9h-12h'],
  ])('"%s" is slot %s, labelled "%s": id first, then exact label, then free text', (text, slotId, label) => {
    expect(scheduled('2026-03-05', text)).toMatchObject({ slotId, label });
  });

  test.each(['matin (9h-12h)', 'Matin', 'slot-3', ''])('"%s" is none', (text) => {
    expect(resolve('2026-03-05', text)).toMatchObject({ kind: 'refused', slug: 'UNKNOWN_SLOT' });
  });
});

describe('the past', () => {
  test('a slot is past once its start has passed, not before', () => {
    const start = new Date('2026-03-04T13:00:00Z');
    expect(resolve('2026-03-04', '14h-16h', PARIS, start).kind).toBe('scheduled');
    expect(resolve('2026-03-04', '14h-16h', PARIS, new Date(start.getTime() + 1)).kind).toBe('refused');
    expect(resolve('2026-03-03', '14h-16h', PARIS, start)).toMatchObject({ kind: 'refused', slug: 'SLOT_PASSED' });
  });
});

describe('the local date of a timestamp', () => {
  test.each([
    ['2026-03-04', '2026-03-04'],
    ['2026-03-04T22:59:59Z', '2026-03-04'],
    ['2026-03-04T23:00:00Z', '2026-03-05'],
    ['2026-03-04T23:30:00.123Z', '2026-03-05'],
    ['2026-03-04T23:30:00', '2026-03-04'], // no offset: local already
    ['2026-03-04 23:30', '2026-03-04'],
    ['2026-03-04T23:30:00+01:00', '2026-03-04'],
    ['2026-03-04T23:30:00-05:00', '2026-03-05'],
    ['2026-03-06T00:30:00+09:00', '2026-03-05'],
    ['2026-03-06T00:30+0900', '2026-03-05'],
    ['2026-03-06t00:30:00+09', '2026-03-05'],
    ['2026-03-04 23:30:00z', '2026-03-05'],
    ['2026-07-01T22:00:00Z', '2026-07-02'], // summer: two hours ahead
    ['2026-12-31T23:30:00Z', '2027-01-01'],
  ])('%s is %s in Paris', (text, date) => {
    expect(isIsoDate(text)).toBe(true);
    expect(scheduled(text, '23h-23h30').date).toBe(date);
  });

  test('another zone sees another date', () => {
    expect(scheduled('2026-03-05T03:00:00Z', '14h-16h', 'America/New_York').date).toBe('2026-03-04');
  });

  test('10,000 random timestamps fall on the date that the calendar of the zone shows', () => {
    const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: PARIS }); // writes YYYY-MM-DD
    const anyDay = fc.date({ min: new Date('2027-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    const offset = fc.record({ sign: fc.constantFrom('+', '-'), hours: fc.nat(23), minutes: fc.nat(59) });
    fc.assert(
      fc.property(anyDay, offset, fc.constantFrom('T', ' '), fc.constantFrom(':', ''), (day, offset, gap, colon) => {
        const clock = day.toISOString().slice(0, 19).replace('T', gap);
        const [hours, minutes] = [offset.hours, offset.minutes].map((part) => String(part).padStart(2, '0'));
        const text = `${clock}${offset.sign}${hours}${colon}${minutes}`;
        const shift = (offset.hours * 60 + offset.minutes) * 60_000 * (offset.sign === '+' ? -1 : 1);
        const instant = Math.floor(day.getTime() / 1000) * 1000 + shift;
        expect(isIsoDate(text)).toBe(true);
        expect(scheduled(text, '14h-16h').date).toBe(calendar.format(instant));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('days on which the clock changes', () => {
  test.each([
    // Forward on 29 March 2026: 2h becomes 3h.
    ['2026-03-28', '9h-12h', '2026-03-28T08:00:00Z', '2026-03-28T11:00:00Z'],
    ['2026-03-29', '9h-12h', '2026-03-29T07:00:00Z', '2026-03-29T10:00:00Z'],
    ['2026-03-29', '1h-4h', '2026-03-29T00:00:00Z', '2026-03-29T02:00:00Z'],
    ['2026-03-29', '3h-4h', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z'],
    // 2h30 does not exist and moves forward with the clock, to 3h30.
    ['2026-03-29', '2h30-4h', '2026-03-29T01:30:00Z', '2026-03-29T02:00:00Z'],
    ['2026-03-29', '1h-2h30', '2026-03-29T00:00:00Z', '2026-03-29T01:30:00Z'],
    ['2026-03-29', '2h30-3h', '2026-03-29T01:30:00Z', '2026-03-29T01:30:00Z'], // never ends before it starts
    // Back on 25 October 2026: 3h becomes 2h.
    ['2026-10-24', '9h-12h', '2026-10-24T07:00:00Z', '2026-10-24T10:00:00Z'],
    ['2026-10-25', '9h-12h', '2026-10-25T08:00:00Z', '2026-10-25T11:00:00Z'],
    ['2026-10-25', '1h-4h', '2026-10-24T23:00:00Z', '2026-10-25T03:00:00Z'],
    // 2h30 exists twice: the first one is meant.
    ['2026-10-25', '2h30-4h', '2026-10-25T00:30:00Z', '2026-10-25T03:00:00Z'],
    ['2026-10-25', '1h-2h30', '2026-10-24T23:00:00Z', '2026-10-25T00:30:00Z'],
    ['2026-10-25', '3h-4h', '2026-10-25T02:00:00Z', '2026-10-25T03:00:00Z'],
  ])('%s %s is %s to %s', (date, hours, startsAt, endsAt) => {
    const schedule = scheduled(date, hours);
    expect([schedule.startsAt, schedule.endsAt]).toEqual([new Date(startsAt), new Date(endsAt)]);
    expect(schedule.date).toBe(date);
  });

  test('10,000 random slots of any zone start when that zone’s clock shows it, and end after that', () => {
    const zones = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
    const clocks = new Map(
      zones.map((zone) => [
        zone,
        new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }),
      ]),
    );
    const anyDay = fc.date({ min: new Date('2027-01-01'), max: new Date('2037-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyDay, fc.nat(1438), fc.nat(1438), (zone, day, a, b) => {
        const date = day.toISOString().slice(0, 10);
        const [start = '', end = ''] = [Math.min(a, b), Math.max(a, b) + 1].map((minutes) =>
          new Date(minutes * 60_000).toISOString().slice(11, 16),
        );
        const { startsAt, endsAt } = scheduled(date, `${start}-${end}`, zone);
        const shown = clocks.get(zone)?.format(startsAt).replace(' ', 'T');
        const later = (Date.parse(`${shown}Z`) - Date.parse(`${date}T${start}Z`)) / 60_000;
        expect([0, 30, 60]).toContain(later); // not 0 only in the time that the clock leaves out once a year
        expect(endsAt.getTime()).toBeGreaterThanOrEqual(startsAt.getTime());
      }),
      { numRuns: 10_000 },
    );
  });
});
