import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { createMailSender } from './create-mail-sender.ts';
import type { Mail, MailSender } from './mail-sender.ts';
import { createSmtpSender } from './smtp.ts';

let mailbox: FakeMailbox;
const open: MailSender[] = [];
beforeEach(async () => {
  mailbox = await startFakeMailbox({ password: 'mail-pass' });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sender) => sender.close()));
  await mailbox.stop();
});

const from = 'Navette <bonjour@navette.example>';
const sender = (url = mailbox.url) => {
  const created = createSmtpSender({ url, from, timeoutMs: 2_000 });
  open.push(created);
  return created;
};
const mail: Mail = {
  id: '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60',
  to: 'camille@example.org',
  subject: 'Votre colis à « Noël »',
  text: 'Bonjour',
  html: '<p>Bonjour <img src="cid:qr" alt="QR"></p>',
  pictures: [{ name: 'qr', png: Buffer.from('89504e47', 'hex') }],
};

describe('SMTP', () => {
  test('a mail arrives with both forms, its picture inline, and an id that stays the same at every attempt', async () => {
    const smtp = createMailSender({ mailUrl: mailbox.url, mailFrom: from });
    open.push(smtp);
    expect(await smtp.send(mail)).toEqual({ kind: 'accepted', providerId: mail.id });
    expect(await smtp.send(mail)).toMatchObject({ kind: 'accepted' });
    const [first, second] = mailbox.mails;
    expect(first).toMatchObject({
      subject: mail.subject,
      text: expect.stringContaining('Bonjour'),
      envelope: [mail.to],
    });
    expect(first?.html).toContain('cid:qr');
    expect(first?.attachments).toMatchObject([{ contentId: '<qr>', mimeType: 'image/png', disposition: 'inline' }]);
    expect(first?.messageId).toBe(`<${mail.id}@navette.example>`);
    expect(second?.messageId).toBe(first?.messageId);
  });

  test('an address cannot smuggle in a second recipient or a header', async () => {
    await sender().send({ ...mail, to: 'camille@example.org, spy@example.org' });
    await sender().send({ ...mail, to: 'camille@example.org\r\nBcc: spy@example.org' });
    expect(mailbox.sentTo('spy@example.org')).toEqual([]);
  });

  test.each([
    ['a full mailbox', { code: 452, at: 'rcpt' }, { kind: 'postponed', reason: 'smtp 452' }],
    ['an unknown mailbox', { code: 550, at: 'rcpt' }, { kind: 'refused', reason: 'smtp 550' }],
    ['a relay that is busy', { code: 451, at: 'data' }, { kind: 'postponed', reason: 'smtp 451' }],
    ['a text that is taken for spam', { code: 554, at: 'data' }, { kind: 'refused', reason: 'smtp 554' }],
  ] as const)('%s', async (_case, answer, outcome) => {
    mailbox.answerWith(answer);
    expect(await sender().send(mail)).toEqual(outcome);
  });

  test('a connection that breaks after the text is not known; before it, nothing was taken', async () => {
    mailbox.answerWith('accept-and-hang-up');
    expect(await sender().send(mail)).toMatchObject({ kind: 'unknown' });
    expect(mailbox.mails).toHaveLength(1); // and the package did not quietly send a second one
    expect(await sender('smtp://127.0.0.1:1').send(mail)).toEqual({ kind: 'postponed', reason: 'smtp ECONNREFUSED' });
    const wrong = mailbox.url.replace('mail-pass', 'wrong');
    expect(await sender(wrong).send(mail)).toMatchObject({ kind: 'postponed', reason: 'smtp 535' });
  });
});
