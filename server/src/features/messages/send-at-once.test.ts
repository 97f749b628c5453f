import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ship, shipMany } from '../../../test/dispatched.ts';
import { startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import type { SendOutcome } from '../../adapters/send-outcome.ts';
import { sendMessageJob } from '../../jobs/definitions.ts';
import { createLog } from '../../observability/create-log.ts';
import { followChanges } from '../shipments/follow-change.handler.ts';
import { auditMessages } from './audit-messages.ts';
import { createMessageMetrics } from './message-metrics.ts';
import { LEASE_MS } from './reserve-attempt.ts';
import { resumeMessages } from './resume-messages.handler.ts';
import { createSendingAtOnce, type SendingAtOnce } from './send-at-once.ts';
import { createMessageSending, type MessageSending } from './send-message.handler.ts';

const MOST = 40; // messages that a process sends without jobs at a time

let server: TestServer;
let shop: TestAccount;
let sent: string[];
/** The provider's response, once it may come. */
let answer: Promise<SendOutcome>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await sql`delete from pgboss.job`.execute(server.db);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  sent = [];
  answer = Promise.resolve({ kind: 'accepted', providerId: null });
});

/** `pauseMs` pass between the reservation of a message and its attempt. */
function openSending(pauseMs = 0): SendingAtOnce {
  const { sendReserved } = openMessageSending(() => new Date(Date.now() + pauseMs));
  return createSendingAtOnce({ budget: server.config, now: () => new Date(), send: sendReserved });
}

function openMessageSending(now: () => Date): MessageSending {
  const send = async ({ to }: { to: string }) => {
    sent.push(to);
    return answer;
  };
  const provider = { provider: 'counting', send, check: async () => {}, close: async () => {} };
  const context = { ...server, sms: provider, mail: provider, log: createLog('silent') };
  const metrics = createMessageMetrics(new Registry());
  return createMessageSending({ ...context, metrics }, now);
}

const follow = (shipmentIds: string[], messages: SendingAtOnce, eventId: string | null = null) =>
  followChanges(
    {
      ...{ db: server.db, jobs: server.jobs, config: server.config, metrics: createMessageMetrics(new Registry()) },
      wakeSenders: async () => {},
      pushToDrivers: async () => {},
      searchDriver: async () => true,
      messages,
    },
    shipmentIds.map((shipmentId) => ({ accountId: shop.id, shipmentId, status: 'created', eventId })),
  );

const rowsOf = ({ id }: TestAccount) =>
  server.db
    .selectFrom('messages')
    .select(['id', 'channel', 'status', 'attempts', 'failure'])
    .where('account_id', '=', id)
    .orderBy('kind')
    .execute();
