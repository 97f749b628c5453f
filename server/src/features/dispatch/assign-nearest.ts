import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { hasCapacity } from '../drivers/index.ts';
import type { MessageSettings } from '../messages/index.ts';
import { changeStatus } from '../shipments/index.ts';
import { endSearch, notifyDrivers } from './end-search.ts';
import { considered, type DueStep, type StepPlan } from './plan-step.ts';
import { recordSteps } from './write-steps.ts';

export interface SearchContext {
  jobs: JobSender;
  config: Pick<Config, 'dispatch' | 'driverPay' | 'timeZone'> & MessageSettings;
}

/**
 * Automatic dispatch, for a driver with `autoAccept`. Returns false, and has written nothing, when the driver has no
 * capacity any more: they got another run since the candidates were read. The rollback releases the driver's lock before the
 * next driver is locked: two searches that each hold one driver and wait for the other's would deadlock.
 */
export async function assignNearest(
  tx: Tx,
  context: SearchContext,
  step: DueStep,
  plan: Extract<StepPlan, { kind: 'assign' }>,
): Promise<boolean> {
  await sql`savepoint before_driver`.execute(tx);
  if (await assign(tx, context, step, plan)) return true;
  await sql`rollback to savepoint before_driver`.execute(tx);
  return false;
}

async function assign(
  tx: Tx,
  { jobs, config }: SearchContext,
  { search, now }: DueStep,
  { driver: { driverId, metres }, wave, candidates, payCents }: Extract<StepPlan, { kind: 'assign' }>,
): Promise<boolean> {
  const { accountId, shipmentId, id: searchId, round } = search;
  if (!(await hasCapacity(tx, driverId, config.dispatch.runsPerDriver))) return false;
  const { timeZone } = config;
  const next = { state: 'searching', wave, round, at: now } as const;
  await recordSteps(tx, [{ search, now, next, decision: considered(search, wave, candidates) }]);
  const change = { trigger: 'assign', channel: 'http', driverId, payCents, now, timeZone } as const;
  await changeStatus(tx, jobs, accountId, shipmentId, change);
  await tx
    .insertInto('driver_offers')
    .values({
      id: randomUUIDv7(),
      search_id: searchId,
      account_id: accountId,
      shipment_id: shipmentId,
      driver_id: driverId,
      ...{ round, wave, metres, offered_at: now, expires_at: now, answer: 'assigned', answered_at: now },
      pay_cents: payCents,
    })
    .execute();
  const details = { metres, by: 'dispatch' as const };
  await endSearch(tx, jobs, search, { state: 'assigned', now, driverId, details });
  await notifyDrivers(tx, jobs, search, [driverId], 'shipment-changed');
  return true;
}
