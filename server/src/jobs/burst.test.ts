import { sql } from 'kysely';
import { fromKysely } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsRead } from '../../test/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
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
    const read = await rowsRead(database.db, 'pgboss.%', async (tx) => {
      expect(await boss.fetch(name, { batchSize: 8, db: fromKysely(tx) })).toHaveLength(8);
    });
    expect(read).toBeLessThan(MOST_READ);
  },
);
