import { sql } from 'kysely';
import { createBoss } from '../src/jobs/boss.ts';
import type { JobDefinition } from '../src/jobs/definitions.ts';
import { createLog } from '../src/observability/create-log.ts';
import type { TestServer } from './test-server.ts';

/** Simulates the passing of the time after which the jobs of a dead worker are retried. */
export async function giveBackOrphans(
  { db, config }: Pick<TestServer, 'db' | 'config'>,
  { name }: Pick<JobDefinition, 'name'>,
): Promise<void> {
  await sql`update pgboss.job set started_on = started_on - interval '1 day', heartbeat_on = heartbeat_on - interval '1 day'
    where name = ${name} and state = 'active'`.execute(db);
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null where name = ${name}`.execute(db); // otherwise monitoring waits for its interval
  const boss = await createBoss(config, createLog('silent')).start();
  await boss.supervise(name);
  await boss.stop({ graceful: false });
  await makeDue({ db }, { name });
}

/** Makes every delayed job due now, retries and later attempts included. */
export async function makeDue({ db }: Pick<TestServer, 'db'>, { name }: Pick<JobDefinition, 'name'>): Promise<void> {
  await sql`update pgboss.job set start_after = now() where name = ${name} and state in ('created', 'retry')`.execute(
    db,
  );
}
