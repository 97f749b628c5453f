import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { quotePay } from '../driver-pay/index.ts';
import { enqueuePushes, subscribedSessions } from '../driver-push/index.ts';
import { hasCapacity, type NearDriver } from '../drivers/index.ts';
import type { MessageSettings } from '../messages/index.ts';
import { changeStatus } from '../shipments/index.ts';
import { type Decision, insertDecision, recordDecision } from './decisions.ts';
import { endSearch, notifyDrivers } from './end-search.ts';
import { type Candidate, planWave } from './plan-wave.ts';
import { type Search, saveStep, secondsAfter, setTimer, updateStep } from './searches.ts';

export interface SearchContext {
  jobs: JobSender;
  /** How far the account's clock is ahead of the real one. */
  aheadMs?: number;
  config: Pick<Config, 'dispatch' | 'driverPay' | 'timeZone'> & MessageSettings;
}

export interface NearbyCandidates {
  candidates: Candidate[];
  completeToMetres: number;
}

/** Thrown before anything is decided: the step is rolled back and repeated with more candidates. */
export class TooFewCandidates extends Error {}

/**
 * Assigns the run, offers it to the next wave, or schedules a retry. Returns the drivers with a new offer: the caller
 * pushes it to their apps.
 */
export async function startNextWave(
  tx: Tx,
  context: SearchContext,
  search: Search,
  { candidates, completeToMetres }: NearbyCandidates,
  now: Date,
): Promise<string[]> {
  const { config } = context;
  const { retrySeconds } = config.dispatch;
  const plan = planWave(candidates, config.dispatch, search.wave, completeToMetres);
  if (plan.kind === 'look further') throw new TooFewCandidates();
  if (plan.kind === 'assign') {
    await sql`savepoint before_driver`.execute(tx);
    if (await assign(tx, context, search, plan.driver, plan.wave, candidates, now)) return [];
    // The driver got another run since the candidates were read. The rollback releases the driver's lock before the next
    // driver is locked: two searches that each hold one driver and wait for the other's would deadlock.
    await sql`rollback to savepoint before_driver`.execute(tx);
    const left = candidates.map((one) => (one === plan.driver ? { ...one, obstacle: 'busy' as const } : one));
    return startNextWave(tx, context, search, { candidates: left, completeToMetres }, now);
  }
  if (plan.kind === 'offer') return offer(tx, context, search, plan.drivers, plan.wave, candidates, now);
  // Recorded once per search, and once per round with offers: a retry that finds nobody again adds no information.
  if (search.round === 1 || search.wave > 0) {
    const details = { round: search.round, looked: nearest(candidates) };
    const { accountId, shipmentId, id: searchId } = search;
    await recordDecision(tx, { accountId, shipmentId, searchId, kind: 'nobody left', at: now, details });
  }
  await saveStep(tx, context, search, {
    state: 'unassigned',
    wave: 0,
    round: search.round + 1,
    at: secondsAfter(now, retrySeconds),
    spentAt: now,
  });
  return [];
}

async function offer(
  tx: Tx,
  context: SearchContext,
  search: Search,
  drivers: Candidate[],
  wave: number,
  candidates: Candidate[],
  now: Date,
): Promise<string[]> {
  const { jobs, config } = context;
  const expiresAt = secondsAfter(now, config.dispatch.offerSeconds);
  const payCents = await quotePay(tx, config.driverPay, search.accountId, search.shipmentId);
  const terms = { offered_at: now, expires_at: expiresAt, pay_cents: payCents };
  const next = { state: 'searching', wave, round: search.round, at: expiresAt } as const;
  const offered = await tx
    .with('decided', (query) => insertDecision(query, considered(search, wave, candidates, now)))
    .with('stepped', (query) => updateStep(query, search, next))
    .insertInto('driver_offers')
    .values(toOffers(search, drivers, wave, terms))
    .returning(subscribedSessions('driver_offers.driver_id').as('sessions'))
    .execute();
  await setTimer(tx, context, search, expiresAt);
  const { accountId, shipmentId } = search;
  const driverIds = drivers.map(({ driverId }) => driverId);
  const sessionIds = offered.flatMap(({ sessions }) => sessions);
  await enqueuePushes(tx, jobs, { accountId, shipmentId, driverIds, push: 'offer' }, sessionIds);
  return driverIds;
}

/** Automatic dispatch, for a driver with `autoAccept`. Returns false when the driver has no capacity any more. */
async function assign(
  tx: Tx,
  { jobs, config }: SearchContext,
  search: Search,
  { driverId, metres }: Candidate,
  wave: number,
  candidates: Candidate[],
  now: Date,
): Promise<boolean> {
  const { accountId, shipmentId } = search;
  if (!(await hasCapacity(tx, driverId, config.dispatch.runsPerDriver))) return false;
  const { timeZone } = config;
  await recordDecision(tx, considered(search, wave, candidates, now));
  const payCents = await quotePay(tx, config.driverPay, accountId, shipmentId);
  const change = { trigger: 'assign', channel: 'http', driverId, payCents, now, timeZone } as const;
  await changeStatus(tx, jobs, accountId, shipmentId, change);
  const terms = { offered_at: now, expires_at: now, answer: 'assigned', answered_at: now, pay_cents: payCents };
  await tx
    .insertInto('driver_offers')
    .values(toOffers(search, [{ driverId, metres }], wave, terms))
    .execute();
  const details = { metres, by: 'dispatch' as const };
  await endSearch(tx, jobs, search, { state: 'assigned', now, driverId, details });
  await notifyDrivers(tx, jobs, search, [driverId], 'shipment-changed');
  return true;
}

function toOffers(
  { id, accountId, shipmentId, round }: Search,
  drivers: NearDriver[],
  wave: number,
  terms: { offered_at: Date; expires_at: Date; pay_cents: number; answer?: string; answered_at?: Date },
) {
  const shared = { search_id: id, account_id: accountId, shipment_id: shipmentId, round, wave, ...terms };
  return drivers.map(({ driverId, metres }) => ({ id: randomUUIDv7(), driver_id: driverId, metres, ...shared }));
}

function considered(search: Search, wave: number, candidates: Candidate[], now: Date): Decision {
  const { accountId, shipmentId, id: searchId, round } = search;
  const details = { round, wave, looked: nearest(candidates) };
  return { accountId, shipmentId, searchId, kind: 'considered', at: now, details };
}

const MAX_RECORDED = 20; // nearest first: drivers further away explain nothing

const nearest = (candidates: Candidate[]) =>
  candidates.slice(0, MAX_RECORDED).map(({ driverId, metres, obstacle }) => ({ driverId, metres, obstacle }));
