import type { ShipmentDetail, ShipmentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { maskContact } from './mask-contact.ts';
import { readSentMessages, resendRefusal } from './resend-message.ts';

type ShipmentMessage = ShipmentDetail['messages'][number];

/** The messages about a shipment, oldest first, with masked contacts and without texts, which hold
 * the recipient's link, except those of test mode. */
export async function listShipmentMessages(
  db: Database,
  accountId: string,
  shipmentId: string,
  now: Date,
): Promise<ShipmentMessage[]> {
  const messages = await readMessages(db, accountId, shipmentId);
  return messages.map((message) => ({
    kind: message.kind as ShipmentMessage['kind'],
    channel: message.channel as ShipmentMessage['channel'],
    to: message.recipient && maskContact(message.recipient),
    status: message.status as ShipmentMessage['status'],
    createdAt: message.createdAt.toISOString(),
    sentAt: message.sentAt?.toISOString() ?? null,
    resends: message.resends,
    mayResend: resendRefusal(message, messages, message.shipmentStatus as ShipmentStatus, now) === null,
    text: message.status === 'recorded' ? message.body : null,
  }));
}

/** The same for staff, who may also send a failed one again: with its id and the reason of the failure. */
export async function listMessagesForStaff(db: Database, accountId: string, shipmentId: string, now: Date) {
  const messages = await readMessages(db, accountId, shipmentId);
  return messages.map((message) => ({
    id: message.id,
    kind: message.kind,
    channel: message.channel,
    status: message.status,
    failure: message.failure,
    to: message.recipient && maskContact(message.recipient),
    resends: message.resends,
    mayResend: resendRefusal(message, messages, message.shipmentStatus as ShipmentStatus, now) === null,
    createdAt: message.createdAt.toISOString(),
  }));
}

const readMessages = (db: Database, accountId: string, shipmentId: string) =>
  readSentMessages(db, accountId, shipmentId).orderBy('m.created_at').orderBy('m.kind').execute();
