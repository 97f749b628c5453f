import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { CARRIER, startFakeCarrier } from '../../../test/fake-carrier.ts';
import { createSmsSender } from './create-sms-sender.ts';
import { createSmppSender } from './smpp.ts';
import type { SmsSender } from './sms-sender.ts';

let carrier: Awaited<ReturnType<typeof startFakeCarrier>>;
const open: SmsSender[] = [];
beforeEach(async () => {
  carrier = await startFakeCarrier();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sender) => sender.close()));
  await carrier.stop();
});

const to = '+33612345678';
const sender = (changes = {}) => {
  const created = createSmppSender({
    url: carrier.address,
    ...CARRIER,
    sender: 'Navette',
    timeoutMs: 1_000,
    ...changes,
  });
  open.push(created);
  return created;
};

describe('SMPP', () => {
  test('SMS_URL contains user, password and carrier; a short French text takes one GSM message', async () => {
    const sms = createSmsSender({ smsUrl: carrier.url, smsSender: 'Navette' });
    open.push(sms);
    const text = 'Zoé : votre colis arrive à 14h [€]';
    expect(await sms.send({ to, text })).toEqual({ kind: 'accepted', providerId: 'carrier-1' });
    expect(carrier.parts).toEqual([{ to: '33612345678', from: 'Navette', text, coding: 0, header: null }]);
  });

  test('a text outside of GSM is sent in UCS-2, and a long one in concatenated parts', async () => {
    const text = `Fleuriste 花 : ${'votre bouquet arrive, '.repeat(8)}`;
    expect(await sender().send({ to, text })).toMatchObject({ kind: 'accepted' });
    expect(carrier.parts.length).toBeGreaterThan(1);
    expect(carrier.parts.map(({ text: part }) => part).join('')).toBe(text);
    expect(new Set(carrier.parts.map(({ coding }) => coding))).toEqual(new Set([8]));
    expect(new Set(carrier.parts.map(({ header }) => header?.[0])).size).toBe(1);
    expect(carrier.parts.map(({ header }) => header?.slice(1))).toEqual(
      carrier.parts.map((_, i) => [carrier.parts.length, i + 1]),
    );
  });

  test('concurrent messages share one session', async () => {
    const sms = sender();
    const outcomes = await Promise.all(Array.from({ length: 40 }, (_, i) => sms.send({ to, text: `n° ${i}` })));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    expect(carrier.parts).toHaveLength(40);
    expect(carrier.binds).toBe(1);
  });

  test.each([
    ['throttling', 'ESME_RTHROTTLED', 'postponed'],
    ['a full queue', 'ESME_RMSGQFUL', 'postponed'],
    ['an impossible number', 'ESME_RINVDSTADR', 'refused'],
    ['a permanent refusal', 'ESME_RX_P_APPN', 'refused'],
  ])('%s (%s) is %s, and the session stays open', async (_case, status, kind) => {
    const sms = sender();
    carrier.answerWith({ status });
    expect(await sms.send({ to, text: 'un' })).toMatchObject({
      kind,
      reason: expect.stringMatching(/^smpp status \d+$/),
    });
    expect(await sms.send({ to, text: 'deux' })).toMatchObject({ kind: 'accepted' });
    expect(carrier.binds).toBe(1);
  });

  test('after the carrier closes the session, the next message opens a new one', async () => {
    const sms = sender();
    await sms.send({ to, text: 'un' });
    carrier.hangUp();
    await eventually(async () => expect(await sms.send({ to, text: 'deux' })).toMatchObject({ kind: 'accepted' }));
    expect(carrier.binds).toBe(2);
  });

  test('a broken connection and a missing response both leave the outcome of a message unknown', async () => {
    const sms = sender();
    carrier.answerWith('hang-up', 'accept-and-hang');
    expect(await sms.send({ to, text: 'un' })).toMatchObject({ kind: 'unknown' });
    expect(await sms.send({ to, text: 'deux' })).toEqual({ kind: 'unknown', reason: 'smpp timeout' });
    expect(await sms.send({ to, text: 'trois' })).toMatchObject({ kind: 'accepted' });
  });

  test('a wrong password and an unreachable carrier postpone the message', async () => {
    expect(await sender({ password: 'wrong' }).send({ to, text: 'un' })).toEqual({
      kind: 'postponed',
      reason: 'smpp bind 14',
    });
    expect(await sender({ url: 'smpp://127.0.0.1:1' }).send({ to, text: 'un' })).toEqual({
      kind: 'postponed',
      reason: 'smpp ECONNREFUSED',
    });
    expect(carrier.parts).toEqual([]);
  });

  test('sends enquire_link while idle, so that neither side closes the session', async () => {
    const sms = sender({ enquireEveryMs: 20 });
    await sms.send({ to, text: 'un' });
    await eventually(() => expect(carrier.enquiries).toBeGreaterThan(2));
  });
});
