import type { AssignmentPreview, ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { SHIPMENT_VERSION } from '../dispatch/index.ts';
import { ACTIVE_RUN_LITERALS, type DriverPositions } from '../drivers/index.ts';
import { planAssignments, type ShipmentToAssign } from './plan-assignments.ts';

export interface PreviewContext {
  db: Database;
  positions: DriverPositions;
  config: Pick<Config, 'dispatch' | 'inbox' | 'timeZone'>;
  now: Date;
}

interface Preview {
  driver: { id: string; name: string; available: boolean; runs: number; runsPerDriver: number };
  rows: AssignmentPreview[];
}

/** The effect of assigning these shipments of any account to the driver. Null when there is no such driver. */
export async function previewAnyAssignments(
  { db, positions, config, now }: PreviewContext,
  driverId: string,
  shipmentIds: string[],
): Promise<Preview | null> {
  const wanted = shipmentIds.map((id) => id.toLowerCase());
  const [driver, found, position] = await Promise.all([
    readDriver(db, driverId),
    readAnyShipments(db, driverId, wanted.filter(isUuid)),
    positions.find(driverId).catch(() => null),
  ]);
  if (!driver) return null;
  const { runsPerDriver } = config.dispatch;
  const settings = { ...config.dispatch, ...config.inbox, timeZone: config.timeZone };
  const rows = wanted.map((shipmentId) => ({ shipmentId, found: found.get(shipmentId) }));
  const { id, name, available, runs, isDisabled } = driver;
  const planned = { id, available, isDisabled, runs, position };
  return { driver: { id, name, available, runs, runsPerDriver }, rows: planAssignments(planned, rows, settings, now) };
}

async function readDriver(db: Database, driverId: string) {
  const { rows } = await sql<{ id: string; name: string; available: boolean; isDisabled: boolean; runs: number }>`
    select d.id, d.first_name || ' ' || d.last_name as name, d.available, d.disabled_at is not null as "isDisabled",
           (select count(*) from shipments s
            where s.driver_id = d.id and s.status in (${sql.join(ACTIVE_RUN_LITERALS)}) and s.returned_at is null) as runs
    from drivers d where d.id = ${driverId} and d.test_account_id is null`.execute(db);
  return rows[0];
}

interface Row {
  id: string;
  reference: string;
  version: string;
  status: ShipmentStatus;
  currentId: string | null;
  currentName: string | null;
  slotStartsAt: Date | null;
  estimatedDeliveryAt: Date | null;
  createdAt: Date;
  coordinates: [longitude: number, latitude: number] | null;
  refusedBefore: boolean;
}

async function readAnyShipments(db: Database, driverId: string, ids: string[]): Promise<Map<string, ShipmentToAssign>> {
  const { rows } = await sql<Row>`
    select s.id, s.reference_number as reference, ${SHIPMENT_VERSION} as version, s.status, d.id as "currentId",
           d.first_name || ' ' || d.last_name as "currentName", s.slot_starts_at as "slotStartsAt",
           s.estimated_delivery_at as "estimatedDeliveryAt", s.created_at as "createdAt",
           s.pickup_address->'location'->'coordinates' as coordinates,
           exists (select from driver_offers o where o.driver_id = ${driverId} and o.shipment_id = s.id
                   and o.answer = 'refused')
           or exists (select from dispatch_decisions x where x.account_id = s.account_id and x.shipment_id = s.id
                      and x.driver_id = ${driverId} and x.kind in ('abandoned', 'taken away')) as "refusedBefore"
    from shipments s join accounts a on a.id = s.account_id and a.live_account_id is null
    left join drivers d on d.id = s.driver_id
    where s.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, toShipment(row)]));
}

function toShipment(row: Row): ShipmentToAssign {
  const { id, reference, version, status, currentId, currentName, coordinates, ...same } = row;
  const driver = currentId ? { id: currentId, name: currentName ?? '' } : null;
  const [longitude, latitude] = coordinates ?? [];
  return {
    ...same,
    shipment: { id, reference, status, version, driver },
    pickup: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
  };
}
