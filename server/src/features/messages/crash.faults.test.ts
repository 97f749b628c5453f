import type { ShipmentRequest } from '@navette/contract';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDriver } from '../../../test/driver-app.ts';
import { startFakeCarrier } from '../../../test/fake-carrier.ts';
import { startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../../test/fake-twilio.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { giveBackOrphans } from '../../../test/orphaned-jobs.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, workDone } from '../../../test/test-worker.ts';
import { JOBS, sendMessageJob } from '../../jobs/definitions.ts';
import { createLog } from '../../observability/create-log.ts';
import { announceArrivals } from './announce-arrivals.handler.ts';
import { createMessageMetrics } from './message-metrics.ts';
import { saveMessageSettings } from './message-settings.ts';
import { resumeMessages } from './resume-messages.handler.ts';
import { createMessageSending } from './send-message.handler.ts';
import { writeMessages } from './write-messages.ts';

const WAIT = { timeout: 240_000, interval: 20 };

let twilio: FakeTwilio;
let carrier: Awaited<ReturnType<typeof startFakeCarrier>>;
let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  carrier = await startFakeCarrier();
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([twilio.stop(), carrier.stop()]);
});

const create = async (changes: Partial<ShipmentRequest> = {}) => {
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes) });
  return body.shipping._id as string;
};
const smsOf = (shipmentId: string) =>
  server.db
    .selectFrom('messages')
    .selectAll()
    .where('shipment_id', '=', shipmentId)
    .where('channel', '=', 'sms')
    .executeTakeFirst();

/** A worker process is killed after the provider received the message and before its response. */
async function killWhileSending(smsUrl: string, taken: () => boolean, mailUrl?: string): Promise<void> {
  const mail = mailUrl ? { MAIL_URL: mailUrl } : {};
  const victim = await startNavette(['worker'], { ...server.environment, ...mail, SMS_URL: smsUrl });
  try {
    await vi.waitFor(() => expect(taken()).toBe(true), WAIT);
  } finally {
    await victim.kill();
  }
}

/** Simulates the time after which another worker takes over a dead worker's jobs. */
async function runNextWorker(smsUrl: string, mailUrl: string | null = null): Promise<void> {
  await server.db
    .updateTable('messages')
    .set({ reserved_at: new Date(Date.now() - 3_600_000) })
    .where('status', '=', 'sending')
    .execute();
  for (const job of JOBS.filter(({ schedule }) => !schedule)) await giveBackOrphans(server, job);
  await resumeMessages(server.db, server.jobs, new Date(Date.now() + 120_000));
  const worker = await startTestWorker({ config: { ...server.config, smsUrl, ...(mailUrl ? { mailUrl } : {}) } });
  try {
    await workDone(server);
  } finally {
    await worker.stop();
  }
}

describe('a worker killed between a provider’s acceptance and its record', () => {
  test('leaves a message that the next worker looks up at Twilio and does not send again', async () => {
    const id = await create();
    twilio.answerWith('accept-and-hang');
    await killWhileSending(twilio.url, () => twilio.messages.length === 1);
    expect(await smsOf(id)).toMatchObject({ status: 'sending', attempts: 1, sent_at: null });

    await runNextWorker(twilio.url);
    expect(await smsOf(id)).toMatchObject({ status: 'sent', attempts: 2, doubtful: false });
    expect((await smsOf(id))?.provider_id).toBe(twilio.messages[0]?.sid);
    expect(twilio.messages).toHaveLength(1);
    expect(twilio.asked).toBe(1);
  });

  test('before the provider received the message, leaves it to the next worker to send', async () => {
    const id = await create();
    const before = twilio.attempts;
    const sent = twilio.messages.length;
    twilio.answerWith('hang-up', 'hang-up');
    await killWhileSending(twilio.url, () => twilio.attempts > before);
    twilio.answerWith();
    await runNextWorker(twilio.url);
    expect(await smsOf(id)).toMatchObject({ status: 'sent', doubtful: false });
    expect(twilio.messages).toHaveLength(sent + 1);
  });

  test('over SMPP, which has no look-up, leaves a message that is sent a second time and marked as doubtful', async () => {
    const id = await create();
    carrier.answerWith('accept-and-hang');
    await killWhileSending(carrier.url, () => carrier.parts.length === 1);
    await runNextWorker(carrier.url);
    expect(await smsOf(id)).toMatchObject({ status: 'sent', provider: 'smpp', doubtful: true });
    expect(carrier.parts.map(({ text }) => text)).toEqual(Array(2).fill((await smsOf(id))?.body));
  });
});

