import { randomUUIDv7 } from 'node:crypto';
import type { Shipment, ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type ShipmentChange, sendMessageJob, traceparentsOf } from '../../jobs/definitions.ts';
import type { Traced } from '../../observability/trace-context.ts';
import { composeMessage, type MessageSettings, type ShipmentToAnnounce } from './compose-message.ts';
import { dueMessages } from './due-messages.ts';
import type { SmsRefusal } from './phone-number.ts';

/**
 * Inserts the messages due after changes, each with the job that sends it, in the caller's transaction. Idempotent: for
 * the same change again, or for a second assignment, it finds the rows and adds none. Returns why SMS were refused.
 */
export async function writeMessages(
  tx: Tx,
  jobs: JobSender,
  settings: MessageSettings,
  changes: Traced<ShipmentChange>[],
): Promise<SmsRefusal[]> {
  const relevant = changes.filter(({ status }) => status === 'created' || status === 'assigned');
  if (relevant.length === 0) return [];
  const messages = (await findShipments(tx, relevant)).flatMap((row) => compose(row, settings));
  messages.sort(byUniqueKey);
  if (messages.length === 0) return [];
  const written = await tx
    .insertInto('messages')
    .values(messages)
    .onConflict((conflict) => conflict.columns(['account_id', 'shipment_id', 'kind', 'channel']).doNothing())
    .returning(['account_id', 'id', 'shipment_id', 'status', 'failure'])
    .execute();
  const traces = traceparentsOf(relevant);
  const pending = written.filter(({ status }) => status === 'pending');
  await jobs.sendAll(
    tx,
    sendMessageJob,
    pending.map(({ account_id: accountId, id: messageId, shipment_id: shipmentId }) => ({
      payload: { accountId, messageId, traceparent: traces.get(shipmentId) },
    })),
  );
  return written.flatMap(({ failure }) => (failure as SmsRefusal | null) ?? []);
}

type Message = ReturnType<typeof compose>[number];

/** One lock order for all batches prevents deadlocks: the same shipments may be in two concurrent batches. */
const byUniqueKey = (a: Message, b: Message) => (keyOf(a) < keyOf(b) ? -1 : 1);
const keyOf = ({ account_id, shipment_id, kind }: Message) => `${account_id} ${shipment_id} ${kind}`;

interface Row {
  changed_to: ShipmentStatus;
  account_id: string;
  id: string;
  status: ShipmentStatus;
  initial_status: ShipmentStatus;
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
    select c.status as changed_to, s.account_id, s.id, s.status, s.status_history->0->>'status' as initial_status,
           s.reference_number, a.name as merchant_name, s.is_collection, s.slot_starts_at, s.time_slot,
           s.pickup_address, s.delivery_address, s.collection_contact
    from json_to_recordset(${JSON.stringify(changes)}) as c ("accountId" uuid, "shipmentId" uuid, status text)
    join shipments s on (s.account_id, s.id) = (c."accountId", c."shipmentId")
    join accounts a on a.id = s.account_id
  `.execute(tx);
  return rows;
}

function compose(row: Row, settings: MessageSettings) {
  const { status, initial_status: initialStatus, is_collection: isCollection } = row;
  const shipment: ShipmentToAnnounce = {
    referenceNumber: row.reference_number,
    merchantName: row.merchant_name,
    isExpress: initialStatus === 'created',
    isCollection,
    slotStartsAt: row.slot_starts_at,
    timeSlot: row.time_slot,
    pickupAddress: row.pickup_address,
    deliveryAddress: row.delivery_address,
    collectionContact: row.collection_contact,
  };
  return dueMessages(row.changed_to, { status, initialStatus, isCollection }).map((kind) => ({
    account_id: row.account_id,
    id: randomUUIDv7(),
    shipment_id: row.id,
    kind,
    created_at: new Date(),
    ...composeMessage(kind, shipment, settings),
  }));
}
