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
  test('SMS_URL names account, token and server; the message arrives as it was written', async () => {
    const outcome = await createSmsSender({ smsUrl: twilio.url, smsSender: 'Navette' }).send(sms);
    expect(outcome).toEqual({ kind: 'accepted', providerId: twilio.messages[0]?.sid });
    expect(twilio.messages).toMatchObject([{ to: sms.to, body: sms.text, from: 'Navette' }]);
  });

  test.each([
    ['an impossible number', { status: 400, code: 21211 }, { kind: 'refused', reason: 'twilio 400 21211' }],
    ['a recipient who opted out', { status: 400, code: 21610 }, { kind: 'refused', reason: 'twilio 400 21610' }],
    ['too many at a time', { status: 429, code: 20429 }, { kind: 'postponed', reason: 'twilio 429 20429' }],
    ['a full queue, told as a 400', { status: 400, code: 30001 }, { kind: 'postponed', reason: 'twilio 400 30001' }],
    ['a sender that is not ours', { status: 400, code: 21606 }, { kind: 'postponed', reason: 'twilio 400 21606' }],
    ['maintenance', { status: 503 }, { kind: 'postponed', reason: 'twilio 503' }],
    ['a failure that may have come after the sending', { status: 500 }, { kind: 'unknown', reason: 'twilio 500' }],
  ] as const)('%s', async (_case, answer, outcome) => {
    twilio.answerWith(answer);
    expect(await sender().send(sms)).toEqual(outcome);
  });

  test('says how long to wait where Twilio does', async () => {
    twilio.answerWith({ status: 429, retryAfter: 7 });
    expect(await sender().send(sms)).toMatchObject({ kind: 'postponed', retryAfterMs: 7_000 });
  });

  test('a wrong token is the operator’s to mend: the message waits', async () => {
    expect(await sender({ authToken: 'wrong' }).send(sms)).toMatchObject({ kind: 'postponed' });
  });

  test('an answer that is slow, or breaks off, is not known; a server that cannot be reached has taken nothing', async () => {
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

  test('can be asked for a message whose answer was lost', async () => {
    expect(await sender().find?.(sms)).toBe(null);
    twilio.answerWith('accept-and-hang-up');
    await sender().send(sms);
    expect(await sender().find?.(sms)).toBe(twilio.messages[0]?.sid);
    expect(await sender().find?.({ ...sms, text: 'another' })).toBe(null);
    await expect(sender({ authToken: 'wrong' }).find?.(sms)).rejects.toThrow('401');
  });
});
