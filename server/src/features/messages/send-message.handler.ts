import type { FastifyBaseLogger } from 'fastify';
import type { MailSender } from '../../adapters/mail/mail-sender.ts';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import type { SmsSender } from '../../adapters/sms/sms-sender.ts';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { MessagePayload } from '../../jobs/definitions.ts';
import { signReference } from '../shipments/index.ts';
import { PICKUP_QR } from './email-texts.ts';
import { maskContact } from './mask-contact.ts';
import { qrPng } from './qr-png.ts';
import { recordAttempt } from './record-attempt.ts';
import { type ReservedMessage, reserveAttempt } from './reserve-attempt.ts';

export interface Sending {
  db: Database;
  jobs: JobSender;
  sms: SmsSender;
  mail: MailSender;
  linkSecrets: string[];
  log: FastifyBaseLogger;
}

/** One attempt: reserve, send, record. No transaction is open while the provider is waited for. */
export async function sendMessage(sending: Sending, payload: MessagePayload, now: () => Date): Promise<void> {
  const { db, jobs, log } = sending;
  const message = await reserveAttempt(db, jobs, payload, now());
  if (!message) return;
  const { provider } = message.channel === 'sms' ? sending.sms : sending.mail;
  const end = await attempt(sending, message);
  await recordAttempt(db, jobs, message, { ...end, provider }, now());

  const { id, kind, attempts, recipient } = message;
  const line = { message: id, kind, to: maskContact(recipient), provider, attempts, ...withoutProviderId(end.outcome) };
  if (end.outcome.kind === 'accepted') log.info(line, 'message sent');
  else log.warn(line, 'message not sent');
}

const withoutProviderId = (outcome: SendOutcome) =>
  outcome.kind === 'accepted' ? {} : { outcome: outcome.kind, reason: outcome.reason };

async function attempt(
  { sms, mail, linkSecrets }: Sending,
  message: ReservedMessage,
): Promise<{ outcome: SendOutcome; doubtful: boolean }> {
  if (message.channel === 'sms') return attemptSms(sms, message);
  const pictures =
    message.kind === 'collection-email'
      ? [{ name: PICKUP_QR, png: qrPng(signReference(linkSecrets, 'pick-up', message.referenceNumber)) }]
      : [];
  const { id, recipient, subject, body, html, inDoubt } = message;
  const outcome = await mail.send({ id, to: recipient, subject, text: body, html, pictures });
  return { outcome, doubtful: inDoubt && mail.provider !== 'development' };
}

/** After a lost answer the provider is asked first, where it can be; where it cannot, two are better than none. */
async function attemptSms(sms: SmsSender, { recipient: to, body: text, inDoubt }: ReservedMessage) {
  if (!inDoubt) return { outcome: await sms.send({ to, text }), doubtful: false };
  if (!sms.find) return { outcome: await sms.send({ to, text }), doubtful: true };
  try {
    const known = await sms.find({ to, text });
    const outcome: SendOutcome = known ? { kind: 'accepted', providerId: known } : await sms.send({ to, text });
    return { outcome, doubtful: false };
  } catch {
    const outcome: SendOutcome = { kind: 'unknown', reason: `${sms.provider} could not be asked` };
    return { outcome, doubtful: false };
  }
}
