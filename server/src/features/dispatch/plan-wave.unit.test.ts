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

/** The plan in one line: its drivers and its wave. */
function plan(candidates: Candidate[], lastWave = 0, completeToMetres = Number.POSITIVE_INFINITY): string {
  const planned = planWave(candidates, SETTINGS, lastWave, completeToMetres);
  if (planned.kind === 'nobody' || planned.kind === 'look further') return planned.kind;
  const names = planned.kind === 'assign' ? [planned.driver] : planned.drivers;
  return `${planned.kind} ${names.map(({ driverId }) => driverId).join(' and ')} in wave ${planned.wave}`;
}

describe('a wave', () => {
  test.each([
    [
      'asks the nearest drivers, up to its size',
      [near('a', 100), near('b', 200), near('c', 300)],
      0,
      'offer a and b in wave 1',
    ],
    ['asks nobody beyond its radius', [near('a', 100), near('b', 1_001)], 0, 'offer a in wave 1'],
    ['counts its radius in full', [near('a', 1_000)], 0, 'offer a in wave 1'],
    ['that is empty is skipped', [near('a', 2_000)], 0, 'offer a in wave 2'],
    [
      'after the first reaches further',
      [near('a', 100, { obstacle: 'refused' }), near('b', 2_500)],
      1,
      'offer b in wave 2',
    ],
    ['skips drivers with an obstacle', [near('a', 100, { obstacle: 'busy' }), near('b', 200)], 0, 'offer b in wave 1'],
    ['finds nobody when all are too far', [near('a', 3_001)], 0, 'nobody'],
    ['finds nobody after the last', [near('a', 100)], 2, 'nobody'],
    ['finds nobody where there is nobody', [], 0, 'nobody'],
  ])('%s', (_name, candidates, lastWave, expected) => {
    expect(plan(candidates, lastWave)).toBe(expected);
  });
});

describe('a driver with autoAccept', () => {
  test.each([
    ['is assigned when nearest', [near('a', 100, auto), near('b', 200)], 'assign a in wave 1'],
    [
      'waits until nearer drivers were asked',
      [near('a', 100), near('b', 200, auto), near('c', 300)],
      'offer a in wave 1',
    ],
    [
      'is assigned once nearer drivers refused',
      [near('a', 100, { obstacle: 'refused' }), near('b', 200, auto)],
      'assign b in wave 1',
    ],
    ['is not assigned when busy', [near('a', 100, { ...auto, obstacle: 'busy' }), near('b', 200)], 'offer b in wave 1'],
    ['is assigned in a later wave too', [near('a', 2_000, auto)], 'assign a in wave 2'],
  ])('%s', (_name, candidates, expected) => {
    expect(plan(candidates)).toBe(expected);
  });
});

describe('when only the nearest drivers were read, a wave', () => {
  const busy = { obstacle: 'busy' as const };
  test.each([
    ['that is full asks them', [near('a', 100), near('b', 200)], 200, 'offer a and b in wave 1'],
    ['that is not full looks further', [near('a', 100), near('b', 200, busy)], 200, 'look further'],
    ['that is empty looks further', [near('a', 100, busy), near('b', 200, busy)], 200, 'look further'],
    ['that ends before the last of them asks', [near('a', 100), near('b', 1_001, busy)], 1_001, 'offer a in wave 1'],
    [
      'assigns the nearest driver with autoAccept',
      [near('a', 100, busy), near('b', 200, auto)],
      200,
      'assign b in wave 1',
    ],
    ['ends before a driver with autoAccept', [near('a', 100), near('b', 200, auto)], 200, 'offer a in wave 1'],
    ['that is skipped looks further for the next one', [near('a', 1_001, busy)], 1_001, 'look further'],
  ])('%s', (_name, candidates, completeToMetres, expected) => {
    expect(plan(candidates, 0, completeToMetres)).toBe(expected);
  });
});
