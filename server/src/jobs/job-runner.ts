import type { FastifyBaseLogger } from 'fastify';
import type { Job, PgBoss } from 'pg-boss';
import type { Registry } from 'prom-client';
import { createFailureLog } from '../observability/failure-log.ts';
import { formatTraceparent, runInTrace, type Trace, type Traced } from '../observability/trace-context.ts';
import { preciseNow, type Tracer } from '../observability/tracer.ts';
import type { JobDefinition } from './definitions.ts';
import { createJobMetrics } from './job-metrics.ts';

/**
 * Runs sixteen jobs of a queue at a time. While batches are full, the next one is fetched without a delay; otherwise the
 * worker would wait after each batch, although one notification may stand for many jobs.
 */
const FETCHING = {
  localConcurrency: 2,
  batchSize: 8,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1, // a timer or a retry that becomes due sends no notification
} as const;

/** For jobs whose statements are shared by those that run at the same time: the more, the less each costs. */
const SHARED_FETCHING = { ...FETCHING, batchSize: 40 } as const;

/**
 * For jobs that take milliseconds. One worker, since a notification wakes every worker of its queue: a second one would
 * find nothing most of the time.
 */
const QUICK_FETCHING = { ...FETCHING, localConcurrency: 1, batchSize: 16 } as const;

/** For jobs that take milliseconds and cost far less in a batch. A backlog is fetched as two batches, which run at once. */
const MAX_BATCH = 200;
const BATCH_FETCHING = { ...QUICK_FETCHING, batchSize: 2 * MAX_BATCH } as const;

/** For jobs that take seconds: no job waits for its batch, and one job per group runs at a time, in all processes. */
const LONG_FETCHING = { ...FETCHING, localConcurrency: 4, batchSize: 1, groupConcurrency: 1 } as const;

/**
 * For jobs of the schedule, which are due on the minute. Many queues polled each second would keep an idle worker busy. The
 * next page of a job that works in pages waits as long.
 */
const SCHEDULED_FETCHING = { localConcurrency: 1, pollingIntervalSeconds: 5 } as const;

type Fetching =
  | typeof FETCHING
  | typeof SHARED_FETCHING
  | typeof QUICK_FETCHING
  | typeof LONG_FETCHING
  | typeof SCHEDULED_FETCHING;

export interface JobRunner {
  /** A job that fails is logged and retried. The other jobs of its batch are not affected. */
  handle<P extends object>(job: JobDefinition<P>, run: (payload: P) => Promise<unknown>): Promise<void>;
  /** For jobs that share their statements with the others that run at the same time. */
  handleShared<P extends object>(job: JobDefinition<P>, run: (payload: P) => Promise<unknown>): Promise<void>;
  /** For jobs that wait for PostgreSQL and Redis only: the queue waits for the slowest job of a batch. */
  handleQuick<P extends object>(job: JobDefinition<P>, run: (payload: P) => Promise<unknown>): Promise<void>;
  handleLong<P extends object>(job: JobDefinition<P>, run: (payload: P) => Promise<unknown>): Promise<void>;
  /**
   * For jobs that cost far less in a batch. When a batch fails, its jobs run one by one, so that a faulty job does not
   * block the others. Each payload names its own trace.
   */
  handleBatch<P extends object>(job: JobDefinition<P>, run: (payloads: Traced<P>[]) => Promise<unknown>): Promise<void>;
  /**
   * Runs a job as a part of the one that would enqueue it, without a row in its queue. It is counted, traced and logged as
   * if it had been enqueued. Rejects when it fails: the caller enqueues it, or fails as well and runs again.
   */
  runWithin<P extends object, T>(
    job: JobDefinition<P>,
    payload: Traced<P>,
    run: (payload: Traced<P>) => Promise<T>,
  ): Promise<T>;
}

export interface JobRunnerOptions {
  boss: PgBoss;
  registry: Registry;
  tracer: Tracer;
  log: FastifyBaseLogger;
  /** Jobs of other queues are left to other workers. */
  servesQueue: (name: string) => boolean;
}

interface TracedJob<P extends object> {
  /** Null when it has no row in a queue. */
  id: string | null;
  trace: Trace;
  payload: Traced<P>;
}

