import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { ShipmentChange } from '../../jobs/definitions.ts';
import { keysOf, SEARCH_FIELDS, type Searchable } from './search-key.ts';

interface Born extends Searchable {
  accountId: string;
  number: number;
}

/** Makes new shipments findable. A step that follows their creation, so that creating does not wait for it. */
export async function addSearchKeys(tx: Tx, changes: ShipmentChange[]): Promise<void> {
  const births = changes.filter(({ status, eventId }) => eventId && (status === 'created' || status === 'programmed'));
  if (births.length === 0) return;
  const { rows } = await sql<Born>`
    select s.account_id as "accountId", s.number, s.order_id as "orderId", s.reference_number as "referenceNumber",
           s.delivery_address ->> 'recipientName' as "recipientName", s.delivery_address ->> 'city' as city
    from json_to_recordset(${JSON.stringify(births)}) as born ("accountId" uuid, "shipmentId" uuid)
    join shipments s on (s.account_id, s.id) = (born."accountId", born."shipmentId")
  `.execute(tx);
  const keys = rows.flatMap((shipment) =>
    keysOf(shipment).map(([field, key]) => ({
      account_id: shipment.accountId,
      field: SEARCH_FIELDS.indexOf(field),
      key,
      newest_first: -shipment.number,
    })),
  );
  await sql`
    insert into shipment_keys (account_id, field, key, newest_first)
    select account_id, field, key, newest_first from json_to_recordset(${JSON.stringify(keys)})
      as k (account_id uuid, field smallint, key text, newest_first bigint)
    order by account_id, field, key, newest_first
    on conflict do nothing
  `.execute(tx);
}
