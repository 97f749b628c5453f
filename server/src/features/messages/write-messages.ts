import { randomUUIDv7 } from 'node:crypto';
import type { MessageKind } from '@navette/contract';
import { sql } from 'kysely';
import { accountTime } from '../../calendar/twin-clock.ts';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type ShipmentChange, sendMessageJob, traceparentsOf } from '../../jobs/definitions.ts';
import type { Traced } from '../../observability/trace-context.ts';
import { toClock } from '../accounts/index.ts';
import { type AnnouncedShipment, findAnnouncedShipments, toAnnounce, wantedMessages } from './announced-shipments.ts';
import { composeMessage, type MessageSettings, type Occasion } from './compose-message.ts';
import { ANNOUNCED_CHANGES, dueMessages } from './due-messages.ts';
import type { SmsRefusal } from './phone-number.ts';
import { countNeeded, type ReservedMessage, type SmsBudget } from './reserve-attempt.ts';

export interface WrittenMessages {
  /** Messages that the caller sends after the commit. */
  reserved: Traced<ReservedMessage>[];
  /** Why SMS were refused, test twins left out. */
  refused: SmsRefusal[];
}

/** For messages that the caller sends after the commit, without jobs. */
export interface AtOnce extends SmsBudget {
  most: number;
  at: Date;
}

const NONE_AT_ONCE: AtOnce = { most: 0, at: new Date(0), smsPerAccountPerDay: 0, timeZone: 'UTC' };

/**
 * Inserts the messages due after changes in the caller's transaction, each with the job that sends it. The first ones are
 * instead reserved for an attempt that the caller makes at once. Idempotent: for the same change again, or for a second
 * assignment, it finds the rows and adds none.
 */
export async function writeMessages(
  tx: Tx,
  jobs: JobSender,
  settings: MessageSettings,
  changes: Traced<ShipmentChange>[],
  atOnce?: AtOnce,
): Promise<WrittenMessages> {
  const relevant = changes.filter(({ status }) => ANNOUNCED_CHANGES.includes(status));
  if (relevant.length === 0) return { reserved: [], refused: [] };
  const shipments = await findAnnouncedShipments(tx, relevant);
  const messages = shipments.flatMap((row) =>
    dueKinds(row).map((kind) => newMessage(kind, row, settings, {}, new Date())),
  );
  return insertMessages(tx, jobs, messages, { traceparents: traceparentsOf(relevant), atOnce });
}

/** Without those that exist: the assignment of an express shipment lists the messages of its creation again. */
const dueKinds = (row: AnnouncedShipment): MessageKind[] =>
  dueMessages(row.changed_to, {
    status: row.status,
    initialStatus: row.initial_status,
    isCollection: row.is_collection,
    hasSlot: row.slot_starts_at !== null,
    isAnnounced: row.is_announced,
    wanted: wantedMessages(row),
  }).filter((kind) => !row.written.includes(kind));

export type NewMessage = ReturnType<typeof newMessage>;

/** The row of a message. One of a test twin is shown in the dashboard and never sent, which a trigger enforces. */
export function newMessage(
  kind: MessageKind,
  row: AnnouncedShipment,
  settings: MessageSettings,
  occasion: Occasion,
  now: Date,
) {
  const message = composeMessage(kind, toAnnounce(row), settings, occasion);
  return {
    account_id: row.account_id,
    id: randomUUIDv7(),
    shipment_id: row.id,
    kind,
    created_at: accountTime(toClock(row), now),
    ...message,
    status: row.is_test && message.status === 'pending' ? ('recorded' as const) : message.status,
    isTest: row.is_test,
    referenceNumber: row.reference_number,
    smsPerDay: row.sms_per_day,
  };
}

interface WriteOptions {
  traceparents?: ReadonlyMap<string, string | undefined>;
  atOnce?: AtOnce | undefined;
}

interface WrittenRow {
  account_id: string;
  id: string;
  shipment_id: string;
  status: string;
  failure: string | null;
}

/** Inserts messages that are not there yet, each with its job, or reserved for an attempt. */
export async function insertMessages(
  tx: Tx,
  jobs: JobSender,
  messages: NewMessage[],
  { traceparents = new Map(), atOnce = NONE_AT_ONCE }: WriteOptions = {},
): Promise<WrittenMessages> {
  if (messages.length === 0) return { reserved: [], refused: [] };
  const { at } = atOnce;
  const written = await insertRows(tx, messages, atOnce);
  const pending = written.filter(({ status }) => status === 'pending');
  await jobs.sendAll(
    tx,
    sendMessageJob,
    pending.map(({ account_id: accountId, id: messageId, shipment_id: shipmentId }) => ({
      payload: { accountId, messageId, traceparent: traceparents.get(shipmentId) },
    })),
  );
  const sent = new Set(written.flatMap(({ id, status }) => (status === 'sending' ? id : [])));
  const twins = new Set(messages.flatMap(({ isTest, account_id }) => (isTest ? account_id : [])));
  return {
    reserved: messages
      .filter(({ id }) => sent.has(id))
      .map((message) => ({ ...toReserved(message, at), traceparent: traceparents.get(message.shipment_id) })),
    refused: written.flatMap(({ account_id, failure }) =>
      failure && !twins.has(account_id) ? (failure as SmsRefusal) : [],
    ),
  };
}

/**
 * Where the SMS of an account do not all fit into its budget, they stay pending, and their jobs decide each. The budget is
 * counted before the first row is inserted, and rows are inserted in one order: the same shipments may be in two
 * concurrent batches, which would deadlock.
 */
async function insertRows(
  tx: Tx,
  messages: NewMessage[],
  { most, at, smsPerAccountPerDay, timeZone }: AtOnce,
): Promise<WrittenRow[]> {
  const first = new Set(messages.filter(({ status }) => status === 'pending').slice(0, most));
  const given = messages.map((message) => ({
    ...message,
    sms_per_day: message.smsPerDay ?? smsPerAccountPerDay,
    is_first: first.has(message),
  }));
  const { rows } = await sql<WrittenRow>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(given)}) as g (account_id uuid, id uuid, shipment_id uuid, kind text,
        created_at timestamptz, channel text, recipient text, subject text, body text, html text, segments smallint,
        status text, failure text, sms_per_day int, is_first boolean)
    ), needed as (
      select account_id, sms_per_day, count(*)::int as sms from given where is_first and channel = 'sms'
      group by account_id, sms_per_day
    ), counted as (${countNeeded(at, timeZone)}), decided as materialized (
      select given.*, is_first and (channel <> 'sms' or account_id = any (array(select account_id from counted)))
               as is_reserved
      from given
    )
    insert into messages (account_id, id, shipment_id, kind, created_at, channel, recipient, subject, body, html, segments,
      status, failure, attempts, reserved_at)
    select account_id, id, shipment_id, kind, created_at, channel, recipient, subject, body, html, segments,
      case when is_reserved then 'sending' else status end, failure, is_reserved::int,
      case when is_reserved then ${at}::timestamptz end
    from decided order by account_id, shipment_id, kind
    on conflict (account_id, shipment_id, kind, channel) do nothing
    returning account_id, id, shipment_id, status, failure`.execute(tx);
  return rows;
}

const toReserved = (message: NewMessage, reservedAt: Date): ReservedMessage => {
  const { account_id: accountId, id, kind, channel, recipient, subject, body, html, referenceNumber } = message;
  return {
    ...{ accountId, id, kind, channel, recipient, subject: subject ?? '', body, html: html ?? '', referenceNumber },
    ...{ attempts: 1, resends: 0, inDoubt: false, reservedAt },
  };
};
