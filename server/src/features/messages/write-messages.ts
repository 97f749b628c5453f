import { randomUUIDv7 } from 'node:crypto';
import type { Shipment, ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type ShipmentChange, sendMessageJob } from '../../jobs/definitions.ts';
import { composeMessage, type MessageSettings, type ShipmentToAnnounce } from './compose-message.ts';
import { dueMessages } from './due-messages.ts';

/**
 * Writes what changes have to tell people, each message with the job that sends it, all in the caller's transaction.
 * Called again for the same change, or for a second assignment, it finds the rows there and adds none.
 */
export async function writeMessages(
  tx: Tx,
  jobs: JobSender,
  settings: MessageSettings,
  changes: ShipmentChange[],
): Promise<void> {
  const telling = changes.filter(({ status }) => status === 'created' || status === 'assigned');
  if (telling.length === 0) return;
  const messages = (await findShipments(tx, telling)).flatMap((row) => compose(row, settings));
  if (messages.length === 0) return;
  const written = await tx
    .insertInto('messages')
    .values(messages)
    .onConflict((conflict) => conflict.columns(['account_id', 'shipment_id', 'kind', 'channel']).doNothing())
    .returning(['account_id', 'id', 'status'])
    .execute();
  const pending = written.filter(({ status }) => status === 'pending');
  await jobs.sendAll(
    tx,
    sendMessageJob,
    pending.map(({ account_id: accountId, id: messageId }) => ({ payload: { accountId, messageId } })),
  );
}

interface Row {
  changed_to: ShipmentStatus;
  account_id: string;
  id: string;
  status: ShipmentStatus;
  born_as: ShipmentStatus;
  reference_number: string;
  merchant_name: string;
  is_collection: boolean;
  slot_starts_at: Date | null;
  time_slot: string | null;
  pickup_address: Shipment['pickupAddress'];
  delivery_address: Shipment['deliveryAddress'];
  collection_contact: ShipmentToAnnounce['collectionContact'];
}

async function findShipments(tx: Tx, changes: ShipmentChange[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select c.status as changed_to, s.account_id, s.id, s.status, s.status_history->0->>'status' as born_as,
           s.reference_number, a.name as merchant_name, s.is_collection, s.slot_starts_at, s.time_slot,
           s.pickup_address, s.delivery_address, s.collection_contact
    from json_to_recordset(${JSON.stringify(changes)}) as c ("accountId" uuid, "shipmentId" uuid, status text)
    join shipments s on (s.account_id, s.id) = (c."accountId", c."shipmentId")
    join accounts a on a.id = s.account_id
  `.execute(tx);
  return rows;
}

function compose(row: Row, settings: MessageSettings) {
  const { status, born_as: bornAs, is_collection: isCollection } = row;
  const shipment: ShipmentToAnnounce = {
    referenceNumber: row.reference_number,
    merchantName: row.merchant_name,
    isExpress: bornAs === 'created',
    isCollection,
    slotStartsAt: row.slot_starts_at,
    timeSlot: row.time_slot,
    pickupAddress: row.pickup_address,
    deliveryAddress: row.delivery_address,
    collectionContact: row.collection_contact,
  };
  return dueMessages(row.changed_to, { status, bornAs, isCollection }).map((kind) => ({
    account_id: row.account_id,
    id: randomUUIDv7(),
    shipment_id: row.id,
    kind,
    created_at: new Date(),
    ...composeMessage(kind, shipment, settings),
  }));
}
