import type { Config } from '../../config.ts';
import { createDevelopmentSms } from './development-sms.ts';
import { createSmppSender } from './smpp.ts';
import type { SmsSender } from './sms-sender.ts';
import { createTwilioSender } from './twilio.ts';

/** The scheme of SMS_URL selects the protocol. Without SMS_URL, messages stay in the database. */
export function createSmsSender({ smsUrl, smsSender: sender }: Pick<Config, 'smsUrl' | 'smsSender'>): SmsSender {
  if (!smsUrl) return createDevelopmentSms();
  const { protocol, username, password, host, pathname } = new URL(smsUrl);
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  if (protocol === 'smpp:' || protocol === 'ssmpp:') {
    return createSmppSender({ url: `${protocol}//${host}`, systemId: user, password: secret, sender });
  }
  const baseUrl = `${protocol.replace('twilio+', '')}//${host}${pathname.replace(/\/+$/, '')}`;
  return createTwilioSender({ baseUrl, accountSid: user, authToken: secret, sender });
}
