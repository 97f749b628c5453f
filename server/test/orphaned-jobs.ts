import { sql } from 'kysely';
import { createLog } from '../src/http/log.ts';
import { createBoss } from '../src/jobs/boss.ts';
import type { JobDefinition } from '../src/jobs/definitions.ts';
import type { TestServer } from './test-server.ts';

/** As if the time had passed after which the jobs of a dead worker are given back. */
export async function giveBackOrphans(
  { db, config }: Pick<TestServer, 'db' | 'config'>,
  { name }: Pick<JobDefinition, 'name'>,
): Promise<void> {
  await sql`update pgboss.job set started_on = started_on - interval '1 day', heartbeat_on = heartbeat_on - interval '1 day'
    where name = ${name} and state = 'active'`.execute(db);
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null where name = ${name}`.execute(db); // or it would wait its turn
  const boss = await createBoss(config.databaseUrl, createLog('silent')).start();
  await boss.supervise(name);
  await boss.stop({ graceful: false });
  await makeDue({ db }, { name });
}

/** What waits for its time, a retry or a later attempt, waits no longer. */
export async function makeDue({ db }: Pick<TestServer, 'db'>, { name }: Pick<JobDefinition, 'name'>): Promise<void> {
  await sql`update pgboss.job set start_after = now() where name = ${name} and state in ('created', 'retry')`.execute(
    db,
  );
}
