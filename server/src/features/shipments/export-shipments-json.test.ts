import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { BASE_PATH } from '@navette/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { refusedAs } from '../../../test/envelopes.ts';
import { fillShipments } from '../../../test/fill-shipments.ts';
import { startPostgresProxy } from '../../../test/postgres-proxy.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts';
import { createPool } from '../../database/database.ts';
import { createShipmentExport } from './export-shipments-json.ts';

const SHIPMENTS = 3_000;
const WAIT = { timeout: 240_000, interval: 50 };

let server: TestServer;
let accounts: TestAccount[];
beforeAll(async () => {
  server = await startTestServer();
  accounts = await Promise.all(Array.from({ length: 7 }, () => server.createAccount({ paymentMode: 'deferred' })));
  // 25 MB each: more than the buffers between the server and a reader hold.
  for (const { id } of accounts) await fillShipments(server.db, id, SHIPMENTS, { notesLength: 8_000 });
});
afterAll(() => server.stop());
afterEach(() => {
  for (const call of calls.splice(0)) call.destroy();
});

const calls: ClientRequest[] = [];
function open({ key, clientId }: TestAccount): ClientRequest {
  const headers = { authorization: `Bearer ${key}`, 'x-client-id': clientId };
  const call = httpRequest(`${server.url}${BASE_PATH}/shipping/labels`, { headers, agent: false });
  calls.push(call);
  return call;
}
/** Reads the beginning and then no more, until it is asked for the rest. */
async function readSlowly(account: TestAccount) {
  const call = open(account).on('error', () => {});
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const [beginning] = (await once(response, 'data')) as [Buffer];
  response.pause();
  return { call, response, readOn: async () => String(Buffer.concat([beginning, await buffer(response)])) };
}
const exportOf = (account: TestAccount) => server.call(account, 'GET', '/shipping/labels');
const connectionsInUse = () => server.pools.exports.totalCount - server.pools.exports.idleCount;
const withoutNature = async <T>(work: () => Promise<T>): Promise<T> => {
  await sql`alter table shipments rename column nature to nature_gone`.execute(server.db);
  try {
    return await work();
  } finally {
    await sql`alter table shipments rename column nature_gone to nature`.execute(server.db);
  }
};

describe('GET /shipping/labels', () => {
  test('of one account is not blocked by slow readers of six others, which hold no connection meanwhile', async () => {
    const slow = await Promise.all(accounts.slice(0, 6).map(readSlowly));
    await expect.poll(connectionsInUse, WAIT).toBe(0); // the buffers on the way to them are full
    const { status, body } = await exportOf(accounts[6] as TestAccount);
    expect({ status, many: body.shippings?.length }).toEqual({ status: 200, many: SHIPMENTS });
    expect(slow.map(({ response }) => response.complete)).toEqual(Array(6).fill(false));
  });

  test('has each shipment once, newest first, though some are created while it is read', async () => {
    const account = accounts[0] as TestAccount;
    const { readOn } = await readSlowly(account);
    const added = await server.call(account, 'POST', '/shipping', { body: shipmentRequest() });
    expect(added.status).toBe(201);
    const { shippings } = JSON.parse(await readOn()) as { shippings: { referenceNumber: string }[] };
    const expected = await server.db
      .selectFrom('shipments')
      .select('reference_number')
      .where('account_id', '=', account.id)
      .where('number', '<=', SHIPMENTS)
      .orderBy('number', 'desc')
      .execute();
    expect(shippings.map(({ referenceNumber }) => referenceNumber)).toEqual(
      expected.map(({ reference_number }) => reference_number),
    );
  });

  test('whose first statement fails answers the envelope of a failure', async () => {
    const account = accounts[1] as TestAccount;
    const answer = await withoutNature(() => exportOf(account));
    expect(answer).toEqual(refusedAs('INTERNAL_ERROR'));
    expect((await exportOf(account)).body.shippings).toHaveLength(SHIPMENTS); // and the account's lock is released
  });

  test('that fails midway aborts the connection, so that no client takes it for complete', async () => {
    const account = accounts[2] as TestAccount;
    const { readOn } = await readSlowly(account);
    await withoutNature(async () => {
      await expect(readOn()).rejects.toThrow('aborted');
    });
    expect((await exportOf(account)).body.shippings).toHaveLength(SHIPMENTS);
  });

  test('runs once per account at a time, also when clients disconnect early', async () => {
    const account = accounts[3] as TestAccount;
    for (let i = 0; i < 3; i++) (await readSlowly(account)).call.destroy();
    for (let i = 0; i < 6; i++) {
      const call = open(account);
      const failed = once(call, 'error', { signal: AbortSignal.timeout(5_000) }).catch(() => null);
      call.end(() => setImmediate(() => call.destroy(new Error('gone')))); // before the first byte
      await failed;
    }
    const answers = await Promise.all([1, 2, 3].map(() => exportOf(account)));
    expect(answers.map(({ status, body }) => [status, body.shippings?.length])).toEqual(
      Array(3).fill([200, SHIPMENTS]),
    );
    expect(connectionsInUse()).toBe(0);
  });
});

const NO_ARCHIVE = { find: async () => null, readDocuments: async () => [] };

describe('an export', () => {
  test('is aborted when its reader stalls', async () => {
    const exportShipments = createShipmentExport(server.pools.exports, NO_ARCHIVE, createKeyedMutex(), 100);
    const stream = await exportShipments((accounts[4] as TestAccount).id);
    await once(stream, 'readable'); // filled as far as it goes; nobody takes any of it
    const [error] = await once(stream, 'error');
    expect(error.message).toContain('stopped reading');
    expect((await text(await exportShipments((accounts[4] as TestAccount).id))).length).toBeGreaterThan(SHIPMENTS);
  });

  test('releases the account’s lock when PostgreSQL freezes, at the start and midway', async () => {
    const proxy = await startPostgresProxy(server.config.databaseUrl);
    const pool = createPool({ databaseUrl: proxy.url, size: 1, timeLimitMs: 3_000 });
    const exportShipments = createShipmentExport(pool, NO_ARCHIVE, createKeyedMutex());
    const { id } = accounts[5] as TestAccount;
    try {
      expect((await text(await exportShipments(id))).length).toBeGreaterThan(SHIPMENTS);
      proxy.freeze();
      await expect(exportShipments(id)).rejects.toThrow(/timeout/i);
      proxy.thaw();
      const stream = await exportShipments(id);
      proxy.freeze();
      await expect(text(stream)).rejects.toThrow(/timeout/i);
      proxy.thaw();
      expect((await text(await exportShipments(id))).length).toBeGreaterThan(SHIPMENTS);
    } finally {
      await pool.end();
      await proxy.stop();
    }
  });
});
