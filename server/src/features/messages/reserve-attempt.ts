import { MESSAGE_KINDS, type MessageKind, type ShipmentStatus } from '@navette/contract';
import { sql } from 'kysely';
import { localDay } from '../../calendar/local-calendar.ts';
import { coalesce } from '../../concurrency/coalesce.ts';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type MessagePayload, sendMessageJob } from '../../jobs/definitions.ts';
import { isUpToDate, outdatedStatuses } from './due-messages.ts';
import type { SmsRefusal } from './phone-number.ts';

/** An attempt without an outcome counts as lost afterwards, and another worker makes the next one. */
export const LEASE_MS = 60_000;

/**
 * Of rows `m` that are found by their id. As `status = …` it would let PostgreSQL search the index of unsent messages instead, which it
 * takes for small: with a backlog, each statement would read all of it.
 */
export const isInStatus = (status: 'pending' | 'sending') => sql<boolean>`m.status || '' = ${sql.lit(status)}`;

/**
 * No message is handed to a provider later than this after its reservation: not by a process that was stopped for a while, and
 * not after it has waited for a free connection. The rest of the lease is for the attempt itself.
 */
export const BEGIN_WITHIN_MS = 20_000;

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
  /** How often a person sent it again. */
  resends: number;
  /** The outcome of the previous attempt is unknown: the provider may have accepted it. */
  inDoubt: boolean;
  /** By the clock of this process. */
  reservedAt: Date;
}

export type ReserveAttempt = (payload: MessagePayload) => Promise<ReservedMessage | 'beyond-budget' | null>;

const MAX_BATCH = 100; // messages per statement

/**
 * Reserves a message for one attempt; concurrent calls share a statement. The reservation commits before anything is sent,
 * so that after a crash the next worker knows that the message may have left. Null when there is nothing to send: the
 * message was sent, is out of date or refused, or another worker holds the lease. The job then runs again after the lease.
 */
export function createReservations(db: Database, jobs: JobSender, budget: SmsBudget, now: () => Date): ReserveAttempt {
  const reserve = coalesce({ maxBatch: MAX_BATCH, maxRunning: 2 }, async (payloads: MessagePayload[]) => {
    // If the statement fails, each message is decided by itself: a fault of one must not hold the others up.
    const rows = await reservePending(db, payloads, budget, now()).catch(() => []);
    const found = new Map(rows.map((row) => [row.id, row]));
    return payloads.map(({ messageId }) => {
      const row = found.get(messageId);
      found.delete(messageId); // a second job for the same message finds it reserved
      return row;
    });
  });
  return async (payload) => {
    const row = await reserve(payload);
    return row ? toOutcome(row) : reserveOther(db, jobs, payload, budget, now());
  };
}

/** For a statement with `needed (account_id, sms, sms_per_day)`: counts the SMS of accounts whose budget has room for all. */
export const countNeeded = (now: Date, timeZone: string) => sql`
  insert into sms_days as d (account_id, day, reserved)
  select account_id, ${localDay(now, timeZone)}::date, sms from needed where sms <= sms_per_day order by account_id
  on conflict (account_id, day) do update set reserved = d.reserved + excluded.reserved
    where d.reserved + excluded.reserved <= (select n.sms_per_day from needed n where n.account_id = excluded.account_id)
  returning account_id`;

const toOutcome = (row: MessageRow) => (row.status === 'sending' ? toReserved(row, false) : 'beyond-budget');

/**
 * The common case in one statement. It also counts the first attempt of an SMS, so that concurrent workers and crashes
 * cannot exceed the budget. An SMS beyond the budget fails for good: by the next day its parcel has arrived. One that
 * was asked for again stays sent. Where the
 * SMS of an account do not all fit, they stay pending, and `reserveOther` decides each.
 */
