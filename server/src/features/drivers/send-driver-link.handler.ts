import { randomUUIDv7 } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { MailSender } from '../../adapters/mail/mail-sender.ts';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import type { SmsSender } from '../../adapters/sms/sms-sender.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { DriverLink } from '../../jobs/definitions.ts';
import { readDriverNumber } from './driver-number.ts';
import { linkEmail, linkSms } from './link-texts.ts';
import { createPasswordLink } from './password-links.ts';

export interface LinkSending {
  db: Database;
  mail: MailSender;
  sms: SmsSender;
  config: Pick<Config, 'publicUrl' | 'smsCountries'>;
  log: FastifyBaseLogger;
}

/** Creates the link just before sending, and stores its hash only. A retry creates another link. */
export async function sendDriverLink(sending: LinkSending, job: DriverLink, now: Date): Promise<void> {
  const outcome = await send(sending, job, now);
  if (!outcome || outcome.kind === 'accepted') return;
  const { driverId, purpose, by } = job;
  const line = { driver: driverId, purpose, by, outcome: outcome.kind, reason: outcome.reason };
  if (outcome.kind !== 'refused') throw new Error(`driver link ${outcome.kind}: ${outcome.reason}`);
  sending.log.warn(line, 'driver link refused');
}

/** Null for an unknown or disabled driver: anybody may request a link for any address. */
async function send(
  { db, mail, sms, config }: LinkSending,
  { driverId, purpose, by }: DriverLink,
  now: Date,
): Promise<SendOutcome | null> {
  const driver = await db
    .selectFrom('drivers')
    .select(['first_name as firstName', 'email', 'phone_number as phoneNumber'])
    .where('id', '=', driverId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (!driver) return null;
  const to = by === 'sms' ? readDriverNumber(driver.phoneNumber, config.smsCountries) : driver.email;
  if (typeof to !== 'string') return { kind: 'refused', reason: to?.refusal ?? 'no e-mail address' };
  const link = await createPasswordLink(db, driverId, purpose, config.publicUrl, now);
  const facts = { firstName: driver.firstName, link };
  if (by === 'sms') return sms.send({ to, text: linkSms[purpose](facts) });
  return mail.send({ id: randomUUIDv7(), to, ...linkEmail[purpose](facts), pictures: [] });
}
