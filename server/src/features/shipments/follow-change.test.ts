import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ship, shipMany } from '../../../test/dispatched.ts';
import { meetHalfWay } from '../../../test/lock-waits.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { transactionOf } from '../../../test/transaction-of.ts';
import { createDatabase, createPool, type Tx } from '../../database/database.ts';
import {
  activateShipmentJob,
  type JobDefinition,
  notifyDriversJob,
  type ShipmentChange,
  searchDriverJob,
} from '../../jobs/definitions.ts';
import { pushOrEnqueue } from '../dispatch/notify-drivers.handler.ts';
import { createMessageMetrics } from '../messages/index.ts';
import { createAttemptLog, type Outcome } from '../webhooks/attempt-log.ts';
import { ONLY_EVENTS } from './change-status.ts';
import { type FollowUpContext, followChanges } from './follow-change.handler.ts';

// As on large tables: rows are found one by one, in the order in which they are asked for.
const ONE_BY_ONE = '-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off';

let server: TestServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startTestServer();
  const databaseUrl = `${server.config.databaseUrl}?options=${encodeURIComponent(ONE_BY_ONE)}`;
  pool = createPool({ databaseUrl, size: 2 });
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

interface Batch {
  changes: (ShipmentChange & { eventId: string })[];
  middle: ShipmentChange & { eventId: string };
  webhookId: string;
}

/** Three shipments with their events, of an account that has a webhook. */
async function prepareBatch(scheduled: object = {}): Promise<Batch> {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const webhookId = randomUUIDv7();
  const webhook = { url: 'http://127.0.0.1:9/', events: ['shipping.created'], secret_key: 'none', is_active: true };
  await server.db
    .insertInto('webhooks')
    .values({ account_id: shop.id, id: webhookId, sealed_secret: Buffer.alloc(1), ...webhook })
    .execute();
  for (let i = 0; i < 3; i++) await ship(server, shop, scheduled);
  const changes = await server.db
    .selectFrom('events')
    .select(['account_id as accountId', 'shipment_id as shipmentId', 'id as eventId'])
    .where('account_id', '=', shop.id)
    .orderBy('id')
    .execute();
  const batch = changes.map((change) => ({ ...change, status: 'picked_up' as const }));
  return { changes: batch, middle: batch[1] as Batch['middle'], webhookId };
}

const follow = (changes: ShipmentChange[], options: Partial<FollowUpContext> = {}) =>
  followChanges(
    {
      db: createDatabase(pool),
      jobs: server.jobs,
      config: server.config,
      metrics: createMessageMetrics(new Registry()),
      wakeSenders: async () => {},
      pushToDrivers: async () => {},
      searchDriver: async () => true,
      ...options,
    },
    changes,
  );

/** Both batches at once, the second in reverse; both reach `hold` midway. */
async function followBoth(batch: ShipmentChange[], hold: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const outcomes = await meetHalfWay(server.db, hold, [() => follow(batch), () => follow(batch.toReversed())]);
  return outcomes.map(({ status }) => status);
}

