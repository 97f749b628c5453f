import { describe, expect, test } from 'vitest';
import { parsePlaces, writePlaces } from './parse-places.ts';

describe('typed places', () => {
  test('are read one per line, with a comma, a semicolon or a space', () => {
    const places = [
      { latitude: 48.85, longitude: 2.35 },
      { latitude: -21, longitude: 55.5 },
      { latitude: 43.3, longitude: -1.2 },
    ];
    expect(parsePlaces('48.85, 2.35\n-21;55.5\n 43.3 -1.2 ')).toEqual(places);
    expect(parsePlaces(writePlaces(places))).toEqual(places);
  });

  test.each(['', 'Paris', '48.85', '95, 2', '48, 181', '48.85, 2.35, 7'])('leave out the line %j', (line) => {
    expect(parsePlaces(line)).toEqual([]);
  });
});
