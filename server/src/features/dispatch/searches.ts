import { randomUUIDv7 } from 'node:crypto';
import type { ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { ShipmentPayload } from '../../jobs/definitions.ts';

/**
 * A search for a driver. Lock order: shipments, searches, offers, one driver, the account's counters, the driver's
 * balance; several shipments or searches by account and shipment. The shipment's lock comes first, so that exactly one
 * driver gets the run.
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
  /** Why it starts. Null for one that is in the database already. */
  cause: string | null;
}

export interface LockedShipment {
  accountId: string;
  id: string;
  status: ShipmentStatus;
  driverId: string | null;
  history: { status: ShipmentStatus; at: string }[];
}

const SHIPMENT = sql`s.account_id as "accountId", s.id, s.status, s.driver_id as "driverId", s.status_history as history`;
const SEARCH = sql`q.id, q.account_id as "accountId", q.shipment_id as "shipmentId", q.state, q.step, q.round, q.wave,
  q.zone_id as "zoneId", null as cause`;

export async function lockShipment(tx: Tx, accountId: string, id: string): Promise<LockedShipment | null> {
  const { rows } = await sql<LockedShipment>`
    select ${SHIPMENT} from shipments s where s.account_id = ${accountId} and s.id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

/** Returns them by their id. */
export async function lockShipments(
  tx: Tx,
  wanted: ShipmentPayload[],
  { skipLocked }: { skipLocked: boolean },
): Promise<Map<string, LockedShipment>> {
  const { rows } = await sql<LockedShipment>`
    select ${SHIPMENT}
    from json_to_recordset(${JSON.stringify(wanted.map(keyOf))}) as w ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (w."accountId", w."shipmentId")
    order by s.account_id, s.id for update of s ${skipLocked ? sql`skip locked` : sql``}`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function lockActiveSearch(tx: Tx, accountId: string, shipmentId: string): Promise<Search | null> {
  const { rows } = await sql<Search>`
    select ${SEARCH} from driver_searches q
    where q.account_id = ${accountId} and q.shipment_id = ${shipmentId} and q.ended_at is null for update`.execute(tx);
  return rows[0] ?? null;
}

/** Returns them by their shipment. */
export async function lockActiveSearches(tx: Tx, wanted: ShipmentPayload[]): Promise<Map<string, Search>> {
  const { rows } = await sql<Search>`
    select q.* from (
      select * from json_to_recordset(${JSON.stringify(wanted.map(keyOf))}) as w ("accountId" uuid, "shipmentId" uuid) order by 1, 2
    ) w cross join lateral (
      select ${SEARCH} from driver_searches q
      where q.account_id = w."accountId" and q.shipment_id = w."shipmentId" and q.ended_at is null for update
    ) q`.execute(tx); // a join would read all active searches while there are few, and go on when there are many
  return new Map(rows.map((row) => [row.shipmentId, row]));
}

const keyOf = ({ accountId, shipmentId }: ShipmentPayload) => ({ accountId, shipmentId });

/** A search that its first step writes. */
export function newSearch({ accountId, id: shipmentId, history }: LockedShipment): Search {
  const before = history.at(-2)?.status;
  const cause = before === 'programmed' ? 'its time had come' : before ? GIVEN_BACK : 'it is express';
  const id = randomUUIDv7();
  return { id, accountId, shipmentId, state: 'searching', step: 0, round: 1, wave: 0, zoneId: null, cause };
}

const GIVEN_BACK = 'it was given back';

/** No driver has answered an offer of the shipment, or given it back: there is nothing to look up. */
export const isFirstStep = ({ cause }: Search): boolean => cause !== null && cause !== GIVEN_BACK;

export const secondsAfter = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000);