describe('two batches with the same shipments in opposite order do not deadlock', () => {
  test('when both write messages', async () => {
    const { changes, middle } = await prepareBatch();
    const created = changes.map((change) => ({ ...change, status: 'created' as const, eventId: null }));
    const { accountId, shipmentId } = middle;
    const message = { kind: 'recipient-sms', channel: 'sms', created_at: new Date(), id: randomUUIDv7() };
    const hold = (tx: Tx) =>
      tx
        .insertInto('messages')
        .values({ account_id: accountId, shipment_id: shipmentId, ...message })
        .execute();
    expect(await followBoth(created, hold)).toEqual(['fulfilled', 'fulfilled']);
    const written = server.db.selectFrom('messages').select('id').where('account_id', '=', accountId);
    expect(await written.execute()).toHaveLength(6); // SMS and e-mail, once each
  });

  test('when both schedule activations', async () => {
    const { changes, middle } = await prepareBatch({ scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
    const programmed = changes.map((change) => ({ ...change, status: 'programmed' as const, eventId: null }));
    const { accountId, shipmentId } = middle;
    const options = { singletonKey: shipmentId };
    const hold = (tx: Tx) => server.jobs.send(tx, activateShipmentJob, { accountId, shipmentId }, options);
    expect(await followBoth(programmed, hold)).toEqual(['fulfilled', 'fulfilled']);
  });

  test('when both add deliveries', async () => {
    const { changes, middle, webhookId } = await prepareBatch();
    const { accountId, eventId } = middle;
    const key = { account_id: accountId, event_id: eventId, webhook_id: webhookId };
    const addIt = (tx: Tx) => tx.insertInto('webhook_deliveries').values(key).execute();
    expect(await followBoth(changes, addIt)).toEqual(['fulfilled', 'fulfilled']);
  });

  test('when both record outcomes of deliveries', async () => {
    const { changes, middle, webhookId } = await prepareBatch();
    await follow(changes);
    const { eventId } = middle;
    const lockIt = (tx: Tx) =>
      tx.selectFrom('webhook_deliveries').select('status').where('event_id', '=', eventId).forUpdate().execute();
    const outcomes = changes.map(
      (change): Outcome => ({
        ...{
          accountId: change.accountId,
          eventId: change.eventId,
          webhookId,
          resend: 0,
          attempt: 1,
          startedAt: new Date(),
        },
        secretVersion: 1,
        ...{ durationMs: 1, status: 200, error: null, answer: null, fault: null, becomes: 'delivered', failedMsAgo: 0 },
      }),
    );
    const recordAll = async (own: Outcome[]) => {
      const attempts = createAttemptLog(pool);
      await Promise.all(own.map((outcome) => attempts.record(outcome))); // in one statement
    };
    const recorded = await meetHalfWay(server.db, lockIt, [
      () => recordAll(outcomes),
      () => recordAll(outcomes.toReversed()),
    ]);
    expect(recorded.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });
});

test.for(ONLY_EVENTS)('nothing follows a change to %s without an event, so it needs no job', async (status) => {
  const { middle } = await prepareBatch();
  const sent = await transactionOf(pool, () => follow([{ ...middle, status, eventId: null }]));
  expect(sent).toEqual(['begin', 'commit']);
});

const payloadsOf = async (job: JobDefinition, { accountId }: ShipmentChange) => {
  const { rows } = await sql<{ data: object }>`select data from pgboss.job
    where name = ${job.name} and data->>'accountId' = ${accountId} order by data->>'shipmentId'`.execute(server.db);
  return rows.map(({ data }) => data);
};

test('drivers whose offers were withdrawn are notified; a push that fails becomes a job', async () => {
  const { changes } = await prepareBatch();
  const [first, second, third] = changes as [ShipmentChange, ShipmentChange, ShipmentChange];
  const pushed: string[] = [];
  const sender = {
    async send(driverId: string) {
      pushed.push(driverId);
      if (driverId === lost) throw new Error('Redis does not respond');
    },
  };
  const [lost, reached] = [randomUUIDv7(), randomUUIDv7()];
  await follow([{ ...first, withdrawnFrom: [lost] }, { ...second, withdrawnFrom: [reached] }, third], {
    pushToDrivers: (notification) => pushOrEnqueue(server.db, server.jobs, sender, notification),
  });
  expect(new Set(pushed)).toEqual(new Set([lost, reached]));
  const { accountId, shipmentId } = first;
  const data = { accountId, shipmentId, driverIds: [lost], push: 'offer-withdrawn' };
  expect(await payloadsOf(notifyDriversJob, first)).toMatchObject([data]);
});

describe('the search for a driver of a new shipment', () => {
  test('starts within the job of the creation; one that fails or may be slow becomes a job', async () => {
    const { changes } = await prepareBatch();
    const created = changes.map((change) => ({ ...change, status: 'created' as const }));
    const [first, slow, failing] = created as [ShipmentChange, ShipmentChange, ShipmentChange];
    const searched: string[] = [];
    await follow(created, {
      async searchDriver({ shipmentId }) {
        searched.push(shipmentId);
        if (shipmentId === failing.shipmentId) throw new Error('PostgreSQL does not respond');
        return shipmentId !== slow.shipmentId;
      },
    });
    expect(searched).toEqual(created.map(({ shipmentId }) => shipmentId));
    const enqueued = [slow, failing].map(({ accountId, shipmentId }) => ({ accountId, shipmentId }));
    expect(await payloadsOf(searchDriverJob, first)).toEqual(enqueued);
  });

  test('is a job when a batch has many, so that the next batch does not wait', async () => {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const shipmentIds = (await shipMany(server, shop, 41)).toSorted();
    const created = shipmentIds.map((shipmentId) => ({
      ...{ accountId: shop.id, shipmentId, status: 'created' as const, eventId: null },
    }));
    await follow(created, { searchDriver: () => Promise.reject(new Error('must not be called')) });
    expect(await payloadsOf(searchDriverJob, created[0] as ShipmentChange)).toEqual(
      shipmentIds.map((shipmentId) => ({ accountId: shop.id, shipmentId })),
    );
  });
});
