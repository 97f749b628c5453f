import type { ShipmentDetail } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { maskContact } from './mask-contact.ts';

type ShipmentMessage = ShipmentDetail['messages'][number];

/** The messages about a shipment, oldest first, with masked contacts and without texts, which hold delivery codes. */
export async function listShipmentMessages(
  db: Database,
  accountId: string,
  shipmentId: string,
): Promise<ShipmentMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['kind', 'channel', 'recipient', 'status', 'created_at', 'sent_at'])
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
  }));
}
