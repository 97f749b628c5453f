import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { ship } from '../../../test/dispatched.ts';
import { readsOf } from '../../../test/rows-read.ts';
import { startTestServer } from '../../../test/test-server.ts';
import { createDatabase, createPool } from '../../database/database.ts';
import { createLog } from '../../observability/create-log.ts';
import { createMessageMetrics } from './message-metrics.ts';
import { createMessageSending } from './send-message.handler.ts';
import { writeMessages } from './write-messages.ts';

const BACKLOG = 20_000; // unsent messages
const MAX_READ = 100; // rows of messages, for one attempt

test('an attempt does not read a backlog of unsent messages, although there was none at the last ANALYZE', async () => {
  const server = await startTestServer();
  const pool = createPool({ databaseUrl: server.config.databaseUrl, size: 1, lookups: true });
  try {
    const shop = await server.createAccount({ paymentMode: 'deferred' });
    const change = {
      accountId: shop.id,
      shipmentId: (await ship(server, shop))._id,
      status: 'created',
      eventId: null,
    } as const;
    await server.db.transaction().execute((tx) => writeMessages(tx, server.jobs, server.config, [change]));
    const [message] = await server.db.selectFrom('messages').select('id').where('account_id', '=', shop.id).execute();
    const addMessages = (count: number, status: string) =>
      server.db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx); // their shipments do not exist
        await sql`
          insert into messages select (json_populate_record(m, json_build_object('id', gen_random_uuid(),
            'shipment_id', gen_random_uuid(), 'status', ${status}::text))).*
          from messages m, generate_series(1, ${count}) where m.id = ${message?.id}`.execute(tx);
      });
    await addMessages(BACKLOG, 'sent');
    await sql`analyze`.execute(server.db);
    await addMessages(BACKLOG, 'pending');

    const provider = { provider: 'test', send: async () => ({ kind: 'accepted', providerId: null }) as const };
    const idle = { check: async () => {}, close: async () => {} };
    const [sms, mail] = [
      { ...provider, ...idle },
      { ...provider, ...idle },
    ];
    const metrics = createMessageMetrics(new Registry());
    const context = { ...server, db: createDatabase(pool), sms, mail, metrics, log: createLog('silent') };
    const { sendQueued } = createMessageSending(context, () => new Date());
    const reads = await readsOf([pool], () => sendQueued({ accountId: shop.id, messageId: message?.id ?? '' }));
    expect(reads.rows('messages')).toBeLessThan(MAX_READ);
    const [sent] = await server.db
      .selectFrom('messages')
      .select('status')
      .where('id', '=', message?.id ?? '')
      .execute();
    expect(sent).toEqual({ status: 'sent' });
  } finally {
    await pool.end();
    await server.stop();
  }
});
