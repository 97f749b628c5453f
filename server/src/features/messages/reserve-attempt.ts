import type { ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type MessagePayload, sendMessageJob } from '../../jobs/definitions.ts';
import { isWorthSending, MESSAGE_KINDS, type MessageKind, tooLateFor } from './due-messages.ts';

/** Longer than any attempt takes: after it, an attempt without an end counts as lost. */
export const LEASE_MS = 60_000;

export interface ReservedMessage {
  accountId: string;
  id: string;
  kind: MessageKind;
  channel: 'sms' | 'email';
  recipient: string;
  subject: string;
  body: string;
  html: string;
  referenceNumber: string;
  /** This one included. */
  attempts: number;
  /** How the attempt before ended was never known: it may have been accepted. */
  inDoubt: boolean;
}

/**
 * Takes the message for one attempt, on disk before anything is sent, so that whoever comes after a crash knows that
 * something may have left. Null when there is nothing to send: it is done, it is no longer worth it, or somebody else
 * is at it, in which case the job comes back once their time is over.
 */
export async function reserveAttempt(
  db: Database,
  jobs: JobSender,
  payload: MessagePayload,
  now: Date,
): Promise<ReservedMessage | null> {
  return (await reservePending(db, payload, now)) ?? (await reserveOther(db, jobs, payload, now));
}

/** What nearly every message needs, in one statement. */
async function reservePending(db: Database, { accountId, messageId }: MessagePayload, now: Date) {
  const tooLate = JSON.stringify(Object.fromEntries(MESSAGE_KINDS.map((kind) => [kind, tooLateFor(kind)])));
  const { rows } = await sql<MessageRow>`
    update messages m set status = 'sending', attempts = m.attempts + 1, reserved_at = ${now}
    from shipments s
    where m.account_id = ${accountId} and m.id = ${messageId} and m.status = 'pending'
      and s.account_id = m.account_id and s.id = m.shipment_id and not (${tooLate}::jsonb->m.kind ? s.status)
    returning m.kind, m.channel, m.recipient, m.subject, m.body, m.html, m.attempts, s.reference_number`.execute(db);
  return rows[0] ? toReserved(accountId, messageId, rows[0], false) : null;
}

/** It was not pending, or no longer worth sending: looked at with the row locked. */
function reserveOther(db: Database, jobs: JobSender, payload: MessagePayload, now: Date) {
  const { accountId, messageId } = payload;
  return db.transaction().execute(async (tx) => {
    const row = await lock(tx, accountId, messageId);
    if (!row || (row.status !== 'pending' && row.status !== 'sending')) return null;

    const leasedUntil = row.status === 'sending' && row.reserved_at ? row.reserved_at.getTime() + LEASE_MS : 0;
    if (leasedUntil > now.getTime()) {
      await jobs.send(tx, sendMessageJob, payload, { startAfter: new Date(leasedUntil) });
      return null;
    }
    const worth = isWorthSending(row.kind as MessageKind, row.shipment_status as ShipmentStatus);
    const attempts = row.attempts + 1;
    await tx
      .updateTable('messages')
      .set(worth ? { status: 'sending', attempts, reserved_at: now } : { status: 'dropped' })
      .where('account_id', '=', accountId)
      .where('id', '=', messageId)
      .execute();
    return worth ? toReserved(accountId, messageId, { ...row, attempts }, row.status === 'sending') : null;
  });
}

interface MessageRow {
  kind: string;
  channel: string;
  recipient: string | null;
  subject: string | null;
  body: string | null;
  html: string | null;
  attempts: number;
  reference_number: string;
}

function toReserved(accountId: string, id: string, row: MessageRow, inDoubt: boolean): ReservedMessage {
  return {
    accountId,
    id,
    kind: row.kind as MessageKind,
    channel: row.channel as 'sms' | 'email',
    recipient: row.recipient ?? '',
    subject: row.subject ?? '',
    body: row.body ?? '',
    html: row.html ?? '',
    referenceNumber: row.reference_number,
    attempts: row.attempts,
    inDoubt,
  };
}

const lock = (tx: Tx, accountId: string, messageId: string) =>
  tx
    .selectFrom('messages as m')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'm.account_id').onRef('s.id', '=', 'm.shipment_id'),
    )
    .select(['m.kind', 'm.channel', 'm.status', 'm.recipient', 'm.subject', 'm.body', 'm.html', 'm.attempts'])
    .select(['m.reserved_at', 's.status as shipment_status', 's.reference_number'])
    .where('m.account_id', '=', accountId)
    .where('m.id', '=', messageId)
    .forUpdate('m')
    .executeTakeFirst();
