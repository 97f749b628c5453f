import type { MapPoint } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { ShipmentPayload } from '../../jobs/definitions.ts';
import { DROP_POINT, IS_OPEN_DROP, IS_OPEN_PICKUP, PICKUP_POINT } from '../shipments/index.ts';

/** A zone that is neither lifted nor over: no run with a stop in it is offered. */
export interface StandingZone {
  id: string;
  endsAt: Date;
  reason: string;
  message: string | null;
}

/** Any number that no other advisory lock of the service uses. */
const ZONES_LOCK = 730_030;

/**
 * Steps of searches hold the lock together; the act that creates a zone holds it alone. So a step either
 * sees the zone, or has committed its offers before the zone exists, and these are withdrawn afterwards.
 */
export const lockZonesForStep = (tx: Tx) => sql`select pg_advisory_xact_lock_shared(${ZONES_LOCK})`.execute(tx);
export const lockZonesForChange = (tx: Tx) => sql`select pg_advisory_xact_lock(${ZONES_LOCK})`.execute(tx);

/**
 * The zone over the pickup or the place of delivery of each shipment that lasts longest, by the shipment. Call it under the lock of
 * a step. Shipments are not looked at while no zone stands.
 */
export async function findZonesOver(
  tx: Tx,
  steps: { wanted: ShipmentPayload; now: Date }[],
): Promise<(shipmentId: string) => StandingZone | undefined> {
  const given = steps.map(({ wanted: { accountId, shipmentId }, now }) => ({ accountId, shipmentId, now }));
  const earliest = new Date(Math.min(...steps.map(({ now }) => now.getTime())));
  const { rows } = await sql<StandingZone & { shipmentId: string }>`
    select distinct on (s.id) s.id as "shipmentId", z.id, z.ends_at as "endsAt", z.reason, z.message
    from json_to_recordset(${JSON.stringify(given)}) as g ("accountId" uuid, "shipmentId" uuid, now timestamptz)
    join shipments s on s.account_id = g."accountId" and s.id = g."shipmentId"
    join accounts a on a.id = s.account_id and a.live_account_id is null
    join zones z on z.lifted_at is null and z.ends_at > g.now and (z.area @> ${PICKUP_POINT} or z.area @> ${DROP_POINT})
    where (select exists (select from zones where lifted_at is null and ends_at > ${earliest}))
    order by s.id, z.ends_at desc`.execute(tx);
  const found = new Map(rows.map(({ shipmentId, ...zone }) => [shipmentId, zone]));
  return (shipmentId) => found.get(shipmentId);
}

/** The text form of a PostgreSQL polygon. */
export const polygonText = (corners: readonly MapPoint[]): string =>
  `(${corners.map(({ latitude, longitude }) => `(${longitude},${latitude})`).join(',')})`;

export const readPolygon = (text: string): MapPoint[] =>
  [...text.matchAll(/\(([-\d.e]+),([-\d.e]+)\)/g)].map(([, longitude, latitude]) => ({
    latitude: Number(latitude),
    longitude: Number(longitude),
  }));

/** Open shipments of any live account with a stop in the area. Found by the indexes of open stops. */
const shipmentsIn = (area: string) => sql`
  select s.account_id, s.id, s.status, s.activate_at
  from shipments s join accounts a on a.id = s.account_id and a.live_account_id is null and a.moved_to is null
  where ${IS_OPEN_PICKUP} and ${PICKUP_POINT} <@ ${area}::polygon
  union
  select s.account_id, s.id, s.status, s.activate_at
  from shipments s join accounts a on a.id = s.account_id and a.live_account_id is null and a.moved_to is null
  where ${IS_OPEN_DROP} and ${DROP_POINT} <@ ${area}::polygon`;

export interface ZoneEffect {
  searches: number;
  recipients: number;
  later: number;
  withDriver: number;
}

export async function readAnyZoneEffect(db: Database, corners: MapPoint[], endsAt: Date): Promise<ZoneEffect> {
  const { rows } = await sql<ZoneEffect>`
    select count(*) filter (where s.status = 'created') as searches,
           count(*) filter (where s.status = 'created' and not exists (select from messages m
             where (m.account_id, m.shipment_id, m.kind) = (s.account_id, s.id, 'zone-email'))) as recipients,
           count(*) filter (where s.status = 'programmed' and s.activate_at < ${endsAt}) as later,
           count(*) filter (where s.status in ('assigned', 'picked_up', 'in_transit')) as "withDriver"
    from (${shipmentsIn(polygonText(corners))}) s`.execute(db);
  return rows[0] ?? { searches: 0, recipients: 0, later: 0, withDriver: 0 };
}

/** Shipments of any account in the zone whose search does not wait for it yet, in the order of their ids. */
export async function listAnyToHold(
  db: Database,
  { id, area }: { id: string; area: string },
  { after, limit }: { after: string; limit: number },
): Promise<{ accountId: string; shipmentId: string }[]> {
  const { rows } = await sql<{ accountId: string; shipmentId: string }>`
    select s.account_id as "accountId", s.id as "shipmentId"
    from (${shipmentsIn(area)}) s
    join driver_searches q on q.account_id = s.account_id and q.shipment_id = s.id and q.ended_at is null
    where s.status = 'created' and s.id > ${after} and q.zone_id is distinct from ${id}
    order by s.id limit ${limit}`.execute(db);
  return rows;
}
