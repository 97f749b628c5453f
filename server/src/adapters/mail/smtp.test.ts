import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCertificate } from '../../../test/certificate.ts';
import { type FakeMailbox, type MailboxOptions, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { createMailSender, type MailConfig, relayTls } from './create-mail-sender.ts';
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
  const created = createSmtpSender({ url, from, tls: 'optional', timeoutMs: 2_000 });
  open.push(created);
  return created;
};
const configured = (changes: Partial<MailConfig>) => {
  const created = createMailSender({ mailUrl: mailbox.url, mailFrom: from, mailTls: 'auto', ...changes });
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
  test('a mail arrives as text and HTML, with its inline image and the same id for every attempt', async () => {
    const smtp = configured({});
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

  test('an address cannot inject a second recipient or a header', async () => {
    await sender().send({ ...mail, to: 'camille@example.org, spy@example.org' });
    await sender().send({ ...mail, to: 'camille@example.org\r\nBcc: spy@example.org' });
    expect(mailbox.sentTo('spy@example.org')).toEqual([]);
  });

  test.each([
    ['jürgen@müller.example', 'jürgen@müller.example'],
    ['用户@例え.jp', '用户@例え.jp'],
    ['zoe@müller.example', 'zoe@xn--mller-kva.example'], // only the domain is encoded: any relay accepts that
  ])('a mail to %s is written to %s', async (to, written) => {
    expect(await sender().send({ ...mail, to })).toMatchObject({ kind: 'accepted' });
    expect(mailbox.mails).toMatchObject([{ envelope: [to], to: [{ address: written }] }]);
  });

  test('a relay that does not accept such a name gets one attempt, and its refusal is final', async () => {
    const plain = await startFakeMailbox({ asciiOnly: true });
    expect(await sender(plain.url).send({ ...mail, to: '用户@例え.jp' })).toEqual({
      kind: 'refused',
      reason: 'smtp 553',
    });
    expect(await sender(plain.url).send({ ...mail, to: 'zoe@müller.example' })).toMatchObject({ kind: 'accepted' });
    expect(plain.mails).toHaveLength(1);
    await plain.stop();
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

  test('a mail that finds all connections busy is sent when one is free, or postponed if that is too late', async () => {
    mailbox.answerWith(...Array(4).fill('accept-and-hang')); // until the time limit
    const smtp = sender();
    const hanging = Array.from({ length: 4 }, (_, i) => smtp.send({ ...mail, id: `hanging-${i}` }));
    const late = smtp.send({ ...mail, id: 'late', mayBegin: () => false });
    expect((await Promise.all(hanging)).map(({ kind }) => kind)).toEqual(Array(4).fill('unknown'));
    expect(await late).toEqual({ kind: 'postponed', reason: 'smtp: no connection was free in time' });
    expect(await smtp.send({ ...mail, id: 'next', mayBegin: () => true })).toMatchObject({ kind: 'accepted' });
    expect(mailbox.mails.map(({ messageId }) => messageId)).not.toContain('<late@navette.example>');
  });

  test('the outcome is unknown when the connection breaks after the text, and postponed when it breaks before', async () => {
    mailbox.answerWith('accept-and-hang-up');
    expect(await sender().send(mail)).toMatchObject({ kind: 'unknown' });
    expect(mailbox.mails).toHaveLength(1); // the package did not send a second one
    expect(await sender('smtp://127.0.0.1:1').send(mail)).toEqual({ kind: 'postponed', reason: 'smtp ECONNREFUSED' });
    const wrong = mailbox.url.replace('mail-pass', 'wrong');
    expect(await sender(wrong).send(mail)).toMatchObject({ kind: 'postponed', reason: 'smtp 535' });
  });
});

describe('TLS to the relay', () => {
  const restart = async (options: MailboxOptions) => {
    await mailbox.stop();
    mailbox = await startFakeMailbox(options);
  };
  const NO_TLS = 'smtp: the relay offers no TLS (STARTTLS); see MAIL_TLS';

  test('is required: a relay without it gets neither password nor mail, and the reason names TLS', async () => {
    const smtp = configured({ mailTls: 'required' });
    expect(await smtp.send(mail)).toEqual({ kind: 'postponed', reason: NO_TLS });
    await expect(smtp.check()).rejects.toThrow(NO_TLS);
    expect(mailbox.mails).toEqual([]);
    expect(mailbox.logins()).toBe(0);
  });

  test('with a verified certificate encrypts the mail', async () => {
    const certificate = await createCertificate();
    await restart({ certificate });
    const smtp = configured({
      mailTls: 'required',
      mailUrl: `${mailbox.url}?tls.ca=${encodeURIComponent(certificate.cert)}`,
    });
    expect(await smtp.send(mail)).toMatchObject({ kind: 'accepted' });
    await smtp.check();
    expect(mailbox.mails).toMatchObject([{ secure: true }]);
  });

  test('with an untrusted certificate sends nothing, and the reason names the certificate', async () => {
    await restart({ certificate: await createCertificate() });
    const smtp = configured({ mailTls: 'required' });
    const reason = 'smtp: the relay’s certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)';
    expect(await smtp.send(mail)).toEqual({ kind: 'postponed', reason });
    await expect(smtp.check()).rejects.toThrow(reason);
    expect(mailbox.mails).toEqual([]);
  });

  test('of a relay on this machine is used if offered, with any certificate', async () => {
    await restart({ certificate: await createCertificate() });
    expect(await configured({ mailTls: 'auto' }).send(mail)).toMatchObject({ kind: 'accepted' });
    expect(mailbox.mails).toMatchObject([{ secure: true }]);
    await restart({});
    expect(await configured({ mailTls: 'auto' }).send(mail)).toMatchObject({ kind: 'accepted' });
    expect(mailbox.mails).toMatchObject([{ secure: false }]);
  });

  test('is not required when the operator configures so', async () => {
    expect(await configured({ mailTls: 'optional' }).send(mail)).toMatchObject({ kind: 'accepted' });
    expect(mailbox.mails).toMatchObject([{ secure: false }]);
  });

  test.each([
    ['smtp://127.0.0.1:25', 'loopback'],
    ['smtp://user:secret@localhost:587', 'loopback'],
    ['smtp://[::1]:25', 'loopback'],
    ['smtp://mail.example.org:587', 'required'],
    ['smtp://127.0.0.1.example.org', 'required'],
    ['smtp://10.0.0.1:25', 'required'],
  ])('%s: %s by default', (url, tls) => {
    expect(relayTls(url, 'auto')).toBe(tls);
  });
});
