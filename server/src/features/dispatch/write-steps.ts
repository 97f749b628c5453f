import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { realTimeOf } from '../../calendar/twin-clock.ts';
import type { Tx } from '../../database/database.ts';
import type { DecisionDetails } from '../../database/json-columns.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob } from '../../jobs/definitions.ts';
import { enqueueAllPushes, type Notified, subscribedSessions } from '../driver-push/index.ts';
import type { NearDriver } from '../drivers/index.ts';
import type { DecisionKind } from './decisions.ts';
import type { Search } from './searches.ts';

/** The result of a step. */
export interface StepResult {
  search: Search;
  now: Date;
  next: NextStep;
  decision?: StepDecision | undefined;
  /** Drivers who get an offer until the next step. */
  offers?: { drivers: NearDriver[]; payCents: number } | undefined;
}

/** A result whose search goes on: a timer starts its next step. */
export interface TimedResult extends StepResult {
  /** How far the account's clock is ahead of the real one. */
  aheadMs: number;
  traceparent?: string | undefined;
}

interface NextStep {
  state: Search['state'];
  wave: number;
  round: number;
  at: Date;
  spentAt?: Date;
  zoneId?: string;
}

export interface StepDecision {
  kind: DecisionKind;
  details?: DecisionDetails;
  /** Not recorded when the last decision about the shipment is of the same kind: it would repeat at every retry. */
  onlyIfNew?: boolean;
}

/** Records the results of steps and sets the timer of each next one. Older timers find another step and do nothing. */
export async function writeSteps(tx: Tx, jobs: JobSender, steps: TimedResult[]): Promise<void> {
  if (steps.length === 0) return;
  const sessions = await recordSteps(tx, steps);
  await jobs.sendAll(
    tx,
    searchDriverJob,
    steps.map(({ search, aheadMs, traceparent, next }) => {
      const { accountId, shipmentId, id: searchId } = search;
      const timer = { searchId, step: search.step + 1 };
      return { payload: { accountId, shipmentId, timer, traceparent }, startAfter: realTimeOf(next.at, aheadMs) };
    }),
  );
  const pushed = steps.flatMap(({ search, traceparent, offers }): Notified[] => {
    if (!offers) return [];
    const { accountId, shipmentId } = search;
    const driverIds = offers.drivers.map(({ driverId }) => driverId);
    const sessionIds = sessions.get(search.id) ?? [];
    return [{ accountId, shipmentId, driverIds, push: 'offer', traceparent, sessionIds }];
  });
  await enqueueAllPushes(tx, jobs, pushed);
}

/**
 * Writes searches that begin or go on, decisions and offers. Returns the sessions of the subscribed devices of drivers with a
 * new offer, by search.
 */
export async function recordSteps(tx: Tx, steps: StepResult[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ searchId: string; sessions: string[] }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(steps.map(toSearchRow))}) as g (id uuid, account_id uuid,
        shipment_id uuid, is_new boolean, state text, step int, round int, wave smallint, zone_id uuid, now timestamptz,
        next_at timestamptz, spent_at timestamptz)
    ), begun as (
      insert into driver_searches (id, account_id, shipment_id, state, step, round, wave, zone_id, started_at, next_at, spent_at)
      select id, account_id, shipment_id, state, step, round, wave, zone_id, now, next_at, spent_at from given where is_new
    ), stepped as (
      update driver_searches q set state = g.state, step = g.step, round = g.round, wave = g.wave, zone_id = g.zone_id,
        next_at = g.next_at, spent_at = coalesce(q.spent_at, g.spent_at)
      from given g where q.id = g.id and not g.is_new
    ), decided as (
      insert into dispatch_decisions (account_id, shipment_id, search_id, kind, at, details)
      select account_id, shipment_id, search_id, kind, at, details
      from json_to_recordset(${JSON.stringify(steps.flatMap(toDecisionRows))}) as d (account_id uuid, shipment_id uuid,
        search_id uuid, kind text, at timestamptz, details jsonb, only_if_new boolean)
      where not only_if_new or kind is distinct from (
        select last.kind from dispatch_decisions last
        where last.account_id = d.account_id and last.shipment_id = d.shipment_id order by last.number desc limit 1)
    )
    insert into driver_offers (id, search_id, account_id, shipment_id, driver_id, round, wave, metres, offered_at, expires_at, pay_cents)
    select id, search_id, account_id, shipment_id, driver_id, round, wave, metres, offered_at, expires_at, pay_cents
    from json_to_recordset(${JSON.stringify(steps.flatMap(toOfferRows))}) as o (id uuid, search_id uuid, account_id uuid,
      shipment_id uuid, driver_id uuid, round int, wave smallint, metres int, offered_at timestamptz, expires_at timestamptz,
      pay_cents bigint)
    returning search_id as "searchId", ${subscribedSessions('driver_offers.driver_id')} as sessions`.execute(tx);
  const bySearch = Map.groupBy(rows, ({ searchId }) => searchId);
  return new Map([...bySearch].map(([id, found]) => [id, found.flatMap(({ sessions }) => sessions)]));
}

const toSearchRow = ({ search, now, next }: StepResult) => ({
  id: search.id,
  account_id: search.accountId,
  shipment_id: search.shipmentId,
  is_new: search.cause !== null,
  state: next.state,
  step: search.step + 1,
  round: next.round,
  wave: next.wave,
  zone_id: next.zoneId ?? null,
  now,
  next_at: next.at,
  spent_at: next.spentAt ?? null,
});

/** In the order in which they are numbered. */
function toDecisionRows({ search, now, decision }: StepResult) {
  const { id: search_id, accountId: account_id, shipmentId: shipment_id, cause } = search;
  const decided: StepDecision[] = [
    ...(cause === null ? [] : [{ kind: 'started' as const, details: { cause } }]),
    ...(decision ? [decision] : []),
  ];
  return decided.map(({ kind, details = {}, onlyIfNew = false }) => ({
    ...{ account_id, shipment_id, search_id, kind, at: now, details },
    only_if_new: onlyIfNew,
  }));
}

function toOfferRows({ search, now, next, offers }: StepResult) {
  if (!offers) return [];
  const { id: search_id, accountId: account_id, shipmentId: shipment_id } = search;
  const { round, wave, at: expires_at } = next;
  const shared = { search_id, account_id, shipment_id, round, wave, offered_at: now, expires_at };
  return offers.drivers.map(({ driverId: driver_id, metres }) => ({
    ...{ ...shared, id: randomUUIDv7(), driver_id, metres, pay_cents: offers.payCents },
  }));
}
