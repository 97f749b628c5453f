import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ShipmentRequest } from '@navette/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio, TWILIO_TOKEN } from '../../../test/fake-twilio.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { makeDue } from '../../../test/orphaned-jobs.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, workDone } from '../../../test/test-worker.ts';
import type { Database, Tx } from '../../database/database.ts';
import { sendMessageJob } from '../../jobs/definitions.ts';
import { readSignedReference } from '../shipments/index.ts';
import { eraseMessages } from './erase-messages.handler.ts';
import { MAX_ATTEMPTS } from './record-attempt.ts';
import { resumeMessages } from './resume-messages.handler.ts';

const WAIT = { timeout: 240_000, interval: 20 };
const PUBLIC_URL = 'http://navette.example';
const DRIVER = '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60';

let twilio: FakeTwilio;
let mailbox: FakeMailbox;
let server: TestServer;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
let shop: TestAccount;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  mailbox = await startFakeMailbox();
  server = await startTestServer({ SMS_URL: twilio.url, MAIL_URL: mailbox.url, PUBLIC_URL });
  worker = await startTestWorker(server);
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await Promise.all([twilio.stop(), mailbox.stop()]);
});
beforeEach(() => {
  twilio.answerWith();
  mailbox.answerWith();
});

let people = 0;
/** A different person for each test, so that each test recognises its own messages. */
const somebody = () => {
  const number = String(++people).padStart(4, '0');
  return { phoneNumber: `+3361234${number}`, email: `person${number}@example.org` };
};
const deliveryTo = (person: { phoneNumber: string; email: string }) => ({
  deliveryAddress: { ...shipmentRequest().deliveryAddress, ...person },
});
const SLOT = { scheduledDate: '2031-03-05', timeSlot: '14h-16h' };

const create = async (changes: Partial<ShipmentRequest>, account = shop) => {
  const { body } = await server.call(account, 'POST', '/shipping', { body: shipmentRequest(changes) });
  return body.shipping as { _id: string; referenceNumber: string };
};
const move = (id: string, ...triggers: Parameters<typeof moveShipment>[3][]) =>
  triggers.reduce(async (before, trigger) => {
    await before;
    await moveShipment(server, shop, id, trigger, { driverId: DRIVER });
  }, Promise.resolve());
const rowsOf = (shipmentId: string) =>
  server.db.selectFrom('messages').selectAll().where('shipment_id', '=', shipmentId).orderBy('kind').execute();
const FIRST_SUBJECT = 'Votre colis Atelier Zoé : suivi et code';
const subjectsTo = ({ email }: { email: string }) => mailbox.sentTo(email).map(({ subject }) => subject);
const tokenIn = (text: string) => /\/t\/([\w-]+)/.exec(text)?.[1] ?? '';