async function reservePending(
  db: Database | Tx,
  payloads: MessagePayload[],
  { smsPerAccountPerDay, timeZone }: SmsBudget,
  now: Date,
): Promise<MessageRow[]> {
  const outdated = JSON.stringify(Object.fromEntries(MESSAGE_KINDS.map((kind) => [kind, outdatedStatuses(kind)])));
  const budgetSpent: SmsRefusal = 'DAILY_BUDGET_SPENT';
  const { rows } = await sql<MessageRow>`
    with wanted as (
      select distinct w."accountId", w."messageId"
      from json_to_recordset(${JSON.stringify(payloads)}) as w ("accountId" uuid, "messageId" uuid)
    ), due as materialized (
      select m.account_id, m.id, s.reference_number, m.channel = 'sms' and m.attempts = 0 as is_counted,
             coalesce(a.sms_per_day, ${smsPerAccountPerDay}::int) as sms_per_day
      from wanted w
      join messages m on (m.account_id, m.id) = (w."accountId", w."messageId")
      join shipments s on (s.account_id, s.id) = (m.account_id, m.shipment_id)
      join accounts a on a.id = m.account_id
      where ${isInStatus('pending')} and not (${outdated}::jsonb->m.kind ? s.status)
      order by m.account_id, m.id -- one lock order prevents deadlocks
      for no key update of m
    ), needed as (
      select account_id, sms_per_day, count(*)::int as sms from due where is_counted group by account_id, sms_per_day
    ), counted as (${countNeeded(now, timeZone)}), decided as (
      select due.*, not is_counted or due.account_id = any (array(select account_id from counted)) as is_within
      from due
    )
    update messages m set
      status = case when is_within then 'sending' when m.sent_at is not null then 'sent' else 'failed' end,
      failure = case when is_within then m.failure else ${budgetSpent} end,
      attempts = m.attempts + is_within::int,
      reserved_at = case when is_within then ${now}::timestamptz end
    from decided d
    where (m.account_id, m.id) = (d.account_id, d.id)
      and (is_within or (select n.sms from needed n where n.account_id = d.account_id) = 1)
    returning m.account_id, m.id, m.status, m.kind, m.channel, m.recipient, m.subject, m.body, m.html, m.attempts,
              m.resends, m.reserved_at, d.reference_number`.execute(db);
  return rows;
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
      const [found] = await reservePending(tx, [payload], budget, now); // postponed just now, or near the budget
      return found ? toOutcome(found) : null;
    }
    const attempts = row.attempts + 1;
    await tx
      .updateTable('messages')
      .set(upToDate ? { status: 'sending', attempts, reserved_at: now } : { status: row.sent_at ? 'sent' : 'dropped' })
      .where('account_id', '=', accountId)
      .where('id', '=', messageId)
      .execute();
    return upToDate ? toReserved({ ...row, attempts, reserved_at: now }, true) : null;
  });
}

interface MessageRow {
  account_id: string;
  id: string;
  status: string;
  kind: string;
  channel: string;
  recipient: string | null;
  subject: string | null;
  body: string | null;
  html: string | null;
  attempts: number;
  resends: number;
  reserved_at: Date | null;
  reference_number: string;
}

function toReserved(row: MessageRow, inDoubt: boolean): ReservedMessage {
  return {
    accountId: row.account_id,
    id: row.id,
    kind: row.kind as MessageKind,
    channel: row.channel as 'sms' | 'email',
    recipient: row.recipient ?? '',
    subject: row.subject ?? '',
    body: row.body ?? '',
    html: row.html ?? '',
    referenceNumber: row.reference_number,
    attempts: row.attempts,
    resends: row.resends,
    inDoubt,
    reservedAt: row.reserved_at as Date,
  };
}

const lock = (tx: Tx, accountId: string, messageId: string) =>
  tx
    .selectFrom('messages as m')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'm.account_id').onRef('s.id', '=', 'm.shipment_id'),
    )
    .select([
      'm.account_id',
      'm.id',
      'm.kind',
      'm.channel',
      'm.status',
      'm.recipient',
      'm.subject',
      'm.body',
      'm.html',
      'm.attempts',
    ])
    .select(['m.reserved_at', 'm.resends', 'm.sent_at', 's.status as shipment_status', 's.reference_number'])
    .where('m.account_id', '=', accountId)
    .where('m.id', '=', messageId)
    .forUpdate('m')
    .executeTakeFirst();
