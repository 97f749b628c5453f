import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { ShipmentChange } from '../../jobs/definitions.ts';
import { keysOf, SEARCH_FIELDS, type Searchable } from './search-key.ts';

export interface Born extends Searchable {
  accountId: string;
  number: number;
}

export const BORN = sql`s.account_id as "accountId", s.number, s.order_id as "orderId", s.reference_number as "referenceNumber",
  s.delivery_address ->> 'recipientName' as "recipientName", s.delivery_address ->> 'city' as city`;

/** Makes new shipments findable. A step that follows their creation, so that creating does not wait for it. */
export async function addSearchKeys(tx: Tx, changes: ShipmentChange[]): Promise<void> {
  const births = changes.filter(({ status, eventId }) => eventId && (status === 'created' || status === 'programmed'));
  if (births.length === 0) return;
  const { rows } = await sql<Born>`
    select ${BORN}
    from json_to_recordset(${JSON.stringify(births)}) as born ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (born."accountId", born."shipmentId")
  `.execute(tx);
  await insertKeys(tx, rows);
}

/** In the order of the primary key, so that two who insert the same never wait for each other in a circle. */
export async function insertKeys(db: Database | Tx, shipments: Born[]): Promise<number> {
  const keys = shipments.flatMap((shipment) =>
    keysOf(shipment).map(([field, key]) => ({
      account_id: shipment.accountId,
      field: SEARCH_FIELDS.indexOf(field),
      key,
      newest_first: -shipment.number,
    })),
  );
  const { numAffectedRows } = await sql`
    insert into shipment_keys (account_id, field, key, newest_first)
    select account_id, field, key, newest_first from json_to_recordset(${JSON.stringify(keys)})
      as k (account_id uuid, field smallint, key text, newest_first bigint)
    order by account_id, field, key, newest_first
    on conflict do nothing
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}
