import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { ShipmentChange } from '../../jobs/definitions.ts';
import { keysOf, SEARCH_FIELDS, type Searchable } from './search-key.ts';

export interface SearchableShipment extends Searchable {
  id: string;
  accountId: string;
  number: number;
}

export const SEARCHABLE_COLUMNS = sql`s.id, s.account_id as "accountId", s.number, s.order_id as "orderId", s.reference_number as "referenceNumber",
  s.delivery_address ->> 'recipientName' as "recipientName", s.delivery_address ->> 'city' as city,
  s.delivery_address ->> 'phoneNumber' as "phoneNumber"`;

/** Adds the search keys of new shipments. Runs after their creation, which does not wait for it. */
export async function addSearchKeys(tx: Tx, changes: ShipmentChange[]): Promise<void> {
  const creations = changes.filter(
    ({ status, eventId }) => eventId && (status === 'created' || status === 'programmed'),
  );
  if (creations.length === 0) return;
  const { rows } = await sql<SearchableShipment>`
    select ${SEARCHABLE_COLUMNS}
    from json_to_recordset(${JSON.stringify(creations)}) as created ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (created."accountId", created."shipmentId")
  `.execute(tx);
  await insertKeys(tx, rows);
}

/** Inserts in primary key order: one lock order prevents deadlocks. */
export async function insertKeys(tx: Tx, shipments: SearchableShipment[]): Promise<number> {
  const keys = shipments.flatMap((shipment) =>
    keysOf(shipment).map(([field, key]) => ({
      account_id: shipment.accountId,
      field: SEARCH_FIELDS.indexOf(field),
      key,
      newest_first: -shipment.number,
      shipment_id: shipment.id,
    })),
  );
  const { numAffectedRows } = await sql`
    insert into shipment_keys as stored (account_id, field, key, newest_first, shipment_id)
    select account_id, field, key, newest_first, shipment_id from json_to_recordset(${JSON.stringify(keys)})
      as k (account_id uuid, field smallint, key text, newest_first bigint, shipment_id uuid)
    order by account_id, field, key, newest_first
    on conflict (account_id, field, key, newest_first) do update set shipment_id = excluded.shipment_id
      where stored.shipment_id is null
  `.execute(tx);
  return Number(numAffectedRows ?? 0);
}
