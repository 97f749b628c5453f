import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { findAfterDamage } from '../../../test/damage.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, workDone } from '../../../test/test-worker.ts';
import { auditMessages } from './audit.ts';

const TOLD = 'who waits for a shipment on its way was told of it';
const EARLY = 'nobody was told of a shipment for which no driver is searched yet';
const SENT = 'a message that is to be sent has the job that sends it';

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

const findAfter = (...damage: RawBuilder<unknown>[]) => findAfterDamage(server.db, auditMessages, damage);
const longAgo = sql`update shipments set updated_at = now() - interval '1 hour'`;

describe('the audit of messages', () => {
  test('finds nothing, and each of its invariants is tested here', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
    expect(await findAfter(longAgo)).toEqual({});
    expect((await auditMessages(server.db)).map(({ invariant }) => invariant)).toEqual([TOLD, EARLY, SENT]);
  });

  test('a recipient who was never told', async () => {
    expect(await findAfter(longAgo, sql`delete from messages where shipment_id = ${express}`)).toEqual({
      [TOLD]: [express],
    });
  });

  test('a recipient who was told before a driver is searched', async () => {
    const moved = sql`update messages set shipment_id = ${scheduled}, id = ${randomUUIDv7()} where kind = 'recipient-email'`;
    expect(await findAfter(moved)).toEqual({ [EARLY]: [scheduled] });
  });

  test('a message that nobody will send', async () => {
    const forgotten = await findAfter(
      sql`update messages set status = 'pending', created_at = now() - interval '1 hour' where kind = 'recipient-sms'`,
    );
    expect(Object.keys(forgotten)).toEqual([SENT]);
  });
});
