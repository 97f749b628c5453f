import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { quotePay } from '../driver-pay/index.ts';
import { hasCapacity, type NearDriver } from '../drivers/index.ts';
import type { MessageSettings } from '../messages/index.ts';
import { changeStatus } from '../shipments/index.ts';
import { recordDecision } from './decisions.ts';
import { endSearch, notifyDrivers } from './end-search.ts';
import { type Candidate, planWave } from './plan-wave.ts';
import { type Search, saveStep, secondsAfter } from './searches.ts';

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

/** Assigns the run, offers it to the next wave, or schedules a retry. */
export async function startNextWave(
  tx: Tx,
  context: SearchContext,
  search: Search,
  { candidates, completeToMetres }: NearbyCandidates,
  now: Date,
): Promise<void> {
  const { config } = context;
  const { retrySeconds } = config.dispatch;
  const plan = planWave(candidates, config.dispatch, search.wave, completeToMetres);
  if (plan.kind === 'look further') throw new TooFewCandidates();
  if (plan.kind === 'assign') {
    await sql`savepoint before_driver`.execute(tx);
    if (await assign(tx, context, search, plan.driver, plan.wave, candidates, now)) return;
    // The driver got another run since the candidates were read. The rollback releases the driver's lock before the next
    // driver is locked: two searches that each hold one driver and wait for the other's would deadlock.
    await sql`rollback to savepoint before_driver`.execute(tx);
    const left = candidates.map((one) => (one === plan.driver ? { ...one, obstacle: 'busy' as const } : one));
    return startNextWave(tx, context, search, { candidates: left, completeToMetres }, now);
  }
  if (plan.kind === 'offer') {
    await offer(tx, context, search, plan.drivers, plan.wave, candidates, now);
    return;
  }
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
}

async function offer(
  tx: Tx,
  context: SearchContext,
  search: Search,
  drivers: Candidate[],
  wave: number,
  candidates: Candidate[],
  now: Date,
): Promise<void> {
  const { jobs, config } = context;
  const expiresAt = secondsAfter(now, config.dispatch.offerSeconds);
  await recordCandidates(tx, search, wave, candidates, now);
  const payCents = await quotePay(tx, config.driverPay, search.accountId, search.shipmentId);
  await insertOffers(tx, search, drivers, wave, { offered_at: now, expires_at: expiresAt, pay_cents: payCents });
  await saveStep(tx, context, search, { state: 'searching', wave, round: search.round, at: expiresAt });
  const asked = drivers.map(({ driverId }) => driverId);
  await notifyDrivers(tx, jobs, search, asked, 'offer');
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
  const { accountId, shipmentId, id: searchId } = search;
  if (!(await hasCapacity(tx, driverId, config.dispatch.runsPerDriver))) return false;
  const { timeZone } = config;
  await recordCandidates(tx, search, wave, candidates, now);
  const payCents = await quotePay(tx, config.driverPay, accountId, shipmentId);
  const change = { trigger: 'assign', channel: 'http', driverId, payCents, now, timeZone } as const;
  await changeStatus(tx, jobs, accountId, shipmentId, change);
  const terms = { offered_at: now, expires_at: now, answer: 'assigned', answered_at: now, pay_cents: payCents };
  await insertOffers(tx, search, [{ driverId, metres }], wave, terms);
  await endSearch(tx, jobs, search, { state: 'assigned', now });
  const details = { metres, by: 'dispatch' as const };
  await recordDecision(tx, { accountId, shipmentId, searchId, kind: 'assigned', at: now, driverId, details });
  await notifyDrivers(tx, jobs, search, [driverId], 'shipment-changed');
  return true;
}

async function insertOffers(
  tx: Tx,
  { id, accountId, shipmentId, round }: Search,
  drivers: NearDriver[],
  wave: number,
  terms: { offered_at: Date; expires_at: Date; pay_cents: number; answer?: string; answered_at?: Date },
): Promise<void> {
  const shared = { search_id: id, account_id: accountId, shipment_id: shipmentId, round, wave, ...terms };
  await tx
    .insertInto('driver_offers')
    .values(drivers.map(({ driverId, metres }) => ({ id: randomUUIDv7(), driver_id: driverId, metres, ...shared })))
    .execute();
}

async function recordCandidates(
  tx: Tx,
  search: Search,
  wave: number,
  candidates: Candidate[],
  now: Date,
): Promise<void> {
  const { accountId, shipmentId, id: searchId, round } = search;
  const details = { round, wave, looked: nearest(candidates) };
  await recordDecision(tx, { accountId, shipmentId, searchId, kind: 'considered', at: now, details });
}

const MAX_RECORDED = 20; // nearest first: drivers further away explain nothing

const nearest = (candidates: Candidate[]) =>
  candidates.slice(0, MAX_RECORDED).map(({ driverId, metres, obstacle }) => ({ driverId, metres, obstacle }));
