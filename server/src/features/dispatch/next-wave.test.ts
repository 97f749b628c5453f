import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import type { Tx } from '../../database/database.ts';
import { goOn } from './next-wave.ts';
import { startSearch } from './searches.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_RUNS_PER_DRIVER: '1' });
});
afterAll(() => server.stop());

const lock = (tx: Tx, driverId: string) =>
  sql`select from drivers where id = ${driverId} for no key update nowait`.execute(tx);

async function whoIsWaiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
  return rows.length;
}

test('a search that passes over a driver who is full lets go of them before it waits for the next', async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const [full, next] = [await createTestDriver(server.db), await createTestDriver(server.db)];
  const [running, waiting] = [await ship(server, shop), await ship(server, shop)];
  await server.db
    .updateTable('shipments')
    .set({ driver_id: full.id, status: 'assigned' })
    .where('account_id', '=', shop.id)
    .where('id', '=', running._id)
    .execute();
  const candidates = [full, next].map(({ id }, i) => ({ driverId: id, metres: i, autoAccept: true, obstacle: null }));

  const searched = await server.db.transaction().execute(async (holder) => {
    await lock(holder, next.id);
    const searching = server.db.transaction().execute(async (tx) => {
      const search = await startSearch(tx, shop.id, waiting._id, new Date());
      await goOn(tx, { jobs: server.jobs, config: server.config }, search, candidates, new Date());
    });
    await vi.waitFor(async () => expect(await whoIsWaiting()).toBe(1));
    await server.db.transaction().execute((tx) => lock(tx, full.id)); // nobody holds them: this would fail
    return { searching };
  });
  await searched.searching;
  const { driver_id } = await server.db
    .selectFrom('shipments')
    .select('driver_id')
    .where('account_id', '=', shop.id)
    .where('id', '=', waiting._id)
    .executeTakeFirstOrThrow();
  expect(driver_id).toBe(next.id);
});
