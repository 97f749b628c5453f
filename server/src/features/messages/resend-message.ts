import { MAX_RESENDS, type MessageKind, RESEND_PAUSE_MINUTES, type ShipmentStatus } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendMessageJob } from '../../jobs/definitions.ts';
import { isUpToDate } from './due-messages.ts';

const PAUSE_MS = RESEND_PAUSE_MINUTES * 60_000;

interface SentMessage {
  kind: string;
  status: string;
  resends: number;
  resentAt: Date | null;
  isErased: boolean;
}

export type ResendRefusal = 'not-possible' | 'too-soon' | 'too-often';

/**
 * Why a message is not sent again now; null when it may be. It was sent, it is still true, and all messages of its shipment
 * together stay within an hourly and a total limit: a recipient must not be flooded, and each SMS costs.
 */
export function resendRefusal(
  message: SentMessage,
  ofShipment: Pick<SentMessage, 'resends' | 'resentAt'>[],
  status: ShipmentStatus,
  now: Date,
): ResendRefusal | null {
  const kind = message.kind as MessageKind;
  if (message.status !== 'sent' || message.isErased || !isUpToDate(kind, status)) return 'not-possible';
  if (ofShipment.reduce((sum, { resends }) => sum + resends, 0) >= MAX_RESENDS) return 'too-often';
  const latest = Math.max(...ofShipment.map(({ resentAt }) => resentAt?.getTime() ?? 0));
  return now.getTime() - latest < PAUSE_MS ? 'too-soon' : null;
}

/**
 * Sends a message of a shipment again, because a person asks for it. Its row gets new attempts in the transaction of the job
 * that makes them; a resent SMS counts in the account's budget of the day. Locks all messages of the shipment, so that
 * concurrent requests stay within the limits.
 */
export async function resendMessage(
  tx: Tx,
  jobs: JobSender,
  accountId: string,
  { shipmentId, kind }: { shipmentId: string; kind: MessageKind },
  now: Date,
): Promise<{ refusal: ResendRefusal } | { referenceNumber: string } | 'unknown'> {
  if (!isUuid(shipmentId)) return 'unknown';
  const messages = await readSentMessages(tx, accountId, shipmentId).orderBy('m.id').forUpdate('m').execute();
  const message = messages.find((one) => one.kind === kind);
  if (!message) return 'unknown';
  const { id: messageId, shipmentStatus, referenceNumber } = message;
  const refusal = resendRefusal(message, messages, shipmentStatus as ShipmentStatus, now);
  if (refusal) return { refusal };
  await tx
    .updateTable('messages')
    .set({ status: 'pending', attempts: 0, failure: null, resends: message.resends + 1, resent_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', messageId)
    .execute();
  await jobs.send(tx, sendMessageJob, { accountId, messageId });
  return { referenceNumber };
}

export const readSentMessages = (db: Database | Tx, accountId: string, shipmentId: string) =>
  db
    .selectFrom('messages as m')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'm.account_id').onRef('s.id', '=', 'm.shipment_id'),
    )
    .select(['m.id', 'm.kind', 'm.channel', 'm.recipient', 'm.status', 'm.failure', 'm.body'])
    .select(['m.created_at as createdAt', 'm.sent_at as sentAt', 'm.resends', 'm.resent_at as resentAt'])
    .select((eb) => eb('m.erased_at', 'is not', null).$castTo<boolean>().as('isErased'))
    .select(['s.status as shipmentStatus', 's.reference_number as referenceNumber'])
    .where('m.account_id', '=', accountId)
    .where('m.shipment_id', '=', shipmentId);
