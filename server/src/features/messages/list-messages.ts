import type { Database } from '../../database/database.ts';
import { maskContact } from './mask-contact.ts';

export interface MessageFilter {
  referenceNumber?: string;
  failedOnly?: boolean;
  limit: number;
}

/** The latest messages of any live account, for the operator. Shows texts of the development provider only. */
export async function listMessagesOfAnyAccount(db: Database, { referenceNumber, failedOnly, limit }: MessageFilter) {
  let query = db
    .selectFrom('messages as m')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'm.account_id').onRef('s.id', '=', 'm.shipment_id'),
    )
    .innerJoin('accounts as a', (join) => join.onRef('a.id', '=', 'm.account_id').on('a.live_account_id', 'is', null))
    .select(['m.id', 'm.kind', 'm.status', 'm.recipient', 'm.body', 'm.attempts', 'm.provider', 'm.failure'])
    .select(['m.segments', 'm.doubtful', 'm.created_at', 'm.sent_at', 's.reference_number'])
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(limit);
  query = referenceNumber
    ? query.where('s.reference_number', '=', referenceNumber)
    : query.where('m.erased_at', 'is', null); // lets an index provide the order
  if (failedOnly) query = query.where('m.status', '=', 'failed');
  const rows = await query.execute();
  return rows.map((row) => ({
    createdAt: row.created_at,
    shipment: row.reference_number,
    kind: row.kind,
    status: row.status,
    to: row.recipient && maskContact(row.recipient),
    attempts: row.attempts,
    segments: row.segments,
    provider: row.provider,
    failure: row.failure,
    doubtful: row.doubtful,
    sentAt: row.sent_at,
    text: row.provider === 'development' ? row.body : null,
  }));
}
