import { MESSAGE_KINDS, type MessageKind, type ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import { localDay } from '../../calendar/local-calendar.ts';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type MessagePayload, sendMessageJob } from '../../jobs/definitions.ts';
import { isUpToDate, outdatedStatuses } from './due-messages.ts';
import type { SmsRefusal } from './phone-number.ts';

/** Longer than any attempt takes. An attempt without an outcome counts as lost afterwards. */
export const LEASE_MS = 60_000;

export type SmsBudget = Pick<Config, 'smsPerAccountPerDay' | 'timeZone'>;

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
  /** Including this one. */
  attempts: number;
  /** The outcome of the previous attempt is unknown: the provider may have accepted it. */
  inDoubt: boolean;
}

/**
 * Reserves the message for one attempt. The reservation commits before anything is sent, so that after a crash the next
 * worker knows that the message may have left. Null when there is nothing to send: the message was sent, is out of date
 * or refused, or another worker holds the lease. The job then runs again after the lease.
 */
export async function reserveAttempt(
  db: Database,
  jobs: JobSender,
  payload: MessagePayload,
  budget: SmsBudget,
  now: Date,
): Promise<ReservedMessage | 'beyond-budget' | null> {
  const found = await reservePending(db, payload, budget, now);
  if (found) return found.status === 'sending' ? toReserved(payload, found, false) : 'beyond-budget';
  return reserveOther(db, jobs, payload, budget, now);
}

/**
 * The common case in one statement. It also counts the first attempt of an SMS, so that concurrent workers and crashes
 * cannot exceed the budget. An SMS beyond the budget fails for good: by the next day its parcel has arrived.
 */
async function reservePending(
  db: Database | Tx,
  { accountId, messageId }: MessagePayload,
  { smsPerAccountPerDay, timeZone }: SmsBudget,
  now: Date,
) {
  const outdated = JSON.stringify(Object.fromEntries(MESSAGE_KINDS.map((kind) => [kind, outdatedStatuses(kind)])));
  const budgetSpent: SmsRefusal = 'DAILY_BUDGET_SPENT';
  const { rows } = await sql<MessageRow>`
    with due as materialized (
      select m.account_id, m.id, s.reference_number, m.channel = 'sms' and m.attempts = 0 as is_counted,
             coalesce(a.sms_per_day, ${smsPerAccountPerDay}::int) as sms_per_day
      from messages m
      join shipments s on (s.account_id, s.id) = (m.account_id, m.shipment_id)
      join accounts a on a.id = m.account_id
      where m.account_id = ${accountId} and m.id = ${messageId} and m.status = 'pending'
        and not (${outdated}::jsonb->m.kind ? s.status)
      for no key update of m
    ), counted as (
      insert into sms_days as d (account_id, day, reserved)
      select account_id, ${localDay(now, timeZone)}::date, 1 from due where is_counted and sms_per_day > 0
      on conflict (account_id, day) do update set reserved = d.reserved + 1
        where d.reserved < (select sms_per_day from due)
      returning true
    ), decided as (
      select *, not is_counted or exists (select from counted) as is_within from due
    )
    update messages m set
      status = case when is_within then 'sending' else 'failed' end,
      failure = case when is_within then m.failure else ${budgetSpent} end,
      attempts = m.attempts + is_within::int,
      reserved_at = case when is_within then ${now}::timestamptz end
    from decided d
    where (m.account_id, m.id) = (d.account_id, d.id)
    returning m.status, m.kind, m.channel, m.recipient, m.subject, m.body, m.html, m.attempts, d.reference_number`.execute(
    db,
  );
  return rows[0];
}

/** The message was not pending, or is out of date: decides with the row locked. */
function reserveOther(db: Database, jobs: JobSender, payload: MessagePayload, budget: SmsBudget, now: Date) {
  const { accountId, messageId } = payload;
  return db.transaction().execute(async (tx) => {
    const row = await lock(tx, accountId, messageId);
    if (!row || (row.status !== 'pending' && row.status !== 'sending')) return null;

    const leasedUntil = row.status === 'sending' && row.reserved_at ? row.reserved_at.getTime() + LEASE_MS : 0;
    if (leasedUntil > now.getTime()) {
      await jobs.send(tx, sendMessageJob, payload, { startAfter: new Date(leasedUntil) });
      return null;
    }
    const upToDate = isUpToDate(row.kind as MessageKind, row.shipment_status as ShipmentStatus);
    if (upToDate && row.status === 'pending') {
      const found = await reservePending(tx, payload, budget, now); // its last attempt was postponed just now
      if (!found) return null;
      return found.status === 'sending' ? toReserved(payload, found, false) : 'beyond-budget';
    }
    const attempts = row.attempts + 1;
    await tx
      .updateTable('messages')
      .set(upToDate ? { status: 'sending', attempts, reserved_at: now } : { status: 'dropped' })
      .where('account_id', '=', accountId)
      .where('id', '=', messageId)
      .execute();
    return upToDate ? toReserved(payload, { ...row, attempts }, true) : null;
  });
}

interface MessageRow {
  status: string;
  kind: string;
  channel: string;
  recipient: string | null;
  subject: string | null;
  body: string | null;
  html: string | null;
  attempts: number;
  reference_number: string;
}

function toReserved(payload: MessagePayload, row: MessageRow, inDoubt: boolean): ReservedMessage {
  return {
    accountId: payload.accountId,
    id: payload.messageId,
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
