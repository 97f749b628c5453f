import type { IncidentKind, IncidentResolution, ShipmentIncident } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** The incidents of a shipment for the merchant's members, oldest first. */
export async function listShipmentIncidents(
  db: Database,
  accountId: string,
  shipmentId: string,
): Promise<ShipmentIncident[]> {
  const rows = await selectOfShipment(db, accountId, shipmentId).execute();
  return rows.map(present);
}

/** The same for staff, with the actor and the reason of the decision. */
export async function listIncidentsForStaff(db: Database, accountId: string, shipmentId: string) {
  const rows = await selectOfShipment(db, accountId, shipmentId).execute();
  return rows.map((row) => ({ ...present(row), resolvedBy: row.resolvedBy, reason: row.reason }));
}

const selectOfShipment = (db: Database, accountId: string, shipmentId: string) =>
  selectIncidents(db)
    .where('i.account_id', '=', accountId)
    .where('i.shipment_id', '=', shipmentId)
    .orderBy('i.happened_at');

type IncidentRow = Awaited<ReturnType<ReturnType<typeof selectOfShipment>['execute']>>[number];

function present(row: IncidentRow): ShipmentIncident {
  return {
    id: row.id,
    kind: row.kind as IncidentKind,
    note: row.note,
    happenedAt: row.happenedAt.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    resolution: row.resolution as IncidentResolution | null,
    leftWith: row.leftWith,
  };
}

/** Open incidents of all live accounts, oldest first, for the operator. */
export async function listAnyOpenIncidents(db: Database, limit?: number) {
  const open = selectAnyIncidents(db).where('i.resolved_at', 'is', null).orderBy('i.happened_at');
  return (limit === undefined ? open : open.limit(limit)).execute();
}

/** Every incident of a shipment of any account, oldest first. */
export async function listAnyIncidentsOf(db: Database, referenceNumber: string) {
  return selectAnyIncidents(db).where('s.reference_number', '=', referenceNumber).orderBy('i.happened_at').execute();
}

const selectIncidents = (db: Database) =>
  db
    .selectFrom('incidents as i')
    .select(['i.id', 'i.kind', 'i.note', 'i.happened_at as happenedAt', 'i.received_at as receivedAt'])
    .select(['i.resolved_at as resolvedAt', 'i.resolution', 'i.left_with as leftWith'])
    .select(['i.resolved_by as resolvedBy', 'i.resolution_reason as reason', 'i.latitude', 'i.longitude']);

const selectAnyIncidents = (db: Database) =>
  selectIncidents(db)
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'i.account_id').onRef('s.id', '=', 'i.shipment_id'),
    )
    .innerJoin('accounts as a', (join) => join.onRef('a.id', '=', 'i.account_id').on('a.live_account_id', 'is', null))
    .innerJoin('drivers as d', 'd.id', 'i.driver_id')
    .select(['s.id as shipmentId', 's.reference_number as reference', 's.status'])
    .select(['a.id as accountId', 'a.name as account'])
    .select(['d.email as driver', 'd.id as driverId', 'd.phone_number as driverPhone'])
    .select(sql<string>`d.first_name || ' ' || d.last_name`.as('driverName'));
