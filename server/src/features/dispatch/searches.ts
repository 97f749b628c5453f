import { randomUUIDv7 } from 'node:crypto';
import type { ShipmentStatus } from '@navette/contract';
import { realTimeOf } from '../../calendar/twin-clock.ts';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';

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

export async function startSearch(tx: Tx, accountId: string, shipmentId: string, now: Date): Promise<Search> {
  const id = randomUUIDv7();
  const state = 'searching';
  await tx
    .insertInto('driver_searches')
    .values({ id, account_id: accountId, shipment_id: shipmentId, state, started_at: now })
    .execute();
  return { id, accountId, shipmentId, state, step: 0, round: 1, wave: 0, zoneId: null };
}

/** Saves the result of a step and sets the timer of the next one. Older timers find another step and do nothing. */
export async function saveStep(
  tx: Tx,
  { jobs, aheadMs = 0 }: { jobs: JobSender; aheadMs?: number },
  search: Search,
  next: { state: Search['state']; wave: number; round: number; at: Date; spentAt?: Date; zoneId?: string },
): Promise<void> {
  const step = search.step + 1;
  await tx
    .updateTable('driver_searches')
    .set((eb) => ({
      state: next.state,
      wave: next.wave,
      round: next.round,
      step,
      zone_id: next.zoneId ?? null,
      next_at: next.at,
      ...(next.spentAt ? { spent_at: eb.fn.coalesce('spent_at', eb.val(next.spentAt)) } : {}),
    }))
    .where('id', '=', search.id)
    .execute();
  const { accountId, shipmentId, id: searchId } = search;
  const timer = { searchId, step };
  await jobs.send(tx, searchDriverJob, { accountId, shipmentId, timer }, { startAfter: realTimeOf(next.at, aheadMs) });
}

export const secondsAfter = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000);
