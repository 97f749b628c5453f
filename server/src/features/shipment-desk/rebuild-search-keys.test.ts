import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runNavette } from '../../../test/navette-process.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { workDone } from '../../../test/test-worker.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { rebuildAllSearchKeys } from './rebuild-search-keys.ts';

const NAMES = ['Zoé Martin', 'Émile Œuf', 'Anne-Marie Petit', 'Noël Brûlé', '渡辺 直美'];

let server: TestServer;
let asWritten: unknown[]; // by the worker, as each shipment was created

const allKeys = async () =>
  (await sql`select * from shipment_keys order by account_id, field, key, newest_first`.execute(server.db)).rows;

beforeAll(async () => {
  server = await startTestServer();
  for (const account of [
    await server.createAccount({ paymentMode: 'deferred' }),
    await server.createAccount({ paymentMode: 'deferred' }),
  ]) {
    for (const [i, recipientName] of NAMES.entries()) {
      const request = shipmentRequest();
      const deliveryAddress = { ...request.deliveryAddress, recipientName };
      const externalReference = { orderId: `CMD-${i}` };
      const body = { ...request, deliveryAddress, externalReference };
      await server.call(account, 'POST', '/shipping', { body });
    }
  }
  await withWorker(server, () => workDone(server));
  asWritten = await allKeys();
});
afterAll(() => server.stop());
beforeEach(() => sql`truncate shipment_keys`.execute(server.db));

test('lost keys are rebuilt as the worker wrote them, for any batch size', async () => {
  for (const atOnce of [1, 3, 5, 1_000]) {
    await sql`truncate shipment_keys`.execute(server.db);
    expect(await rebuildAllSearchKeys(server.db, undefined, atOnce)).toEqual({
      shipments: 2 * NAMES.length,
      added: asWritten.length,
    });
    expect(await allKeys()).toEqual(asWritten);
  }
});

test('stopped midway and run again, it adds the missing keys and nothing twice', async () => {
  const stop = () => {
    throw new Error('stopped');
  };
  await expect(rebuildAllSearchKeys(server.db, stop, 4)).rejects.toThrow('stopped');
  const { length: already } = await allKeys();
  expect(already).toBeGreaterThan(0);
  expect((await rebuildAllSearchKeys(server.db)).added).toBe(asWritten.length - already);
  expect((await rebuildAllSearchKeys(server.db)).added).toBe(0);
  expect(await allKeys()).toEqual(asWritten);
});

test('two at once end with the same keys', async () => {
  const both = await Promise.all([rebuildAllSearchKeys(server.db, undefined, 2), rebuildAllSearchKeys(server.db)]);
  expect(both[0].added + both[1].added).toBe(asWritten.length);
  expect(await allKeys()).toEqual(asWritten);
});

test('`navette shipment rebuild-search` prints progress and result on different streams', async () => {
  const environment = { DATABASE_URL: server.config.databaseUrl };
  const { code, stdout, stderr } = await runNavette(['shipment', 'rebuild-search', '--json'], environment);
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, shipments: 2 * NAMES.length, added: asWritten.length });
  expect(stderr).toBe(`${2 * NAMES.length} shipments checked, ${asWritten.length} keys added\n`);
  expect(await allKeys()).toEqual(asWritten);
});
