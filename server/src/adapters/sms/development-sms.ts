import type { SmsSender } from './sms-sender.ts';

/** Sends nothing: the message stays in the database, where `navette messages` shows it. */
export function createDevelopmentSms(): SmsSender {
  return {
    provider: 'development',
    send: async () => ({ kind: 'accepted', providerId: null }),
    check: async () => {},
    close: async () => {},
  };
}