describe('a worker killed while it sends a later message', () => {
  const arrivals = (id: string) => {
    const expected = new Date(Date.now() + 600_000);
    const arrival = { expected, from: expected, until: expected, spread: 1, stopsBefore: 0 };
    return { ofDrivers: async () => new Map([[id, arrival]]) };
  };
  const announce = (id: string) =>
    announceArrivals({ ...server, arrivals: arrivals(id), metrics: createMessageMetrics(new Registry()) }, new Date());
  const onTheWay = async () => {
    const id = await create();
    const driver = await createTestDriver(server.db, { available: false });
    await moveShipment(server, shop, id, 'assign', { driverId: driver.id });
    await moveShipment(server, shop, id, 'pick_up');
    await moveShipment(server, shop, id, 'depart');
    return id;
  };

  test('by SMS, “in about ten minutes”, leaves one that is looked up and not sent again', async () => {
    await server.db
      .transaction()
      .execute((tx) => saveMessageSettings(tx, shop.id, { messages: [{ kind: 'soon-sms', isOn: true }] }, new Date()));
    const id = await onTheWay();
    await runNextWorker(twilio.url); // the messages of the creation
    await announce(id);
    const soon = () => twilio.messages.filter(({ body }) => body.includes('10 minutes'));
    twilio.answerWith('accept-and-hang');
    await killWhileSending(twilio.url, () => soon().length === 1);
    twilio.answerWith();
    await announce(id);
    await runNextWorker(twilio.url);
    const row = await server.db
      .selectFrom('messages')
      .select(['status', 'doubtful'])
      .where('shipment_id', '=', id)
      .where('kind', '=', 'soon-sms')
      .execute();
    expect(row).toEqual([{ status: 'sent', doubtful: false }]);
    expect(soon()).toHaveLength(1);
  });

  test('by e-mail leaves one message of each kind; one whose acceptance was lost keeps its Message-ID', async () => {
    const mailbox = await startFakeMailbox();
    try {
      const slot = { scheduledDate: '2031-03-05', timeSlot: '14h-16h' };
      const [booked, cancelled, delivered] = [await create(slot), await create(slot), await onTheWay()];
      await runNextWorker(twilio.url, mailbox.url);
      await announce(delivered);
      await runNextWorker(twilio.url, mailbox.url);
      await server.call(shop, 'PUT', `/shipping/${cancelled}/cancel`);
      await moveShipment(server, shop, delivered, 'deliver');
      const before = mailbox.mails.length;
      mailbox.answerWith('accept-and-hang', 'accept-and-hang');
      await killWhileSending(twilio.url, () => mailbox.mails.length > before, mailbox.url);
      mailbox.answerWith();
      await runNextWorker(twilio.url, mailbox.url);
      const rows = await server.db
        .selectFrom('messages')
        .select(['kind', 'status'])
        .where('shipment_id', 'in', [booked, cancelled, delivered])
        .where('channel', '=', 'email')
        .orderBy('kind')
        .execute();
      expect(rows.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
        'booked-email sent',
        'booked-email sent',
        'cancelled-email sent',
        'delivered-email sent',
        'next-email sent',
        'recipient-email sent',
      ]);
      expect(new Set(mailbox.mails.map(({ messageId }) => messageId)).size).toBe(rows.length);
    } finally {
      await mailbox.stop();
    }
  });
});

