import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { fromKysely } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsRead } from '../../test/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createDatabase, type Database, jobOptions, type Tx } from '../database/database.ts';
import { createLog } from '../observability/create-log.ts';
import { createBoss } from './boss.ts';
import {
  activateShipmentJob,
  followChangeJob,
  locateShipmentJob,
  searchDriverJob,
  sendMessageJob,
} from './definitions.ts';

const [BURST, LARGE_BURST] = [5_000, 40_000]; // jobs
const MAX_READ = 100; // rows of the queue, to fetch eight jobs and mark them

let database: TestDatabase;
let ofJobs: Database;
let boss: ReturnType<typeof createBoss>;
beforeAll(async () => {
  database = await createTestDatabase();
  ofJobs = createDatabase(new pg.Pool({ ...jobOptions(), connectionString: database.url, max: 1 }));
  boss = createBoss({ databaseDirectUrl: database.url, databaseTimeLimitSeconds: 60 }, createLog('silent'));
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await ofJobs.destroy();
  await database.drop();
});

const QUEUES = [followChangeJob, activateShipmentJob, searchDriverJob, locateShipmentJob, sendMessageJob];

const REPLANNED_AFTER_MS = 2_100;

/** Rows of queues that are read for the first eight jobs of a burst. */
async function readForEight(name: string, burst: number): Promise<number> {
  const jobs = Array.from({ length: burst }, (_, i) => ({ data: {}, singletonKey: `${i}` }));
  const fetchEight = (tx: Tx) => boss.fetch(name, { batchSize: 8, db: fromKysely(tx) });
  for (let i = 0; i < 3; i++) await ofJobs.transaction().execute(fetchEight); // a plan for an empty queue
  await boss.insert(name, jobs);
  await setTimeout(REPLANNED_AFTER_MS);
  const read = await rowsRead(ofJobs, 'pgboss.%', async (tx) => {
    expect(await fetchEight(tx)).toHaveLength(8);
  });
  await boss.deleteAllJobs(name);
  return read;
}

test.for(QUEUES)(
  '$name: fetching eight jobs does not sort a burst of tens of thousands in a queue without statistics',
  async ({ name }) => expect(await readForEight(name, LARGE_BURST)).toBeLessThan(MAX_READ),
);

test.for(QUEUES)(
  '$name: fetching eight jobs does not scan a burst of thousands, although the queue was empty at the last ANALYZE',
  async ({ name }) => {
    await sql`analyze`.execute(database.db);
    expect(await readForEight(name, BURST)).toBeLessThan(MAX_READ);
  },
);