describe('the recipient', () => {
  test('of an express shipment gets messages once, at its creation, whatever drivers do afterwards', async () => {
    const person = somebody();
    const { _id, referenceNumber } = await create(deliveryTo(person));
    await workDone(server);
    const [sms, ...more] = twilio.sentTo(person.phoneNumber);
    expect(more).toEqual([]);
    expect(sms?.body).toMatch(/^Atelier Zoé vous envoie un colis en express\. .*http:\/\/navette\.example\/t\//);
    expect(readSignedReference(server.config.linkSecrets, 'track', tokenIn(sms?.body ?? ''))).toBe(referenceNumber);
    expect(mailbox.sentTo(person.email)).toHaveLength(1);

    await move(_id, 'assign', 'assign', 'abandon', 'assign', 'pick_up', 'depart', 'deliver');
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toHaveLength(1);
    const first = (await rowsOf(_id)).filter(({ kind }) => kind.startsWith('recipient'));
    expect(first).toMatchObject([
      { kind: 'recipient-email', status: 'sent', attempts: 1, provider: 'smtp', doubtful: false },
      { kind: 'recipient-sms', status: 'sent', attempts: 1, provider: 'twilio', provider_id: sms?.sid, segments: 1 },
    ]);
  });

  test('of a scheduled one gets messages once, at its first assignment, also after reassignment and abandonment', async () => {
    const person = somebody();
    const { _id } = await create({ ...deliveryTo(person), ...SLOT });
    await move(_id, 'activate');
    await workDone(server);
    expect(await rowsOf(_id)).toMatchObject([{ kind: 'booked-email' }]);

    await move(_id, 'assign');
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toMatchObject([
      { body: expect.stringContaining('Votre colis Atelier Zoé arrive mer. 5 mars, 14h-16h.') },
    ]);
    await move(_id, 'assign', 'abandon', 'assign');
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toHaveLength(1);
    expect(subjectsTo(person)).toEqual(['Votre colis Atelier Zoé : créneau réservé', FIRST_SUBJECT]);
  });

  test('of a special request gets messages at its assignment, without a slot', async () => {
    const special = { isSpecialRequest: true, agreedPickupTime: '17:30' };
    const account = await server.createAccount({ paymentMode: 'deferred', ...special });
    const person = somebody();
    const { _id } = await create(deliveryTo(person), account);
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toEqual([]);
    await moveShipment(server, account, _id, 'assign', { driverId: DRIVER });
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toMatchObject([
      { body: expect.stringContaining('Un livreur vous apporte votre colis Atelier Zoé.') },
    ]);
  });

  test('gets messages once after a hundred concurrent assignments', async () => {
    const person = somebody();
    const { _id } = await create({ ...deliveryTo(person), ...SLOT });
    await Promise.all(Array.from({ length: 100 }, () => move(_id, 'assign')));
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toHaveLength(1);
    expect(subjectsTo(person).filter((subject) => subject === FIRST_SUBJECT)).toHaveLength(1);
  });
});

describe('a collection', () => {
  const collect = (workshop: ReturnType<typeof somebody>, contact: ReturnType<typeof somebody>) => ({
    ...deliveryTo(workshop),
    isCollection: true,
    collectionContact: { ...contact, name: 'Léa' },
    pickupAddress: { street: '3 quai de la Gare', city: 'Lyon', postalCode: '69002' },
  });

  test('sends to the workshop at its creation, and to the contact at its assignment, with a readable QR code', async () => {
    const [workshop, contact] = [somebody(), somebody()];
    const { _id, referenceNumber } = await create(collect(workshop, contact));
    await workDone(server);
    expect(twilio.sentTo(workshop.phoneNumber)).toMatchObject([
      { body: expect.stringContaining(`Collecte ${referenceNumber} : un livreur vous apporte le colis.`) },
    ]);
    expect(twilio.sentTo(contact.phoneNumber)).toEqual([]);

    await move(_id, 'assign', 'assign', 'abandon', 'assign');
    await workDone(server);
    expect(twilio.sentTo(workshop.phoneNumber)).toHaveLength(1);
    const [sms, ...more] = twilio.sentTo(contact.phoneNumber);
    expect(more).toEqual([]);
    expect(sms?.body).toContain('un livreur vient chercher votre colis');
    expect(readSignedReference(server.config.linkSecrets, 'collect', tokenIn(sms?.body ?? ''))).toBe(referenceNumber);

    const [mail, ...others] = mailbox.sentTo(contact.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Un livreur vient chercher votre colis pour Atelier Zoé');
    expect(mail?.text).toContain('3 quai de la Gare, 69002 Lyon');
    const picture = mail?.attachments.find(({ mimeType }) => mimeType === 'image/png');
    expect(mail?.html).toContain(`src="cid:${picture?.contentId?.replaceAll(/[<>]/g, '')}"`);
    const scanned = await scan(Buffer.from(picture?.content as ArrayBuffer));
    expect(readSignedReference(server.config.linkSecrets, 'pick-up', scanned)).toBe(referenceNumber);
  });
});

/** The text that a scanner reads from an image. */
async function scan(png: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'navette-qr-'));
  try {
    await writeFile(join(folder, 'qr.png'), png);
    const { stdout } = await promisify(execFile)('zbarimg', ['-q', '--raw', join(folder, 'qr.png')]);
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a message', () => {
  test('that the provider postpones is retried until it is accepted, and arrives once', async () => {
    const person = somebody();
    twilio.answerWith({ status: 429, code: 20429 }, { status: 503 });
    const { _id } = await create(deliveryTo(person));
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toHaveLength(1);
    const sms = (await rowsOf(_id)).find(({ channel }) => channel === 'sms');
    expect(sms).toMatchObject({ status: 'sent', attempts: 3, failure: null, doubtful: false });
  });

  test('that is refused permanently stays failed, with the reason as a code', async () => {
    const person = somebody();
    twilio.answerWith({ status: 400, code: 21211 });
    mailbox.answerWith({ code: 550, at: 'rcpt' });
    const { _id } = await create(deliveryTo(person));
    await workDone(server);
    expect(await rowsOf(_id)).toMatchObject([
      { status: 'failed', failure: 'smtp 550', attempts: 1 },
      { status: 'failed', failure: 'twilio 400 21211', attempts: 1 },
    ]);
    expect(twilio.sentTo(person.phoneNumber)).toEqual([]);
  });

  test('to an invalid number fails at once, and the e-mail is still sent', async () => {
    const person = { ...somebody(), phoneNumber: 'sonner deux fois' };
    const { _id } = await create(deliveryTo(person));
    await workDone(server);
    expect(await rowsOf(_id)).toMatchObject([
      { status: 'sent' },
      { status: 'failed', failure: 'NUMBER_NOT_UNDERSTOOD', attempts: 0 },
    ]);
  });

  test('that is postponed for more than an hour is given up', async () => {
    twilio.answerWith(...Array(20).fill({ status: 503 }));
    const { _id } = await create(deliveryTo(somebody()));
    await vi.waitFor(async () => {
      const { numUpdatedRows } = await server.db
        .updateTable('messages')
        .set({ attempts: MAX_ATTEMPTS - 1 })
        .where('shipment_id', '=', _id)
        .where('channel', '=', 'sms')
        .where('status', '=', 'pending')
        .where('attempts', '>', 0)
        .executeTakeFirst();
      expect(numUpdatedRows).toBe(1n);
    }, WAIT);
    await workDone(server);
    expect((await rowsOf(_id))[1]).toMatchObject({
      status: 'failed',
      attempts: MAX_ATTEMPTS,
      failure: `given up after ${MAX_ATTEMPTS} attempts: twilio 503`,
    });
  });

  test('without a job, as after a downgrade, gets one; with a job it does not get a second one', async () => {
    const person = somebody();
    const { _id } = await create(deliveryTo(person));
    await workDone(server);
    const unsent = (db: Database | Tx) =>
      db
        .updateTable('messages')
        .set({ status: 'pending', created_at: new Date(Date.now() - 120_000) })
        .where('shipment_id', '=', _id)
        .where('channel', '=', 'sms')
        .returning('id as messageId')
        .executeTakeFirstOrThrow();
    const resume = () => resumeMessages(server.db, server.jobs, new Date());
    await unsent(server.db);
    await resume(); // the worker's own job may be first
    await vi.waitFor(() => expect(twilio.sentTo(person.phoneNumber)).toHaveLength(2), WAIT);
    await workDone(server);

    await server.db.transaction().execute(async (tx) => {
      const payload = { accountId: shop.id, ...(await unsent(tx)) };
      await server.jobs.send(tx, sendMessageJob, payload, { startAfter: new Date(Date.now() + 3_600_000) });
    });
    expect(await resume()).toBe(0);
    await makeDue(server, sendMessageJob);
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toHaveLength(3);
    expect(await resume()).toBe(0);
  });

  test('that was not sent before its shipment was cancelled is never sent', async () => {
    const person = somebody();
    twilio.answerWith(...Array(20).fill({ status: 503 }));
    mailbox.answerWith(...Array(20).fill({ code: 451, at: 'data' }));
    const { _id } = await create(deliveryTo(person));
    await vi.waitFor(async () => {
      const tried = (await rowsOf(_id)).filter(({ attempts }) => attempts > 0);
      expect(tried).toHaveLength(2);
    }, WAIT);
    await server.call(shop, 'PUT', `/shipping/${_id}/cancel`);
    twilio.answerWith();
    mailbox.answerWith();
    await workDone(server);
    expect((await rowsOf(_id)).map(({ kind, status }) => [kind, status])).toEqual([
      ['cancelled-email', 'sent'], // in doubt: an attempt could have left by then
      ['recipient-email', 'dropped'],
      ['recipient-sms', 'dropped'],
    ]);
    expect(twilio.sentTo(person.phoneNumber)).toEqual([]);
    expect(subjectsTo(person)).toEqual(['Votre livraison Atelier Zoé est annulée']);
  });

  test('whose response was lost is looked up before it is sent again', async () => {
    const person = somebody();
    twilio.answerWith('accept-and-hang-up');
    const asked = twilio.asked;
    const { _id } = await create(deliveryTo(person));
    const sms = async () => (await rowsOf(_id))[1];
    await vi.waitFor(async () => expect((await sms())?.failure).toMatch(/^network /), {
      timeout: 600_000,
      interval: 20,
    });
    await expireLease(_id);
    await workDone(server);
    expect(await sms()).toMatchObject({ status: 'sent', attempts: 2, doubtful: false, failure: null });
    expect((await sms())?.provider_id).toBe(twilio.sentTo(person.phoneNumber)[0]?.sid);
    expect(twilio.sentTo(person.phoneNumber)).toHaveLength(1);
    expect(twilio.asked).toBe(asked + 1);
  });
});

