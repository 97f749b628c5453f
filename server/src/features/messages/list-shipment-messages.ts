import type { ShipmentDetail } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { maskContact } from './mask-contact.ts';

type ShipmentMessage = ShipmentDetail['messages'][number];

/** The messages about a shipment, oldest first, with masked contacts and without texts, which hold
 * the recipient's link, except those of test mode. */
export async function listShipmentMessages(
  db: Database,
  accountId: string,
  shipmentId: string,
): Promise<ShipmentMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['kind', 'channel', 'recipient', 'status', 'created_at', 'sent_at', 'body'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('created_at')
    .orderBy('kind')
    .execute();
  return rows.map((row) => ({
    kind: row.kind as ShipmentMessage['kind'],
    channel: row.channel as ShipmentMessage['channel'],
    to: row.recipient && maskContact(row.recipient),
    status: row.status as ShipmentMessage['status'],
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    text: row.status === 'recorded' ? row.body : null,
  }));
}

/** The same for staff, who may send a failed one again: with its id and the reason of the failure. */
export async function listMessagesForStaff(db: Database, accountId: string, shipmentId: string) {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'kind', 'channel', 'recipient', 'status', 'failure', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('created_at')
    .orderBy('kind')
    .execute();
  return rows.map(({ recipient, createdAt, ...message }) => ({
    ...message,
    to: recipient && maskContact(recipient),
    createdAt: createdAt.toISOString(),
  }));
}
