import { describe, expect, test } from 'vitest';
import { type Candidate, planWave } from './plan-wave.ts';

const SETTINGS = { radiiKm: [1, 3], waveSize: 2 };
const near = (driverId: string, metres: number, given: Partial<Candidate> = {}): Candidate => ({
  driverId,
  metres,
  autoAccept: false,
  obstacle: null,
  ...given,
});
const auto = { autoAccept: true };

/** The plan in one line: whom it names, in which wave. */
function plan(candidates: Candidate[], lastWave = 0): string {
  const planned = planWave(candidates, SETTINGS, lastWave);
  if (planned.kind === 'nobody') return 'nobody';
  const names = planned.kind === 'assign' ? [planned.driver] : planned.drivers;
  return `${planned.kind} ${names.map(({ driverId }) => driverId).join(' and ')} in wave ${planned.wave}`;
}

describe('a wave', () => {
  test.each([
    [
      'asks the nearest, as many as a wave has',
      [near('a', 100), near('b', 200), near('c', 300)],
      0,
      'offer a and b in wave 1',
    ],
    ['asks nobody beyond its radius', [near('a', 100), near('b', 1_001)], 0, 'offer a in wave 1'],
    ['counts its radius in full', [near('a', 1_000)], 0, 'offer a in wave 1'],
    ['without anybody leaves its place to the next', [near('a', 2_000)], 0, 'offer a in wave 2'],
    [
      'after the first reaches further',
      [near('a', 100, { obstacle: 'refused' }), near('b', 2_500)],
      1,
      'offer b in wave 2',
    ],
    [
      'passes over whom something keeps from it',
      [near('a', 100, { obstacle: 'busy' }), near('b', 200)],
      0,
      'offer b in wave 1',
    ],
    ['finds nobody when all are too far', [near('a', 3_001)], 0, 'nobody'],
    ['finds nobody after the last', [near('a', 100)], 2, 'nobody'],
    ['finds nobody where there is nobody', [], 0, 'nobody'],
  ])('%s', (_name, candidates, lastWave, expected) => {
    expect(plan(candidates, lastWave)).toBe(expected);
  });
});

describe('a driver who takes every run', () => {
  test.each([
    ['is assigned when nearest', [near('a', 100, auto), near('b', 200)], 'assign a in wave 1'],
    ['waits for those nearer to be asked', [near('a', 100), near('b', 200, auto), near('c', 300)], 'offer a in wave 1'],
    [
      'is assigned once those nearer said no',
      [near('a', 100, { obstacle: 'refused' }), near('b', 200, auto)],
      'assign b in wave 1',
    ],
    [
      'is as little assigned when busy',
      [near('a', 100, { ...auto, obstacle: 'busy' }), near('b', 200)],
      'offer b in wave 1',
    ],
    ['is assigned in a later wave too', [near('a', 2_000, auto)], 'assign a in wave 2'],
  ])('%s', (_name, candidates, expected) => {
    expect(plan(candidates)).toBe(expected);
  });
});