/** Moves the start of an attempt without an outcome into the past. */
async function expireLease(shipmentId: string): Promise<void> {
  await server.db
    .updateTable('messages')
    .set({ reserved_at: new Date(Date.now() - 3_600_000) })
    .where('shipment_id', '=', shipmentId)
    .where('status', '=', 'sending')
    .execute();
  await makeDue(server, sendMessageJob);
}

describe('personal data', () => {
  test('the log names messages by id, with masked contacts and without texts', async () => {
    const logs = worker.logged() + server.logged();
    expect(logs).toMatch(/"to":"\+33•••••\d{3}"/);
    expect(logs).not.toMatch(/\+33612340|person\d{4}@|navette\.example\/t\/|sonner|Camille|Zoé|Léa/);
    expect(logs).not.toContain(TWILIO_TOKEN);
    const codes = await server.db.selectFrom('shipments').select('delivery_code').execute();
    for (const { delivery_code } of codes) expect(logs).not.toContain(`"${delivery_code}"`);
  });

  test('contacts and texts are erased after the set days; the row stays, so that its message is not sent again', async () => {
    const person = somebody();
    const { _id } = await create({ ...deliveryTo(person), ...SLOT });
    await workDone(server); // an assignment before that would drop the e-mail about the slot
    await move(_id, 'assign');
    await workDone(server);
    const days = server.config.messageRetentionDays;
    const after = (hours: number) => new Date(Date.now() + days * 86_400_000 + hours * 3_600_000);
    expect(await eraseMessages(server.db, days, after(-1))).toBe(0);
    expect(await eraseMessages(server.db, days, after(1))).toBeGreaterThanOrEqual(2);
    for (const row of await rowsOf(_id)) {
      expect(row).toMatchObject({ recipient: null, subject: null, body: null, html: null, status: 'sent' });
      expect(row.erased_at).not.toBe(null);
    }
    await move(_id, 'assign');
    await workDone(server);
    expect(twilio.sentTo(person.phoneNumber)).toHaveLength(1);
  });

  test('metrics count attempts by outcome, and report the age of the oldest unsent message', async () => {
    await create(deliveryTo(somebody()));
    await workDone(server);
    expect(await worker.metrics()).toMatch(
      /navette_message_attempts_total\{kind="recipient-sms",outcome="accepted"\} [1-9]/,
    );
    expect(await server.metrics()).toMatch(/^navette_oldest_unsent_message_seconds 0$/m);
  });
});

