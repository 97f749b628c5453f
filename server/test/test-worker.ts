import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { vi } from 'vitest';
import { openEngines } from '../src/cli/engines.ts';
import { isWithoutJob } from '../src/features/messages/audit-messages.ts';
import { JOBS, searchDriverJob } from '../src/jobs/definitions.ts';
import { createLog } from '../src/observability/create-log.ts';
import { createTracer } from '../src/observability/tracer.ts';
import { createRedis } from '../src/redis/create-redis.ts';
import { createRedisState, type SharedState } from '../src/shared-state.ts';
import { startWorker } from '../src/worker.ts';
import type { TestServer } from './test-server.ts';

export interface TestWorker {
  metrics(): Promise<string>;
  logged(): string;
  stop(): Promise<void>;
}

/** The worker role in this process, on the engines of a test server. */
export async function startTestWorker(
  server: Pick<TestServer, 'config'>,
  now?: () => Date,
  given?: SharedState,
  servesQueue: (name: string) => boolean = () => true,
): Promise<TestWorker> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const engines = openEngines(server.config, createLog('debug', sink));
  const redis = createRedis(engines.config, engines.log);
  const state = given ?? createRedisState(redis, engines.config, engines.log);
  const registry = new Registry();
  const tracer = createTracer(engines.config, registry, engines.log);
  const worker = await startWorker({ ...engines, state, registry, tracer, servesQueue, ...(now ? { now } : {}) });
  return {
    metrics: () => registry.metrics(),
    logged: () => lines.join(''),
    async stop() {
      await worker.stop();
      await tracer.stop();
      redis.disconnect();
      await engines.close();
    },
  };
}

/**
 * Waits until every due job has run, and every message that is sent without a job. Effects that have not happened by then do not happen. A search for a driver that
 * found nobody sets its next timer for ever, so its timers count when they are due, not before. Due by clock_timestamp():
 * now() can be earlier than the snapshot, and a job sent in between would be seen and not counted.
 */
export async function workDone({ db }: Pick<TestServer, 'db'>): Promise<void> {
  const names = JOBS.filter(({ schedule }) => !schedule).map(({ name }) => name);
  const left = async () => {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from messages m where ${isWithoutJob}) + count(*) as left
      from pgboss.job where name = any(${names}) and state < 'completed'
        and (state = 'active' or start_after <= clock_timestamp() + case when name = ${searchDriverJob.name} then interval '0' else interval '30 seconds' end)`.execute(
      db,
    );
    return rows[0]?.left ?? 0;
  };
  await vi.waitFor(
    async () => {
      if ((await left()) > 0) throw new Error('jobs are still due');
    },
    { timeout: 300_000, interval: 50 },
  );
}
