import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Tx } from '../database/database.ts';
import { JOBS, type JobDefinition } from './definitions.ts';

/** The worker's job engine: it fetches, supervises and keeps the timetable. Its tables come from `installJobs`. */
export function createBoss(databaseUrl: string, log: FastifyBaseLogger): PgBoss {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'navette-jobs',
    max: 5,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
    superviseIntervalSeconds: 5, // how soon a dead worker's jobs are noticed
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 60, // jobs that are done with make room, so that looking after the others stays cheap
  });
  boss.on('error', (error) => log.error({ err: error }, 'job engine'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'job engine'));
  return boss;
}

/** Enqueues in somebody's transaction, so that a job exists exactly when what it follows does. */
export interface JobSender {
  /** On a raw connection, for the statements that are measured hot. */
  insert<P extends object>(client: pg.ClientBase, job: JobDefinition<P>, payloads: P[]): Promise<void>;
  send<P extends object>(tx: Tx, job: JobDefinition<P>, payload: P, options?: SendOptions): Promise<void>;
  sendAll<P extends object>(tx: Tx, job: JobDefinition<P>, entries: ({ payload: P } & SendOptions)[]): Promise<void>;
  stop(): Promise<void>;
}

interface SendOptions {
  startAfter?: Date;
  singletonKey?: string;
}

/** For processes that only ask for work: no supervision, no timetable, one connection of its own. */
export async function createJobSender(databaseUrl: string, log: FastifyBaseLogger): Promise<JobSender> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'navette-job-sender',
    max: 1,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    useListenNotify: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job sender'));
  await boss.start();
  const statements = new Map<string, string>();
  /** pg-boss writes the same long text each time: prepared under a name, it is parsed once per connection. */
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
      await boss.send(name, payload, { ...options, db: fromKysely(tx) });
    },
    async sendAll(tx, { name }, entries) {
      if (entries.length === 0) return;
      const jobs = entries.map(({ payload, startAfter, singletonKey }) => ({
        data: payload,
        ...(startAfter ? { startAfter } : {}),
        ...(singletonKey ? { singletonKey } : {}),
      }));
      await boss.insert(name, jobs, { db: fromKysely(tx) });
    },
    stop: () => boss.stop({ graceful: false }),
  };
}

/** Creates or upgrades the engine's tables and queues; pg-boss takes its own lock. */
export async function installJobs(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 2, supervise: false, schedule: false });
  boss.on('error', () => {}); // what fails here also rejects below
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

/** Whether the engine's tables are there and as this version needs them. */
export async function jobsInstalled(databaseUrl: string): Promise<boolean> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
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
    if ((error as Error).message.startsWith('pg-boss ')) return false; // its own words: not installed, or of another version
    throw error; // nobody answered, which says nothing of the tables
  } finally {
    await boss.stop({ graceful: false }).catch(() => {});
  }
}
