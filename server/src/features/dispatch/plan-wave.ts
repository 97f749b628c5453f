import type { NearDriver } from '../drivers/index.ts';

/** A driver near the pickup, and what keeps them from being offered the run, if anything does. */
export interface Candidate extends NearDriver {
  autoAccept: boolean;
  obstacle: Obstacle | null;
}

export type Obstacle = 'unavailable' | 'busy' | 'asked enough' | 'refused' | 'gave it back' | 'did not answer';

export type Plan =
  | { kind: 'assign'; wave: number; driver: Candidate }
  | { kind: 'offer'; wave: number; drivers: Candidate[] }
  | { kind: 'nobody' };

/**
 * The next wave that reaches somebody: the nearest drivers within its radius, nearest first. A wave without anybody
 * costs no time, so the next one is looked at in its place. Drivers who take every run are not asked but assigned, once
 * nobody nearer is left to ask: until then the wave ends before the first of them.
 */
export function planWave(
  candidates: readonly Candidate[],
  { radiiKm, waveSize }: { radiiKm: readonly number[]; waveSize: number },
  lastWave: number,
): Plan {
  for (const [i, radiusKm] of radiiKm.entries()) {
    const wave = i + 1;
    if (wave <= lastWave) continue;
    const within = candidates.filter(({ obstacle, metres }) => !obstacle && metres <= radiusKm * 1_000);
    const [nearest] = within;
    if (!nearest) continue;
    if (nearest.autoAccept) return { kind: 'assign', wave, driver: nearest };
    const asked = within.findIndex(({ autoAccept }) => autoAccept);
    return { kind: 'offer', wave, drivers: within.slice(0, asked === -1 ? waveSize : Math.min(asked, waveSize)) };
  }
  return { kind: 'nobody' };
}
