import { randomUUIDv7 } from 'node:crypto';
import type { IncidentKind, MapPoint } from '@navette/contract';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notify } from '../notifications/index.ts';

export interface NewIncident {
  accountId: string;
  shipmentId: string;
  driverId: string;
  kind: IncidentKind;
  note: string | null;
  place: MapPoint | null;
  happenedAt: Date;
  receivedAt: Date;
}

/**
 * Opens an incident, or replaces kind, note and place of the one that is open: a shipment has one at a time. The caller
 * holds the shipment's lock. Members who ship parcels get a mail about a new one.
 */
export async function openIncident(tx: Tx, jobs: JobSender, incident: NewIncident): Promise<void> {
  const { accountId, shipmentId, driverId, kind, note, place, happenedAt, receivedAt } = incident;
  const { rows } = await sql<{ id: string; isNew: boolean }>`
    insert into incidents (account_id, id, shipment_id, driver_id, kind, note, latitude, longitude, happened_at, received_at)
    values (${accountId}, ${randomUUIDv7()}, ${shipmentId}, ${driverId}, ${kind}, ${note},
            ${place?.latitude ?? null}, ${place?.longitude ?? null}, ${happenedAt}, ${receivedAt})
    on conflict (account_id, shipment_id) where resolved_at is null
    do update set kind = excluded.kind, note = excluded.note, latitude = excluded.latitude, longitude = excluded.longitude
    returning id, xmax = 0 as "isNew"`.execute(tx);
  const [opened] = rows;
  if (!opened?.isNew) return;
  const { reference_number: title } = await tx
    .selectFrom('shipments')
    .select('reference_number')
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  const cause = { kind: 'incident', once: opened.id, title, target: shipmentId, about: opened.id } as const;
  await notify(tx, jobs, accountId, cause, receivedAt);
}
