import { ERASED } from '@navette/contract';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import { labelFileNameOf } from '../labels/index.ts';
import { eraseProofs } from '../proofs/index.ts';
import { erasedKeyOf } from '../shipments/index.ts';

/** When a shipment was delivered, cancelled or returned; null before. The same expression as in the indexes of 0019. */
export const ENDED_AT = sql`coalesce(s.delivered_at, s.cancelled_at, s.returned_at)`;

/** Columns to read, with a row lock, before shipments are erased; `s` is the table. */
export const TO_ERASE = sql`s.id, s.number, s.reference_number as "referenceNumber", s.label_suffix as "labelSuffix",
  coalesce((select ' test:' || a.id || ':' from accounts a where a.id = s.account_id and a.live_account_id is not null), '')
    || (s.metadata->>'idempotencyKey') as "idempotencyKey"`;

export interface ShipmentToErase {
  id: string;
  number: number;
  referenceNumber: string;
  labelSuffix: string;
  idempotencyKey: string | null;
}

/**
 * Erases the personal data of these shipments of one account, in every table that copies it. The caller holds their row
 * locks. Keeps the data for statistics, money and audit. Publishes no event and leaves `updated_at` unchanged.
 *
 * Only schedules the deletion of the label file: it follows the commit, because before it the label may be drawn again.
 */
export async function eraseShipments(tx: Tx, accountId: string, shipments: ShipmentToErase[], now: Date) {
  const ids = shipments.map(({ id }) => id);
  await eraseColumns(tx, accountId, ids, now);
  await eraseEvents(tx, accountId, ids);
  await sql`
    delete from shipment_keys where account_id = ${accountId} and newest_first = any(${shipments.map((s) => -s.number)})
      and field in (0, 2, 4)`.execute(tx); // order, recipient and phone of SEARCH_FIELDS; keeps reference and town
  await sql`
    update messages set recipient = null, subject = null, body = null, html = null, provider_id = null,
      erased_at = coalesce(erased_at, ${now}),
      status = case when status in ('pending', 'sending') then 'failed' else status end
    where account_id = ${accountId} and shipment_id = any(${ids})`.execute(tx);
  await sql`
    update dispatch_decisions set details = jsonb_set(details, '{reason}', to_jsonb(${ERASED}::text))
    where account_id = ${accountId} and shipment_id = any(${ids}) and details->>'reason' is not null`.execute(tx);
  await sql`
    update incidents set note = null, latitude = null, longitude = null,
      resolution_reason = case when resolution_reason is not null then ${ERASED} end,
      left_with = case when left_with is not null then ${ERASED} end
    where account_id = ${accountId} and shipment_id = any(${ids})`.execute(tx);
  await sql`
    update driver_commands set latitude = null, longitude = null
    where shipment_id = any(${ids}) and num_nonnulls(latitude, longitude) > 0`.execute(tx);
  await sql`delete from recipient_notes where account_id = ${accountId} and shipment_id = any(${ids})`.execute(tx);
  await sql`delete from recipient_reports where account_id = ${accountId} and shipment_id = any(${ids})`.execute(tx);
  await eraseProofs(tx, accountId, ids, now);
  await hashIdempotencyKeys(tx, shipments);
  await sql`
    insert into label_files_to_delete (file_name, erased_at)
    select name, ${now} from unnest(${shipments.map((s) => labelFileNameOf(s.referenceNumber, s.labelSuffix))}::text[]) name
    on conflict do nothing`.execute(tx);
  await sql`delete from erasure_requests where account_id = ${accountId} and shipment_id = any(${ids})`.execute(tx);
}

async function eraseColumns(tx: Tx, accountId: string, ids: string[], now: Date): Promise<void> {
  await sql`
    update shipments set
      personal_data_erased_at = ${now},
      nature = ${ERASED}, notes = null, group_reference = null, order_id = null, shop_domain = null,
      external_reference_extra = null, metadata = '{}',
      pickup_address = json_build_object(
        'location', null, 'street', ${ERASED}::text, 'city', pickup_address->'city',
        'postalCode', pickup_address->'postalCode', 'country', pickup_address->'country'),
      delivery_address = json_build_object(
        'recipientName', ${ERASED}::text, 'street', ${ERASED}::text, 'city', delivery_address->'city',
        'postalCode', delivery_address->'postalCode', 'country', delivery_address->'country',
        'phoneNumber', ${ERASED}::text, 'email', ${ERASED}::text, 'coordinates', null),
      collection_contact = null, delivery_code = null, needs_location = false, cancel_reason = null, cancelled_by = null,
      delivery_reason = case when delivery_reason is not null then ${ERASED} end -- the audit checks that there was one
    where account_id = ${accountId} and id = any(${ids})`.execute(tx);
}

/** Erases event bodies and the logged responses to them. Two indexes: one for the creation, one for later events. */
async function eraseEvents(tx: Tx, accountId: string, shipmentIds: string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update events set body = null where (account_id, id) in (
      select account_id, id from events
      where account_id = ${accountId} and shipment_id = any(${shipmentIds}) and type = 'shipping.created'
      union all
      select account_id, id from events
      where account_id = ${accountId} and shipment_id = any(${shipmentIds}) and type <> 'shipping.created')
    returning id`.execute(tx);
  const eventIds = rows.map(({ id }) => id);
  await sql`delete from webhook_attempts where account_id = ${accountId} and event_id = any(${eventIds})`.execute(tx);
  await sql`delete from webhook_deliveries where account_id = ${accountId} and event_id = any(${eventIds})`.execute(tx);
}

/** Keys of a test twin are deleted instead: nobody depends on their replay. */
async function hashIdempotencyKeys(tx: Tx, shipments: ShipmentToErase[]): Promise<void> {
  const keys = shipments.flatMap(({ id, idempotencyKey: key }) =>
    key === null ? [] : { shipment_id: id, key, erased: erasedKeyOf(key) },
  );
  await sql`delete from idempotency_keys where key like ' test:%' and key = any(${keys.map(({ key }) => key)})`.execute(
    tx,
  );
  await sql`
    update idempotency_keys k set key = e.erased
    from json_to_recordset(${JSON.stringify(keys)}) as e (shipment_id uuid, key text, erased text)
    where k.key = e.key and k.shipment_id = e.shipment_id`.execute(tx);
}
