import { type MessageKind, OPTIONAL_MESSAGES, type ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { firstIdAt } from '../../database/uuid.ts';
import { isUpToDate } from './due-messages.ts';
import { maskContact } from './mask-contact.ts';

export interface FailedMessage {
  messageId: string;
  kind: MessageKind;
  /** Masked. */
  to: string;
  failure: string | null;
  createdAt: Date;
  shipmentId: string;
  reference: string;
  accountId: string;
  account: string;
}

const RECENT_MS = 2 * 86_400_000; // longer than most parcels take; older ones are late, which is listed by itself

/**
 * Recent messages of any account that could not be sent, latest first, while they are of use: the parcel is under way, and
 * nothing reached the same person by the other channel. Optional messages are left out: the parcel can be delivered without
 * them. The latest failures are read first and judged then, so an
 * outage of the provider costs no more than `limit` rows.
 */
export async function listAnyFailedMessages(
  db: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<FailedMessage[]> {
  const { rows } = await sql<FailedMessage & { status: ShipmentStatus; isReached: boolean }>`
    with failed as materialized (
      select account_id, id, shipment_id, kind, recipient, failure, created_at from messages
      where status = 'failed' and erased_at is null and id >= ${firstIdAt(new Date(now.getTime() - RECENT_MS))}::uuid
        and kind not in (${sql.join(OPTIONAL_MESSAGES.map((kind) => sql.lit(kind)))})
      order by id desc limit ${limit}
    )
    select m.id as "messageId", m.kind, m.recipient as "to", m.failure, m.created_at as "createdAt",
           s.id as "shipmentId", s.reference_number as reference, s.account_id as "accountId", a.name as account, s.status,
           exists (select from messages o
                   where o.account_id = m.account_id and o.shipment_id = m.shipment_id
                     and split_part(o.kind, '-', 1) = split_part(m.kind, '-', 1) and o.status in ('sent', 'pending', 'sending')
           ) as "isReached"
    from failed m
    join shipments s on (s.account_id, s.id) = (m.account_id, m.shipment_id)
    join accounts a on a.id = m.account_id and a.live_account_id is null
    where s.returned_at is null
    order by m.id desc`.execute(db);
  return rows
    .filter(({ kind, status, isReached }) => !isReached && isUpToDate(kind, status))
    .map(({ status: _status, isReached: _isReached, to, ...message }) => ({ ...message, to: maskContact(to) }));
}
