import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeTwilio, startFakeTwilio, TWILIO_SID, TWILIO_TOKEN } from '../../../test/fake-twilio.ts';
import { createSmsSender } from './create-sms-sender.ts';
import { createTwilioSender } from './twilio.ts';

let twilio: FakeTwilio;
beforeAll(async () => {
  twilio = await startFakeTwilio();
});
afterAll(() => twilio.stop());
beforeEach(() => {
  twilio.messages.length = 0;
  twilio.answerWith();
});

const sms = { to: '+33612345678', text: 'Votre colis arrive. https://navette.example/t/abc' };
const sender = (changes = {}) =>
  createTwilioSender({
    baseUrl: twilio.baseUrl,
    accountSid: TWILIO_SID,
    authToken: TWILIO_TOKEN,
    sender: 'Navette',
    timeoutMs: 1_000,
    ...changes,
  });

describe('Twilio’s protocol', () => {
  test('SMS_URL contains account, token and server; the message arrives unchanged', async () => {
    const outcome = await createSmsSender({ smsUrl: twilio.url, smsSender: 'Navette' }).send(sms);
    expect(outcome).toEqual({ kind: 'accepted', providerId: twilio.messages[0]?.sid });
    expect(twilio.messages).toMatchObject([{ to: sms.to, body: sms.text, from: 'Navette' }]);
  });

  test.each([
    ['an impossible number', { status: 400, code: 21211 }, { kind: 'refused', reason: 'twilio 400 21211' }],
    ['a recipient who opted out', { status: 400, code: 21610 }, { kind: 'refused', reason: 'twilio 400 21610' }],
    ['too many at a time', { status: 429, code: 20429 }, { kind: 'postponed', reason: 'twilio 429 20429' }],
    [
      'a full queue, reported as a 400',
      { status: 400, code: 30001 },
      { kind: 'postponed', reason: 'twilio 400 30001' },
    ],
    ['a sender that is not ours', { status: 400, code: 21606 }, { kind: 'postponed', reason: 'twilio 400 21606' }],
    ['maintenance', { status: 503 }, { kind: 'postponed', reason: 'twilio 503' }],
    ['a failure that may have come after the sending', { status: 500 }, { kind: 'unknown', reason: 'twilio 500' }],
  ] as const)('%s', async (_case, answer, outcome) => {
    twilio.answerWith(answer);
    expect(await sender().send(sms)).toEqual(outcome);
  });

  test('passes on the delay that Twilio requests', async () => {
    twilio.answerWith({ status: 429, retryAfter: 7 });
    expect(await sender().send(sms)).toMatchObject({ kind: 'postponed', retryAfterMs: 7_000 });
  });

  test('a wrong token postpones the message, because the operator can fix it', async () => {
    expect(await sender({ authToken: 'wrong' }).send(sms)).toMatchObject({ kind: 'postponed' });
  });

  test('a slow or broken response leaves the outcome unknown; an unreachable server postpones the message', async () => {
    twilio.answerWith('accept-and-hang', 'accept-and-hang-up');
    expect(await sender().send(sms)).toMatchObject({ kind: 'unknown', reason: 'network TimeoutError' });
    expect(await sender().send(sms)).toMatchObject({ kind: 'unknown' });
    const gone = await startFakeTwilio();
    await gone.stop();
    expect(await sender({ baseUrl: gone.baseUrl }).send(sms)).toEqual({
      kind: 'postponed',
      reason: 'network ECONNREFUSED',
    });
  });

  test('finds a message whose response was lost', async () => {
    expect(await sender().find?.(sms)).toBe(null);
    twilio.answerWith('accept-and-hang-up');
    await sender().send(sms);
    expect(await sender().find?.(sms)).toBe(twilio.messages[0]?.sid);
    expect(await sender().find?.({ ...sms, text: 'another' })).toBe(null);
    await expect(sender({ authToken: 'wrong' }).find?.(sms)).rejects.toThrow('401');
  });
});
