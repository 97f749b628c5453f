import { randomUUIDv7 } from 'node:crypto';
import type { MessageKind } from '@navette/contract';
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

/**
 * Inserts the messages due after changes, each with the job that sends it, in the caller's transaction. Idempotent: for
 * the same change again, or for a second assignment, it finds the rows and adds none. Returns why SMS were refused,
 * test twins left out.
 */
export async function writeMessages(
  tx: Tx,
  jobs: JobSender,
  settings: MessageSettings,
  changes: Traced<ShipmentChange>[],
): Promise<SmsRefusal[]> {
  const relevant = changes.filter(({ status }) => ANNOUNCED_CHANGES.includes(status));
  if (relevant.length === 0) return [];
  const shipments = await findAnnouncedShipments(tx, relevant);
  const messages = shipments.flatMap((row) =>
    dueKinds(row).map((kind) => newMessage(kind, row, settings, {}, new Date())),
  );
  return insertMessages(tx, jobs, messages, traceparentsOf(relevant));
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
  };
}

/** Inserts messages that are not there yet, each with its job. */
export async function insertMessages(
  tx: Tx,
  jobs: JobSender,
  messages: NewMessage[],
  traceparents: ReadonlyMap<string, string | undefined> = new Map(),
): Promise<SmsRefusal[]> {
  if (messages.length === 0) return [];
  const written = await tx
    .insertInto('messages')
    .values(messages.toSorted(byUniqueKey).map(({ isTest: _isTest, ...row }) => row))
    .onConflict((conflict) => conflict.columns(['account_id', 'shipment_id', 'kind', 'channel']).doNothing())
    .returning(['account_id', 'id', 'shipment_id', 'status', 'failure'])
    .execute();
  const pending = written.filter(({ status }) => status === 'pending');
  await jobs.sendAll(
    tx,
    sendMessageJob,
    pending.map(({ account_id: accountId, id: messageId, shipment_id: shipmentId }) => ({
      payload: { accountId, messageId, traceparent: traceparents.get(shipmentId) },
    })),
  );
  const twins = new Set(messages.flatMap(({ isTest, account_id }) => (isTest ? account_id : [])));
  return written.flatMap(({ account_id, failure }) =>
    failure && !twins.has(account_id) ? (failure as SmsRefusal) : [],
  );
}

/** One lock order for all batches prevents deadlocks: the same shipments may be in two concurrent batches. */
const byUniqueKey = (a: NewMessage, b: NewMessage) => (keyOf(a) < keyOf(b) ? -1 : 1);
const keyOf = ({ account_id, shipment_id, kind }: NewMessage) => `${account_id} ${shipment_id} ${kind}`;