test('a killed worker and the next one together stay within the account’s daily SMS budget', async () => {
  const { id } = shop;
  await server.db.updateTable('accounts').set({ sms_per_day: 8 }).where('id', '=', id).execute();
  await server.db.deleteFrom('sms_days').where('account_id', '=', id).execute();
  const before = twilio.messages.length;
  const arrived = () => twilio.messages.length - before;
  const shippings = Array.from({ length: 40 }, () => shipmentRequest());
  await server.call(shop, 'POST', '/shipping/batch', { body: { shippings } });
  twilio.answerWith('accept', 'accept', ...Array(40).fill('accept-and-hang'));
  await killWhileSending(twilio.url, () => arrived() > 2);
  twilio.answerWith();
  // Repeated in case a reservation of the dead worker was committed after the first call.
  await vi.waitFor(() => runNextWorker(twilio.url).then(() => expect(arrived()).toBe(8)), { timeout: 240_000 });
  const rows = await server.db.selectFrom('sms_days').select('reserved').where('account_id', '=', id).execute();
  expect(rows).toEqual([{ reserved: 8 }]);
  await server.db.updateTable('accounts').set({ sms_per_day: null }).where('id', '=', id).execute();
});

describe('one message', () => {
  const follow = async (shipmentId: string) => {
    const change = { accountId: shop.id, shipmentId, status: 'created', eventId: null } as const;
    await server.db.transaction().execute((tx) => writeMessages(tx, server.jobs, server.config, [change]));
  };

  test('is written together with its job, and both are rolled back with a failed transaction', async () => {
    const id = await create();
    const change = { accountId: shop.id, shipmentId: id, status: 'created', eventId: null } as const;
    const jobs = async () => {
      const { rows } = await sql<{ transaction: string }>`
        select xmin::text as transaction from pgboss.job where name = ${sendMessageJob.name} and data->>'messageId' in
          (select id::text from messages where shipment_id = ${id})`.execute(server.db);
      return rows;
    };
    const failing = server.db.transaction().execute(async (tx) => {
      await writeMessages(tx, server.jobs, server.config, [change]);
      throw new Error('the rest failed');
    });
    await expect(failing).rejects.toThrow('the rest failed');
    expect(await smsOf(id)).toBe(undefined);
    const { rows: before } =
      await sql`select 1 from pgboss.job where name = ${sendMessageJob.name} and state = 'created'`.execute(server.db);
    expect(before).toEqual([]);

    await follow(id);
    const { rows: written } = await sql<{ transaction: string }>`
      select xmin::text as transaction from messages where shipment_id = ${id}`.execute(server.db);
    expect(written).toHaveLength(2);
    expect(await jobs()).toEqual(written);
    await follow(id);
    expect(await jobs()).toHaveLength(2);
  });

  test('that many workers take at the same time is sent by one of them', async () => {
    const id = await create();
    await follow(id);
    const message = await smsOf(id);
    let sent = 0;
    const send = async () => {
      sent++;
      return { kind: 'accepted', providerId: null } as const;
    };
    const provider = { provider: 'counting', send, check: async () => {}, close: async () => {} };
    const sending = {
      ...server,
      sms: provider,
      mail: provider,
      metrics: createMessageMetrics(new Registry()),
      log: createLog('silent'),
    };
    const payload = { accountId: shop.id, messageId: message?.id ?? '' };
    const workers = Array.from({ length: 6 }, () => createMessageSending(sending, () => new Date()));
    await Promise.all(workers.flatMap(({ sendQueued }) => Array.from({ length: 5 }, () => sendQueued(payload))));
    expect(sent).toBe(1);
    expect(await smsOf(id)).toMatchObject({ status: 'sent', attempts: 1 });
  });
});
