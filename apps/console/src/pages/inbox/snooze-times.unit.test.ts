import { describe, expect, test } from 'vitest';
import { localTimeText, readLocalTime, snoozeTimes } from './snooze-times.ts';

const PARIS = 'Europe/Paris';
const texts = (now: string) =>
  snoozeTimes(new Date(now), PARIS).map(({ choice, until }) => `${choice} ${until.toISOString().slice(0, 16)}`);

describe('times to snooze until', () => {
  test('are an hour, six in the evening and eight tomorrow, in local time', () => {
    expect(texts('2026-03-04T09:30:00Z')).toEqual([
      'hour 2026-03-04T10:30',
      'evening 2026-03-04T17:00',
      'tomorrow 2026-03-05T07:00',
    ]);
  });

  test('leave the evening out once it has begun', () => {
    expect(texts('2026-03-04T17:00:00Z')).toEqual(['hour 2026-03-04T18:00', 'tomorrow 2026-03-05T07:00']);
  });

  test('follow the change to summer time', () => {
    expect(texts('2026-03-28T20:00:00Z')).toEqual(['hour 2026-03-28T21:00', 'tomorrow 2026-03-29T06:00']);
  });

  test('are typed in local time', () => {
    expect(readLocalTime('2026-07-01T14:30', PARIS)?.toISOString()).toBe('2026-07-01T12:30:00.000Z');
    expect(localTimeText(new Date('2026-07-01T12:30:00Z'), PARIS)).toBe('2026-07-01T14:30');
    expect(readLocalTime('', PARIS)).toBeNull();
  });
});
