import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { findAfterDamage } from '../../../test/damage.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, workDone } from '../../../test/test-worker.ts';
import { auditMessages } from './audit-messages.ts';

const HAS_MESSAGE = 'the recipient of a shipment under way has a message';
const NONE_TOO_EARLY = 'before the search for a driver only the booked slot is announced';
const ENDED = 'a delivery or cancellation is announced only once it happened';
const HAS_JOB = 'an unsent message has a job that sends it';

let server: TestServer;
let express: string;
let scheduled: string;
beforeAll(async () => {
  server = await startTestServer();
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const create = async (changes = {}) =>
    (await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes) })).body.shipping._id as string;
  express = await create();
  scheduled = await create({ scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
  const worker = await startTestWorker(server);
  await workDone(server);
  await worker.stop();
});
afterAll(() => server.stop());

const findAfter = (...damage: RawBuilder<unknown>[]) => findAfterDamage(server, auditMessages, damage);
const longAgo = sql`update shipments set updated_at = now() - interval '1 hour'`;

describe('the audit of messages', () => {
  test('finds nothing after normal work, and every invariant is tested here', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
    expect(await findAfter(longAgo)).toEqual({});
    expect((await auditMessages(server.db)).map(({ invariant }) => invariant)).toEqual([
      HAS_MESSAGE,
      NONE_TOO_EARLY,
      ENDED,
      HAS_JOB,
    ]);
  });

  test('finds a recipient without a message', async () => {
    expect(await findAfter(longAgo, sql`delete from messages where shipment_id = ${express}`)).toEqual({
      [HAS_MESSAGE]: [express],
    });
  });

  test('finds a message written before the search started', async () => {
    const moved = sql`update messages set shipment_id = ${scheduled}, id = ${randomUUIDv7()} where kind = 'recipient-email'`;
    expect(await findAfter(moved)).toEqual({ [NONE_TOO_EARLY]: [scheduled] });
  });

  test('finds a message about an end that has not come', async () => {
    const [early] = await server.db.selectFrom('messages').select('id').where('kind', '=', 'recipient-email').execute();
    for (const kind of ['delivered-email', 'cancelled-email'])
      expect(await findAfter(sql`update messages set kind = ${kind} where id = ${early?.id}`)).toEqual({
        [ENDED]: [early?.id],
      });
  });

  test('finds an unsent message without a job', async () => {
    const forgotten = await findAfter(
      sql`update messages set status = 'pending', created_at = now() - interval '1 hour' where kind = 'recipient-sms'`,
    );
    expect(Object.keys(forgotten)).toEqual([HAS_JOB]);
  });
});