describe('navette messages', () => {
  test('lists messages with masked contacts, and without the text of those a provider accepted', async () => {
    const person = { ...somebody(), phoneNumber: 'sonner deux fois' };
    const { referenceNumber } = await create(deliveryTo(person));
    await workDone(server);
    const { code, stdout } = await runNavette(['messages', '--shipment', referenceNumber], server.environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/recipient-email\s+sent\s+p•••@•••\.org/);
    expect(stdout).toMatch(/recipient-sms\s+failed .* NUMBER_NOT_UNDERSTOOD/);
    expect(stdout).not.toMatch(/person|sonner|\/t\//);
    const failed = await runNavette(['messages', '--failed', '--json'], server.environment);
    const statuses = (JSON.parse(failed.stdout) as { status: string }[]).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['failed']));
    expect((await runNavette(['messages', '--limit', '0'], server.environment)).code).toBe(2);
  });

  test('shows why mail to a relay without TLS is not sent', async () => {
    const relay = await startFakeMailbox();
    const local = await startTestServer({ MAIL_URL: relay.url, MAIL_TLS: 'required' });
    const own = await startTestWorker(local);
    try {
      const account = await local.createAccount({ paymentMode: 'deferred' });
      await local.call(account, 'POST', '/shipping', { body: shipmentRequest() });
      const failures = () =>
        local.db.selectFrom('messages').select('failure').where('kind', 'like', '%-email').execute();
      await vi.waitFor(async () => expect((await failures())[0]?.failure).toBeTruthy(), { timeout: 240_000 });
      const { stdout } = await runNavette(['messages'], local.environment);
      expect(stdout).toMatch(
        /recipient-email\s+(pending|sending) .* the relay offers no TLS \(STARTTLS\); see MAIL_TLS/,
      );
      expect(relay.mails).toEqual([]);
    } finally {
      await own.stop();
      await local.stop();
      await relay.stop();
    }
  });

  test('in development shows the text with the link that opens the recipient’s page', async () => {
    const local = await startTestServer({ PUBLIC_URL });
    const own = await startTestWorker(local);
    try {
      const account = await local.createAccount({ paymentMode: 'deferred' });
      const { body } = await local.call(account, 'POST', '/shipping', { body: shipmentRequest() });
      await workDone(local);
      const { stdout } = await runNavette(['messages'], local.environment);
      expect(stdout).toMatch(/recipient-sms\s+sent/);
      const token = tokenIn(stdout);
      expect(readSignedReference(local.config.linkSecrets, 'track', token)).toBe(body.shipping.referenceNumber);
    } finally {
      await own.stop();
      await local.stop();
    }
  });
});
