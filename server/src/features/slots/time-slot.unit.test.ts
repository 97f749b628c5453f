import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findHoursIn, formatSlot, parseSlot } from './time-slot.ts';

const two = (number: number) => String(number).padStart(2, '0');
const anyHours = fc
  .tuple(fc.nat(1438), fc.nat(1438))
  .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 }));

describe('reading a slot', () => {
  test.each([
    ['14h-16h', 840, 960],
    ['14h30-16h', 870, 960],
    ['14h00-16h00', 840, 960],
    ['14:00-16:00', 840, 960],
    ['14:30-16h', 870, 960],
    ['14H-16H', 840, 960],
    ['9h-12h', 540, 720],
    ['09h-12h', 540, 720],
    ['0h-0h01', 0, 1],
    ['0:00-23:59', 0, 1439],
    ['14h - 16h', 840, 960],
    ['  14:00 -16:00 ', 840, 960],
    ['14h–16h', 840, 960], // what a word processor makes of a dash
  ])('"%s" is %d to %d minutes after midnight', (text, start, end) => {
    expect(parseSlot(text)).toEqual({ start, end });
  });

  test.each([
    ...['', 'matin', '14h', '14-16', '14h16h', '14h--16h', '14h-16h-18h', '14h-16h demain', 'Matin (9h-12h)'],
    ...['16h-14h', '14h-14h', '24h-25h', '22h-24h', '14h60-16h', '14:0-16:00', '14h5-16h', '-1h-2h', '1e1h-12h'],
    ...['14h-16h\n15h-17h', '١٤h-١٦h', '014h-16h'],
  ])('"%s" is none', (text) => {
    expect(parseSlot(text)).toBeNull();
  });
});

describe('the normal form', () => {
  test.each([
    [840, 960, '14h-16h'],
    [870, 960, '14h30-16h'],
    [545, 1439, '9h05-23h59'],
    [0, 60, '0h-1h'],
  ])('%d to %d is written %s: minutes only where they are not zero', (start, end, text) => {
    expect(formatSlot({ start, end })).toBe(text);
  });

  test('every slot survives being written and read again, however it is spelt', () => {
    const parts = (minutes: number) => [Math.floor(minutes / 60), minutes % 60] as const;
    const spellings: ((minutes: number) => string)[] = [
      (minutes) => `${parts(minutes)[0]}:${two(parts(minutes)[1])}`,
      (minutes) => `${two(parts(minutes)[0])}:${two(parts(minutes)[1])}`,
      (minutes) => `${two(parts(minutes)[0])}h${two(parts(minutes)[1])}`,
      (minutes) => formatSlot({ start: minutes, end: minutes }).split('-')[0] ?? '',
    ];
    const dash = fc.constantFrom('-', ' - ', '- ', ' – ');
    fc.assert(
      fc.property(
        anyHours,
        fc.constantFrom(...spellings),
        fc.constantFrom(...spellings),
        dash,
        (hours, from, to, dash) => {
          const text = `${from(hours.start)}${dash}${to(hours.end)}`;
          expect(parseSlot(text)).toEqual(hours);
          expect(formatSlot(hours)).toBe(formatSlot(parseSlot(formatSlot(hours)) ?? { start: 0, end: 0 }));
        },
      ),
      { numRuns: 10_000 },
    );
  });

  test('whatever else is read is a window of one day', () => {
    const scrap = fc.constantFrom('14', '9', '99', 'h', ':', '-', '–', ' ', '30', '00', '\n', 'é', '(', ')');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(scrap).map((scraps) => scraps.join('')),
          fc.string(),
        ),
        (text) => {
          for (const hours of [parseSlot(text), findHoursIn(text)]) {
            if (!hours) continue;
            expect(hours.start).toBeGreaterThanOrEqual(0);
            expect(hours.end).toBeGreaterThan(hours.start);
            expect(hours.end).toBeLessThan(24 * 60);
          }
        },
      ),
      { numRuns: 10_000 },
    );
  });
});

describe('hours inside a label', () => {
  test.each([
    ['Matin (9h-12h)', 540, 720],
    ['14h-16h', 840, 960],
    ['Après-midi : 14h30 - 18h', 870, 1080],
    ['2e tournée 8:00-10:00 (centre-ville)', 480, 600],
  ])('"%s" names %d to %d', (label, start, end) => {
    expect(findHoursIn(label)).toEqual({ start, end });
  });

  test.each(['Matin', 'Matin (12h-9h)', '114h-16h', '9h-123', 'de 9h à 12h'])('"%s" names none', (label) => {
    expect(findHoursIn(label)).toBeNull();
  });
});