const countJobs = async () => {
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from pgboss.job where name = ${sendMessageJob.name}`.execute(server.db);
  return rows[0]?.jobs;
};
const countSms = async ({ id }: TestAccount) =>
  (await server.db.selectFrom('sms_days').select('reserved').where('account_id', '=', id).executeTakeFirst())?.reserved;

test('the messages of a change are sent without jobs, once, and the SMS counts in the budget', async () => {
  const { _id } = await ship(server, shop);
  const messages = openSending();
  await follow([_id], messages);
  await follow([_id], messages);
  await messages.ended();
  expect(await rowsOf(shop)).toMatchObject([
    { channel: 'email', status: 'sent', attempts: 1 },
    { channel: 'sms', status: 'sent', attempts: 1 },
  ]);
  expect(sent).toHaveLength(2);
  expect(await countSms(shop)).toBe(1);
  expect(await countJobs()).toBe(0);
});

test('a change that is not committed sends nothing', async () => {
  const { _id } = await ship(server, shop);
  const messages = openSending();
  await expect(follow([_id], messages, 'no event')).rejects.toThrow('uuid');
  await messages.ended();
  expect(sent).toEqual([]);
  expect(await rowsOf(shop)).toEqual([]);
  expect(await countSms(shop)).toBe(undefined);
});

test('while as many as allowed are being sent, further messages get jobs', async () => {
  const ids = await shipMany(server, shop, MOST);
  const { promise, resolve } = Promise.withResolvers<SendOutcome>();
  answer = promise;
  const messages = openSending();
  await follow(ids, messages);
  await vi.waitFor(() => expect(sent).toHaveLength(MOST));
  expect(await countJobs()).toBe(MOST);
  expect(messages.reserve().most).toBe(0);
  resolve({ kind: 'accepted', providerId: null });
  await messages.ended();
  expect(messages.reserve().most).toBe(MOST);
  expect((await rowsOf(shop)).map(({ status }) => status).sort()).toEqual([
    ...Array(MOST).fill('pending'),
    ...Array(MOST).fill('sent'),
  ]);
});

test('SMS that exceed the budget together get jobs, which decide each', async () => {
  await server.db.updateTable('accounts').set({ sms_per_day: 2 }).where('id', '=', shop.id).execute();
  const messages = openSending();
  await follow(await shipMany(server, shop, 3), messages);
  await messages.ended();
  const statuses = (await rowsOf(shop)).map(({ channel, status }) => `${channel} ${status}`);
  expect(statuses).toEqual([...Array(3).fill('email sent'), ...Array(3).fill('sms pending')]);
  expect(await countJobs()).toBe(3);
  expect(await countSms(shop)).toBe(undefined);
});

test('a message that the provider postpones gets the job of its next attempt', async () => {
  answer = Promise.resolve({ kind: 'postponed', reason: 'busy' });
  const messages = openSending();
  await follow([(await ship(server, shop))._id], messages);
  await messages.ended();
  expect(await rowsOf(shop)).toMatchObject([
    { status: 'pending', attempts: 1, failure: 'busy' },
    { status: 'pending', attempts: 1, failure: 'busy' },
  ]);
  expect(await countJobs()).toBe(2);
});

test('a worker that was stopped after the reservation sends nothing late: the message gets a job', async () => {
  const messages = openSending(25_000);
  await follow([(await ship(server, shop))._id], messages);
  await messages.ended();
  expect(sent).toEqual([]);
  expect(await rowsOf(shop)).toMatchObject([
    { status: 'pending', attempts: 1 },
    { status: 'pending', attempts: 1 },
  ]);
  expect(await countJobs()).toBe(2);
});

test('a worker that is being stopped leaves messages to jobs', async () => {
  const messages = openSending();
  messages.stop();
  await follow([(await ship(server, shop))._id], messages);
  expect(sent).toEqual([]);
  expect(await countJobs()).toBe(2);
});

test('one whose worker died gets a job after its reservation, and the audit waits for that', async () => {
  const messages = openSending();
  answer = new Promise(() => {});
  await follow([(await ship(server, shop))._id], messages);
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  const resumeAfter = (seconds: number) =>
    resumeMessages(server.db, server.jobs, new Date(Date.now() + seconds * 1_000));
  const age = (seconds: number) =>
    sql`update messages set created_at = now() - make_interval(secs => ${seconds}) where account_id = ${shop.id}`.execute(
      server.db,
    );
  const ids = (await rowsOf(shop)).map(({ id }) => id);
  const findings = async () =>
    (await auditMessages(server.db)).flatMap(({ examples }) => examples).filter((id) => ids.includes(id));
  expect(await resumeAfter(0)).toBe(0);
  await age(150);
  expect(await findings()).toEqual([]);
  await age(200);
  expect((await findings()).sort()).toEqual(ids.sort());
  expect(await resumeAfter(0)).toBe(2);
  expect(await findings()).toEqual([]);

  answer = Promise.resolve({ kind: 'accepted', providerId: null });
  const sendAll = (at: Date) =>
    Promise.all(ids.map((messageId) => openMessageSending(() => at).sendQueued({ accountId: shop.id, messageId })));
  await sendAll(new Date());
  expect(sent).toHaveLength(2); // reserved until a minute has passed
  await sendAll(new Date(Date.now() + LEASE_MS));
  expect(sent).toHaveLength(4);
  expect((await rowsOf(shop)).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['sent', 2],
    ['sent', 2],
  ]);
});

test('a worker that is stopped ends its attempts first; one that sends no messages enqueues jobs', async () => {
  const mailbox = await startFakeMailbox();
  const config = { ...server.config, mailUrl: mailbox.url };
  try {
    const silent = await startTestWorker({ config }, undefined, undefined, (name) => name !== sendMessageJob.name);
    await ship(server, shop);
    await vi.waitFor(async () => expect(await countJobs()).toBe(2), { timeout: 60_000 });
    await silent.stop();
    expect(mailbox.mails).toEqual([]);
    await sql`delete from pgboss.job`.execute(server.db);

    mailbox.answerWith('accept-and-hang'); // until the time limit of fifteen seconds
    const other = await server.createAccount({ paymentMode: 'deferred' });
    const worker = await startTestWorker({ config });
    await ship(server, other);
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(1), { timeout: 60_000 });
    await worker.stop();
    const [email] = await rowsOf(other);
    expect(email).toMatchObject({ status: 'sending', attempts: 1 });
    expect(email?.failure).toMatch(/^smtp /);
    expect(await countJobs()).toBe(1); // of the next attempt
  } finally {
    await mailbox.stop();
  }
});
