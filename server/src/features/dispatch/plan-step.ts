import type { Config } from '../../config.ts';
import type { SearchStep } from '../../jobs/definitions.ts';
import type { Traced } from '../../observability/trace-context.ts';
import type { Nearby } from '../drivers/index.ts';
import { type Candidate, planWave } from './plan-wave.ts';
import { type Search, secondsAfter } from './searches.ts';
import type { StepDecision, TimedResult } from './write-steps.ts';
import type { StandingZone } from './zones.ts';

const POSITIONS_RETRY_SECONDS = 5; // Redis restarts in less

/** A step of a search, with what is known before the transaction. */
export interface Step {
  wanted: Traced<SearchStep>;
  /** By the account's clock. */
  now: Date;
  /** How far that is ahead of the real one. */
  aheadMs: number;
  /** The pickup's coordinates; null when unknown. */
  place: object | null;
  /** The geocoder did not respond, so the coordinates may exist. */
  geocoderFailed: boolean;
  isTest: boolean;
  /** The drivers near the pickup; null when unknown. */
  near: Nearby | null;
}

/** A step that has to be taken now. */
export interface DueStep extends Step {
  search: Search;
  /** Drivers with an open offer, whose time has passed. */
  asked: string[];
}

/** The facts in PostgreSQL about a step. */
export interface StepFacts {
  /** Over the pickup or the place of delivery. */
  zone?: StandingZone | undefined;
  candidates: Candidate[];
  payCents: number;
}

export type StepPlan =
  | { kind: 'go on'; result: TimedResult }
  | { kind: 'assign'; driver: Candidate; wave: number; candidates: Candidate[]; payCents: number }
  | { kind: 'hold'; zone: StandingZone }
  /** Drivers beyond the candidates may belong to the wave. */
  | { kind: 'look further' };

/** Pure: waits, offers the run to the next wave of drivers, assigns it, or schedules a retry. */
export function planStep(
  step: DueStep,
  { zone, candidates, payCents }: StepFacts,
  settings: Config['dispatch'],
): StepPlan {
  const { search, now, place, near } = step;
  const { wave, round } = search;
  if (!place) {
    const next = { state: 'needs_location', wave, round, at: secondsAfter(now, settings.retrySeconds) } as const;
    const kind = step.geocoderFailed ? 'geocoder away' : 'needs location';
    return goOn(step, { next, decision: { kind, onlyIfNew: true } });
  }
  if (zone) return { kind: 'hold', zone };
  if (!near) {
    const next = { state: 'searching', wave, round, at: secondsAfter(now, POSITIONS_RETRY_SECONDS) } as const;
    return goOn(step, { next, decision: { kind: 'positions unknown', onlyIfNew: true } });
  }
  const plan = planWave(candidates, settings, wave, near.completeToMetres);
  if (plan.kind === 'look further') return plan;
  if (plan.kind === 'assign') return { ...plan, candidates, payCents };
  if (plan.kind === 'nobody') return goOn(step, retryLater(search, candidates, settings, now));
  const at = secondsAfter(now, settings.offerSeconds);
  return goOn(step, {
    next: { state: 'searching', wave: plan.wave, round, at },
    decision: considered(search, plan.wave, candidates),
    offers: { drivers: plan.drivers, payCents },
  });
}

type Planned = Pick<TimedResult, 'next' | 'decision' | 'offers'>;

const goOn = ({ search, now, aheadMs, wanted: { traceparent } }: DueStep, planned: Planned): StepPlan => ({
  kind: 'go on',
  result: { search, now, aheadMs, traceparent, ...planned },
});

/** Recorded once per search, and once per round with offers: a retry that finds nobody again adds no information. */
function retryLater(search: Search, candidates: Candidate[], settings: Config['dispatch'], now: Date): Planned {
  const { round, wave } = search;
  const details = { round, looked: nearest(candidates) };
  return {
    next: {
      state: 'unassigned',
      wave: 0,
      round: round + 1,
      at: secondsAfter(now, settings.retrySeconds),
      spentAt: now,
    },
    decision: round === 1 || wave > 0 ? { kind: 'nobody left', details } : undefined,
  };
}

export const considered = ({ round }: Search, wave: number, candidates: Candidate[]): StepDecision => ({
  kind: 'considered',
  details: { round, wave, looked: nearest(candidates) },
});

const MAX_RECORDED = 20; // nearest first: drivers further away explain nothing

const nearest = (candidates: Candidate[]) =>
  candidates.slice(0, MAX_RECORDED).map(({ driverId, metres, obstacle }) => ({ driverId, metres, obstacle }));
