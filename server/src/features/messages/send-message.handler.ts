import type { FastifyBaseLogger } from 'fastify';
import type { MailSender } from '../../adapters/mail/mail-sender.ts';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import type { SmsSender } from '../../adapters/sms/sms-sender.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { MessagePayload } from '../../jobs/definitions.ts';
import { signReference } from '../shipments/index.ts';
import { PICKUP_QR } from './email-facts.ts';
import { maskContact } from './mask-contact.ts';
import type { MessageMetrics } from './message-metrics.ts';
import { qrPng } from './qr-png.ts';
import { createAttemptRecorder } from './record-attempt.ts';
import { BEGIN_WITHIN_MS, createReservations, type ReservedMessage, type SmsBudget } from './reserve-attempt.ts';

export interface SendMessageContext {
  db: Database;
  jobs: JobSender;
  sms: SmsSender;
  mail: MailSender;
  config: SmsBudget & Pick<Config, 'linkSecrets'>;
  metrics: MessageMetrics;
  log: FastifyBaseLogger;
}

export interface MessageSending {
  /** Reserves an attempt for the message of a job, and makes it. */
  sendQueued: (payload: MessagePayload) => Promise<void>;
  sendReserved: (message: ReservedMessage) => Promise<void>;
}

/**
 * Makes one attempt per call: reserve, send, record. No transaction is open during the call to the provider. Messages that
 * are sent at the same time are reserved and recorded together.
 */
export function createMessageSending(context: SendMessageContext, now: () => Date): MessageSending {
  const { db, jobs, config, metrics, log } = context;
  const reserveAttempt = createReservations(db, jobs, config, now);
  const recordAttempt = createAttemptRecorder(db, jobs, now);

  async function sendQueued(payload: MessagePayload): Promise<void> {
    const message = await reserveAttempt(payload);
    if (message === 'beyond-budget') return metrics.refused('DAILY_BUDGET_SPENT');
    if (message) await sendReserved(message);
  }

  async function sendReserved(message: ReservedMessage): Promise<void> {
    const { provider } = message.channel === 'sms' ? context.sms : context.mail;
    const mayBegin = () => now().getTime() - message.reservedAt.getTime() < BEGIN_WITHIN_MS;
    const result = await attempt(context, message, mayBegin);
    await recordAttempt(message, { ...result, provider });

    const { id, kind, attempts, recipient } = message;
    metrics.attempted(kind, result.outcome.kind);
    const line = {
      message: id,
      kind,
      to: maskContact(recipient),
      provider,
      attempts,
      ...withoutProviderId(result.outcome),
    };
    if (result.outcome.kind === 'accepted') log.info(line, 'message sent');
    else log.warn(line, 'message not sent');
  }

  return { sendQueued, sendReserved };
}

const withoutProviderId = (outcome: SendOutcome) =>
  outcome.kind === 'accepted' ? {} : { outcome: outcome.kind, reason: outcome.reason };

async function attempt(
  { sms, mail, config }: SendMessageContext,
  message: ReservedMessage,
  mayBegin: () => boolean,
): Promise<{ outcome: SendOutcome; doubtful: boolean }> {
  if (!mayBegin())
    return { outcome: { kind: 'postponed', reason: 'the worker was stopped for a while' }, doubtful: false };
  if (message.channel === 'sms') return attemptSms(sms, message);
  const pictures =
    message.kind === 'collection-email'
      ? [{ name: PICKUP_QR, png: qrPng(signReference(config.linkSecrets, 'pick-up', message.referenceNumber)) }]
      : [];
  const { recipient, subject, body, html, inDoubt } = message;
  const id = message.resends > 0 ? `${message.id}.${message.resends}` : message.id; // else mailboxes hide a resent one
  const outcome = await mail.send({ id, to: recipient, subject, text: body, html, pictures, mayBegin });
  return { outcome, doubtful: inDoubt && mail.provider !== 'development' };
}

/**
 * After a lost response, looks the message up at the provider. Without such a look-up, two SMS are better than none. Of one that
 * was sent again it would find the first.
 */
async function attemptSms(sms: SmsSender, { recipient: to, body: text, inDoubt, resends }: ReservedMessage) {
  if (!inDoubt) return { outcome: await sms.send({ to, text }), doubtful: false };
  if (!sms.find || resends > 0) return { outcome: await sms.send({ to, text }), doubtful: true };
  try {
    const known = await sms.find({ to, text });
    const outcome: SendOutcome = known ? { kind: 'accepted', providerId: known } : await sms.send({ to, text });
    return { outcome, doubtful: false };
  } catch {
    const outcome: SendOutcome = { kind: 'unknown', reason: `the look-up at ${sms.provider} failed` };
    return { outcome, doubtful: false };
  }
}
