import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { canTakeAnother, type NearDriver } from '../drivers/index.ts';
import { changeStatus } from '../shipments/index.ts';
import { recordDecision } from './decisions.ts';
import { type Candidate, planWave } from './plan-wave.ts';
import { endSearch, type Search, saveStep, secondsAfter, tellDrivers } from './searches.ts';

export interface Stepping {
  jobs: JobSender;
  config: Pick<Config, 'dispatch' | 'timeZone'>;
}

/** Assigns, offers, or gives up until later. */
export async function goOn(
  tx: Tx,
  stepping: Stepping,
  search: Search,
  candidates: Candidate[],
  now: Date,
): Promise<void> {
  const { jobs, config } = stepping;
  const { retrySeconds } = config.dispatch;
  const plan = planWave(candidates, config.dispatch, search.wave);
  if (plan.kind === 'assign') {
    await sql`savepoint before_driver`.execute(tx);
    if (await assign(tx, stepping, search, plan.driver, plan.wave, candidates, now)) return;
    // Somebody gave this driver another run since they were looked at. They are let go before the next one is locked:
    // two searches that each held a driver and waited for the other's would wait for ever.
    await sql`rollback to savepoint before_driver`.execute(tx);
    const left = candidates.map((one) => (one === plan.driver ? { ...one, obstacle: 'busy' as const } : one));
    return goOn(tx, stepping, search, left, now);
  }
  if (plan.kind === 'offer') {
    await offer(tx, stepping, search, plan.drivers, plan.wave, candidates, now);
    return;
  }
  // Told once per search and once per round in which somebody was asked: a retry that finds nobody again is no news.
  if (search.round === 1 || search.wave > 0) {
    const details = { round: search.round, looked: describe(candidates) };
    const { accountId, shipmentId, id: searchId } = search;
    await recordDecision(tx, { accountId, shipmentId, searchId, kind: 'nobody left', at: now, details });
  }
  await saveStep(tx, jobs, search, {
    state: 'unassigned',
    wave: 0,
    round: search.round + 1,
    at: secondsAfter(now, retrySeconds),
    spentAt: now,
  });
}

async function offer(
  tx: Tx,
  { jobs, config }: Stepping,
  search: Search,
  drivers: Candidate[],
  wave: number,
  candidates: Candidate[],
  now: Date,
): Promise<void> {
  const expiresAt = secondsAfter(now, config.dispatch.offerSeconds);
  await consider(tx, search, wave, candidates, now);
  await insertOffers(tx, search, drivers, wave, { offered_at: now, expires_at: expiresAt });
  await saveStep(tx, jobs, search, { state: 'searching', wave, round: search.round, at: expiresAt });
  const asked = drivers.map(({ driverId }) => driverId);
  await tellDrivers(tx, jobs, search, asked, 'offer');
}

/** Automatic dispatch, for a driver who takes every run; false when they have just got too many. */
async function assign(
  tx: Tx,
  { jobs, config }: Stepping,
  search: Search,
  { driverId, metres }: Candidate,
  wave: number,
  candidates: Candidate[],
  now: Date,
): Promise<boolean> {
  const { accountId, shipmentId, id: searchId } = search;
  if (!(await canTakeAnother(tx, driverId, config.dispatch.runsPerDriver))) return false;
  const { timeZone } = config;
  await consider(tx, search, wave, candidates, now);
  await changeStatus(tx, jobs, accountId, shipmentId, { trigger: 'assign', channel: 'http', driverId, now, timeZone });
  const times = { offered_at: now, expires_at: now, answer: 'assigned', answered_at: now };
  await insertOffers(tx, search, [{ driverId, metres }], wave, times);
  await endSearch(tx, jobs, search, { state: 'assigned', now });
  const details = { metres, by: 'dispatch' as const };
  await recordDecision(tx, { accountId, shipmentId, searchId, kind: 'assigned', at: now, driverId, details });
  await tellDrivers(tx, jobs, search, [driverId], 'shipment-changed');
  return true;
}

async function insertOffers(
  tx: Tx,
  { id, accountId, shipmentId, round }: Search,
  drivers: NearDriver[],
  wave: number,
  times: { offered_at: Date; expires_at: Date; answer?: string; answered_at?: Date },
): Promise<void> {
  const shared = { search_id: id, account_id: accountId, shipment_id: shipmentId, round, wave, ...times };
  await tx
    .insertInto('driver_offers')
    .values(drivers.map(({ driverId, metres }) => ({ id: randomUUIDv7(), driver_id: driverId, metres, ...shared })))
    .execute();
}

async function consider(tx: Tx, search: Search, wave: number, candidates: Candidate[], now: Date): Promise<void> {
  const { accountId, shipmentId, id: searchId, round } = search;
  const details = { round, wave, looked: describe(candidates) };
  await recordDecision(tx, { accountId, shipmentId, searchId, kind: 'considered', at: now, details });
}

const MOST_TOLD = 20; // nearest first: who is further away explains nothing

const describe = (candidates: Candidate[]) =>
  candidates.slice(0, MOST_TOLD).map(({ driverId, metres, obstacle }) => ({ driverId, metres, obstacle }));
