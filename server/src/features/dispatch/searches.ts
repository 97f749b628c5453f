import { randomUUIDv7 } from 'node:crypto';
import type { ShipmentStatus } from '@navette/contract';
import type { QueryCreator } from 'kysely';
import { realTimeOf } from '../../calendar/twin-clock.ts';
import type { Tx } from '../../database/database.ts';
import type { DB } from '../../database/tables.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';
import { insertDecision } from './decisions.ts';

/**
 * A search for a driver. Lock order: shipment, search, offers, one driver, the account's counters, the driver's
 * balance. The shipment's lock comes first, so that exactly one driver gets the run.
 */
export interface Search {
  id: string;
  accountId: string;
  shipmentId: string;
  state: 'searching' | 'unassigned' | 'needs_location';
  step: number;
  round: number;
  wave: number;
  /** The zone that it waits for. */
  zoneId: string | null;
}

export interface LockedShipment {
  accountId: string;
  id: string;
  status: ShipmentStatus;
  driverId: string | null;
  history: { status: ShipmentStatus; at: string }[];
}

export async function lockShipment(tx: Tx, accountId: string, id: string): Promise<LockedShipment | null> {
  const row = await tx
    .selectFrom('shipments')
    .select(['status', 'driver_id', 'status_history'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  return { accountId, id, status: row.status as ShipmentStatus, driverId: row.driver_id, history: row.status_history };
}

export async function lockActiveSearch(tx: Tx, accountId: string, shipmentId: string): Promise<Search | null> {
  const row = await tx
    .selectFrom('driver_searches')
    .select(['id', 'state', 'step', 'round', 'wave', 'zone_id as zoneId'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row ? { ...row, accountId, shipmentId, state: row.state as Search['state'] } : null;
}

export async function startSearch(
  tx: Tx,
  accountId: string,
  shipmentId: string,
  cause: string,
  now: Date,
): Promise<Search> {
  const id = randomUUIDv7();
  const state = 'searching';
  const decision = { accountId, shipmentId, searchId: id, kind: 'started', at: now, details: { cause } } as const;
  await tx
    .with('decided', (query) => insertDecision(query, decision))
    .insertInto('driver_searches')
    .values({ id, account_id: accountId, shipment_id: shipmentId, state, started_at: now })
    .execute();
  return { id, accountId, shipmentId, state, step: 0, round: 1, wave: 0, zoneId: null };
}

interface NextStep {
  state: Search['state'];
  wave: number;
  round: number;
  at: Date;
  spentAt?: Date;
  zoneId?: string;
}

/** Saves the result of a step and sets the timer of the next one. Older timers find another step and do nothing. */
export async function saveStep(tx: Tx, context: TimerContext, search: Search, next: NextStep): Promise<void> {
  await updateStep(tx, search, next).execute();
  await setTimer(tx, context, search, next.at);
}

/** For a statement that also writes the offers of the step. A timer must follow. */
export const updateStep = (query: Pick<QueryCreator<DB>, 'updateTable'>, search: Search, next: NextStep) =>
  query
    .updateTable('driver_searches')
    .set((eb) => ({
      state: next.state,
      wave: next.wave,
      round: next.round,
      step: search.step + 1,
      zone_id: next.zoneId ?? null,
      next_at: next.at,
      ...(next.spentAt ? { spent_at: eb.fn.coalesce('spent_at', eb.val(next.spentAt)) } : {}),
    }))
    .where('id', '=', search.id);

interface TimerContext {
  jobs: JobSender;
  aheadMs?: number;
}

/** Sets the timer of the step after this one. */
export async function setTimer(
  tx: Tx,
  { jobs, aheadMs = 0 }: TimerContext,
  { accountId, shipmentId, id: searchId, step }: Search,
  at: Date,
): Promise<void> {
  const timer = { searchId, step: step + 1 };
  await jobs.send(tx, searchDriverJob, { accountId, shipmentId, timer }, { startAfter: realTimeOf(at, aheadMs) });
}

export const secondsAfter = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000);
