import { sql } from 'kysely';
import { fromKysely } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Tx } from '../database/database.ts';
import { createLog } from '../http/log.ts';
import { createBoss } from './boss.ts';
import {
  activateShipmentJob,
  followChangeJob,
  locateShipmentJob,
  searchDriverJob,
  sendMessageJob,
} from './definitions.ts';

const JOBS_AT_ONCE = 5_000;
const MOST_READ = 100; // rows of the queue, to find eight jobs and mark them

let database: TestDatabase;
let boss: ReturnType<typeof createBoss>;
beforeAll(async () => {
  database = await createTestDatabase();
  boss = createBoss(database.url, createLog('silent'));
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await database.drop();
});

test.for([followChangeJob, activateShipmentJob, searchDriverJob, locateShipmentJob, sendMessageJob])(
  '$name: thousands that come at once, to a queue that was empty when last counted, are not all read to find a few',
  async ({ name }) => {
    await sql`analyze`.execute(database.db);
    await boss.insert(
      name,
      Array.from({ length: JOBS_AT_ONCE }, (_, i) => ({ data: {}, singletonKey: `${i}` })),
    );
    const read = await database.db.transaction().execute(async (tx) => {
      const before = await countRead(tx);
      expect(await boss.fetch(name, { batchSize: 8, db: fromKysely(tx) })).toHaveLength(8);
      return (await countRead(tx)) - before;
    });
    expect(read).toBeLessThan(MOST_READ);
  },
);

async function countRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
    from pg_stat_xact_user_tables where schemaname = 'pgboss'`.execute(tx);
  return rows[0]?.read ?? Number.NaN;
}
