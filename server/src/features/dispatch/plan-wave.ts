import type { NearDriver } from '../drivers/index.ts';

/** A driver near the pickup, and the reason not to offer them the run, if there is one. */
export interface Candidate extends NearDriver {
  autoAccept: boolean;
  obstacle: Obstacle | null;
}

export type Obstacle = 'unavailable' | 'busy' | 'asked enough' | 'refused' | 'gave it back' | 'did not answer';

export type Plan =
  | { kind: 'assign'; wave: number; driver: Candidate }
  | { kind: 'offer'; wave: number; drivers: Candidate[] }
  | { kind: 'nobody' }
  /** Drivers beyond the candidates may belong to the wave. */
  | { kind: 'look further' };

/**
 * Plans the next wave that is not empty: the nearest drivers within its radius, nearest first. Empty waves are skipped
 * without waiting. A driver with `autoAccept` is assigned instead of asked, once no nearer driver is left to ask; until
 * then the wave ends before the first of them. Candidates are complete up to a distance only: a wave that is not full and
 * reaches beyond that distance cannot be planned yet.
 */
export function planWave(
  candidates: readonly Candidate[],
  { radiiKm, waveSize }: { radiiKm: readonly number[]; waveSize: number },
  lastWave: number,
  completeToMetres: number,
): Plan {
  for (const [i, radiusKm] of radiiKm.entries()) {
    const wave = i + 1;
    if (wave <= lastWave) continue;
    const within = candidates.filter(({ obstacle, metres }) => !obstacle && metres <= radiusKm * 1_000);
    const [nearest] = within;
    if (nearest?.autoAccept) return { kind: 'assign', wave, driver: nearest };
    const asked = within.findIndex(({ autoAccept }) => autoAccept);
    if (asked === -1 && within.length < waveSize && completeToMetres < radiusKm * 1_000)
      return { kind: 'look further' };
    if (!nearest) continue;
    return { kind: 'offer', wave, drivers: within.slice(0, asked === -1 ? waveSize : Math.min(asked, waveSize)) };
  }
  return { kind: 'nobody' };
}