/** Registers handlers with the job engine, and counts and logs what they do. */
export function createJobRunner({ boss, registry, tracer, log, servesQueue }: JobRunnerOptions): JobRunner {
  const report = createFailureLog(log);
  const metrics = createJobMetrics(registry);

  /**
   * Returns a failed job to its queue; pg-boss completes the other jobs of the batch. Per-job results would do the same,
   * but pg-boss joins them with the whole queue, which took more time than all our handlers.
   */
  async function runJob<P extends object>(name: string, job: Job<P>, run: (payload: Traced<P>) => Promise<unknown>) {
    try {
      await runTraced(name, enterTrace(job.id, job.data), run);
    } catch {
      await boss.fail(name, job); // without the error, which is only logged: its text may contain personal data
    }
  }

  async function runTraced<P extends object, T>(
    name: string,
    traced: TracedJob<P>,
    run: (payload: Traced<P>) => Promise<T>,
  ): Promise<T> {
    const started = performance.now();
    const { id, trace, payload } = traced;
    try {
      const result = await runInTrace(trace, () => run(payload));
      metrics.ended(name, 'completed', started);
      recordSpan(name, traced, started, false);
      return result;
    } catch (error) {
      metrics.ended(name, 'failed', started);
      recordSpan(name, traced, started, true);
      report(error, { job: name, id, traceId: trace.traceId }, 'job failed');
      throw error;
    }
  }

  /** The payload of a sampled job names the job's own span, which those that follow it belong to. */
  function enterTrace<P extends object>(id: string | null, data: Traced<P>): TracedJob<P> {
    const trace = tracer.follow((data as Traced<P> | null)?.traceparent); // a job of the schedule has no payload
    return { id, trace, payload: trace.sampled ? { ...data, traceparent: formatTraceparent(trace) } : data };
  }

  function recordSpan(
    name: string,
    { id, trace }: Pick<TracedJob<object>, 'id' | 'trace'>,
    started: number,
    failed: boolean,
    batchSize = 1,
  ): void {
    if (!trace.sampled) return;
    const startedAt = preciseNow() - (performance.now() - started);
    const attributes = {
      'navette.job': name,
      ...(id ? { 'navette.job_id': id } : {}),
      'navette.batch_size': batchSize,
    };
    tracer.record(trace, { name: `job ${name}`, kind: 'consumer', startedAt, failed, attributes });
  }

  async function runBatch<P extends object>(
    name: string,
    jobs: Job<P>[],
    run: (payloads: Traced<P>[]) => Promise<unknown>,
  ): Promise<void> {
    const started = performance.now();
    const traced = jobs.map(({ id, data }) => enterTrace(id, data));
    try {
      await run(traced.map(({ payload }) => payload));
      metrics.ended(name, 'completed', started, jobs.length);
      for (const each of traced) recordSpan(name, each, started, false, jobs.length);
    } catch (error) {
      report(error, { job: name, jobs: jobs.length }, 'a batch of jobs failed, retrying them one by one');
      for (const job of jobs) await runJob(name, job, (payload) => run([payload]));
    }
  }

  async function register<P extends object>(
    name: string,
    run: (payload: P) => Promise<unknown>,
    fetching: Fetching,
  ): Promise<void> {
    if (!servesQueue(name)) return;
    await boss.work(name, fetching, async (jobs: Job<P>[]) => {
      await Promise.all(jobs.map((job) => runJob(name, job, run)));
    });
  }

  return {
    handle: ({ name, schedule }, run) => register(name, run, schedule ? SCHEDULED_FETCHING : FETCHING),
    handleShared: ({ name }, run) => register(name, run, SHARED_FETCHING),
    handleQuick: ({ name }, run) => register(name, run, QUICK_FETCHING),
    handleLong: ({ name }, run) => register(name, run, LONG_FETCHING),
    runWithin: ({ name }, payload, run) => runTraced(name, enterTrace(null, payload), run),
    async handleBatch<P extends object>({ name }: JobDefinition<P>, run: (payloads: Traced<P>[]) => Promise<unknown>) {
      if (!servesQueue(name)) return;
      await boss.work(name, BATCH_FETCHING, async (jobs: Job<P>[]) => {
        const batches = [jobs.slice(0, MAX_BATCH), jobs.slice(MAX_BATCH)].filter(({ length }) => length > 0);
        await Promise.all(batches.map((batch) => runBatch(name, batch, run)));
      });
    },
  };
}
