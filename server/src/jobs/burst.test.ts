import { sql } from 'kysely';
import { fromKysely } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsRead } from '../../test/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createLog } from '../observability/create-log.ts';
import { createBoss } from './boss.ts';
import {
  activateShipmentJob,
  followChangeJob,
  locateShipmentJob,
  searchDriverJob,
  sendMessageJob,
} from './definitions.ts';

const BURST = 5_000; // jobs
const MAX_READ = 100; // rows of the queue, to fetch eight jobs and mark them

let database: TestDatabase;
let boss: ReturnType<typeof createBoss>;
beforeAll(async () => {
  database = await createTestDatabase();
  boss = createBoss({ databaseDirectUrl: database.url, databaseTimeLimitSeconds: 60 }, createLog('silent'));
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await database.drop();
});

test.for([followChangeJob, activateShipmentJob, searchDriverJob, locateShipmentJob, sendMessageJob])(
  '$name: fetching eight jobs does not scan a burst of thousands, although the queue was empty at the last ANALYZE',
  async ({ name }) => {
    await sql`analyze`.execute(database.db);
    await boss.insert(
      name,
      Array.from({ length: BURST }, (_, i) => ({ data: {}, singletonKey: `${i}` })),
    );
    const read = await rowsRead(database.db, 'pgboss.%', async (tx) => {
      expect(await boss.fetch(name, { batchSize: 8, db: fromKysely(tx) })).toHaveLength(8);
    });
    expect(read).toBeLessThan(MAX_READ);
  },
);
