import { describe, expect, test } from 'vitest';
import { checkCoordinates, readDegrees, readPair } from './coordinates.ts';

describe('typed coordinates', () => {
  test('are read with point or comma', () => {
    expect([readDegrees('48.8566'), readDegrees(' -1,55 '), readDegrees('48°'), readDegrees('')]).toEqual([
      48.8566,
      -1.55,
      null,
      null,
    ]);
  });

  test('can be pasted as a pair', () => {
    expect(readPair('48.8566, 2.3522')).toEqual({ latitude: '48.8566', longitude: '2.3522' });
    expect(readPair('48,8566; 2,3522')).toEqual({ latitude: '48,8566', longitude: '2,3522' });
    expect(readPair('48.8566')).toBeNull();
  });

  test.each([
    [48.8566, 2.3522, null],
    [2.3522, 48.8566, 'outside'],
    [95, 2, 'range'],
    [null, 2, 'number'],
  ] as const)('%s %s: %s', (latitude, longitude, problem) => {
    expect(checkCoordinates(latitude, longitude)).toBe(problem);
  });
});
