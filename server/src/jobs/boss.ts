import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Config } from '../config.ts';
import { connectionOptions, jobOptions, type Tx } from '../database/database.ts';
import { causeOf, createFailureLog } from '../observability/failure-log.ts';
import { currentTraceparent, type Traced } from '../observability/trace-context.ts';
import { JOBS, type JobDefinition } from './definitions.ts';

/**
 * A statement of the job engine that takes longer fails, and its connection is replaced. Without a limit the worker
 * would wait for ever for a database server that is frozen or has vanished.
 */
const limited = ({ databaseTimeLimitSeconds }: TimeLimit) => ({
  ...connectionOptions(databaseTimeLimitSeconds * 500),
  statement_timeout: databaseTimeLimitSeconds * 1_400,
  query_timeout: databaseTimeLimitSeconds * 1_500,
});

type TimeLimit = Pick<Config, 'databaseTimeLimitSeconds'>;

/** The worker's job engine: fetches jobs, supervises them and runs the schedule. `installJobs` creates its tables. */
export function createBoss(config: Pick<Config, 'databaseDirectUrl'> & TimeLimit, log: FastifyBaseLogger): PgBoss {
  const boss = new PgBoss({
    ...limited(config),
    ...jobOptions(),
    connectionString: config.databaseDirectUrl,
    application_name: 'navette-jobs',
    max: 5,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
    superviseIntervalSeconds: 5, // how soon jobs of a dead worker are detected
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 60, // deletes completed jobs often, which keeps supervision of the others cheap
  });
  const report = createFailureLog(log, causeOf); // the text of each error names a queue and a worker
  boss.on('error', (error) => report(error, {}, 'job engine'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'job engine'));
  return boss;
}

/**
 * Enqueues inside the caller's transaction: the job exists if and only if the change commits. Its payload names the trace
 * of the request or job that enqueues it, unless the caller has named one.
 */
export interface JobSender {
  /** On a raw connection, for the busiest code paths. Payloads of many requests: each names its own trace, or none. */
  insert<P extends object>(client: pg.ClientBase, job: JobDefinition<P>, payloads: Traced<P>[]): Promise<void>;
  send<P extends object>(tx: Tx, job: JobDefinition<P>, payload: P, options?: SendOptions): Promise<void>;
  sendAll<P extends object>(
    tx: Tx,
    job: JobDefinition<P>,
    entries: ({ payload: Traced<P> } & SendOptions)[],
  ): Promise<void>;
  /** Changes when jobs start that wait for their time, by singleton key. For queues with the policy `exclusive`. */
  reschedule(tx: Tx, job: JobDefinition, entries: { singletonKey: string; startAfter: Date }[]): Promise<void>;
  stop(): Promise<void>;
}

interface SendOptions {
  startAfter?: Date;
  singletonKey?: string;
  /** For queues that limit how many jobs of a group run at the same time. */
  group?: { id: string };
}

/** For processes that only enqueue jobs: no supervision, no schedule, one connection. */
export async function createJobSender(
  config: Pick<Config, 'databaseUrl'> & TimeLimit,
  log: FastifyBaseLogger,
): Promise<JobSender> {
  const boss = new PgBoss({
    ...limited(config),
    connectionString: config.databaseUrl,
    application_name: 'navette-job-sender',
    max: 1,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    useListenNotify: false,
  });
  const report = createFailureLog(log, causeOf);
  boss.on('error', (error) => report(error, {}, 'job sender'));
  await boss.start();
  const statements = new Map<string, string>();
  /** pg-boss sends the same long statement each time: prepared by name, it is parsed once per connection. */
  const nameOf = (text: string) => {
    const known = statements.get(text);
    if (known) return known;
    const name = `pg-boss-${statements.size}`;
    statements.set(text, name);
    return name;
  };
  return {
    async insert(client, { name }, payloads) {
      const db = {
        executeSql: (text: string, values: unknown[] = []) => client.query({ name: nameOf(text), text, values }),
      };
      await boss.insert(
        name,
        payloads.map((data) => ({ data })),
        { db },
      );
    },
    async send(tx, { name }, payload, options = {}) {
      await boss.send(name, withTrace(payload), { ...options, db: fromKysely(tx) });
    },
    async sendAll(tx, { name }, entries) {
      if (entries.length === 0) return;
      const jobs = entries.map(({ payload, startAfter, singletonKey }) => ({
        data: withTrace(payload),
        ...(startAfter ? { startAfter } : {}),
        ...(singletonKey ? { singletonKey } : {}),
      }));
      await boss.insert(name, jobs, { db: fromKysely(tx) });
    },
    async reschedule(tx, { name }, entries) {
      await sql`
        update pgboss.job j set start_after = e."startAfter"
        from json_to_recordset(${JSON.stringify(entries)}) as e ("singletonKey" text, "startAfter" timestamptz)
        where j.name = ${name} and coalesce(j.singleton_key, '') = e."singletonKey" -- as the index job_i6 has it
          and j.state <= 'active' and j.policy = 'exclusive' and j.state < 'active'
          and j.start_after <> e."startAfter"`.execute(tx);
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

const withTrace = <P extends object>(payload: Traced<P>): Traced<P> => ({
  ...payload,
  traceparent: payload.traceparent ?? currentTraceparent(),
});

/** Creates or upgrades the engine's tables and queues; pg-boss takes its own lock. */
export async function installJobs(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({
    ...connectionOptions(),
    connectionString: databaseUrl,
    max: 2,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {}); // the calls below reject with the same error
  await boss.start();
  try {
    for (const { name, queue } of JOBS) {
      await boss.createQueue(name, queue);
      const { policy: _policy, partition: _table, ...changeable } = queue; // these two are fixed at creation
      await boss.updateQueue(name, changeable);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Whether the engine's tables exist in the version that this process needs. */
export async function jobsInstalled(databaseUrl: string): Promise<boolean> {
  const boss = new PgBoss({
    ...connectionOptions(),
    connectionString: databaseUrl,
    max: 1,
    migrate: false,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  try {
    await boss.start(); // refuses tables of another version
    return true;
  } catch (error) {
    if ((error as Error).message.startsWith('pg-boss ')) return false; // not installed, or of another version
    throw error; // PostgreSQL is unreachable, so the state of the tables is unknown
  } finally {
    await boss.stop({ graceful: false }).catch(() => {});
  }
}
