import type { ShipmentDetail } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { maskContact } from './mask-contact.ts';

type ToldMessage = ShipmentDetail['messages'][number];

/** What people were told of a shipment, oldest first: to whom is masked, and what was said is not shown (it holds codes). */
export async function listShipmentMessages(
  db: Database,
  accountId: string,
  shipmentId: string,
): Promise<ToldMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['kind', 'channel', 'recipient', 'status', 'created_at', 'sent_at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('created_at')
    .orderBy('kind')
    .execute();
  return rows.map((row) => ({
    kind: row.kind as ToldMessage['kind'],
    channel: row.channel as ToldMessage['channel'],
    to: row.recipient && maskContact(row.recipient),
    status: row.status as ToldMessage['status'],
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }));
}
