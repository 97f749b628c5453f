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

/**
 * For jobs that take milliseconds. One worker, since a notification wakes every worker of its queue: a second one would
 * find nothing most of the time.
 */
const QUICK_FETCHING = { ...FETCHING, localConcurrency: 1, batchSize: 16 } as const;

/** For jobs that cost far less in a batch. */
const BATCH_FETCHING = { ...FETCHING, batchSize: 200 } as const;

/** For jobs that take seconds: no job waits for its batch, and one job per group runs at a time, in all processes. */
const LONG_FETCHING = { ...FETCHING, localConcurrency: 4, batchSize: 1, groupConcurrency: 1 } as const;

/**
 * For jobs of the schedule, which are due on the minute. Many queues polled each second would keep an idle worker busy. The
 * next page of a job that works in pages waits as long.
 */
const SCHEDULED_FETCHING = { localConcurrency: 1, pollingIntervalSeconds: 5 } as const;

export interface JobRunner {
  /** A job that fails is logged and retried. The other jobs of its batch are not affected. */
  handle<P extends object>(job: JobDefinition<P>, run: (payload: P) => Promise<unknown>): Promise<void>;
  /** For jobs that wait for PostgreSQL and Redis only: the queue waits for the slowest job of a batch. */
  handleQuick<P extends object>(job: JobDefinition<P>, run: (payload: P) => Promise<unknown>): Promise<void>;
  handleLong<P extends object>(job: JobDefinition<P>, run: (payload: P) => Promise<unknown>): Promise<void>;
  /**
   * For jobs that cost far less in a batch. When a batch fails, its jobs run one by one, so that a faulty job does not
   * block the others. Each payload names its own trace.
   */
  handleBatch<P extends object>(job: JobDefinition<P>, run: (payloads: Traced<P>[]) => Promise<unknown>): Promise<void>;
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
  job: Job<P>;
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
    const started = performance.now();
    const { trace, payload } = enterTrace(job);
    try {
      await runInTrace(trace, () => run(payload));
      metrics.ended(name, 'completed', started);
      recordSpan(name, { job, trace }, started, false);
    } catch (error) {
      metrics.ended(name, 'failed', started);
      recordSpan(name, { job, trace }, started, true);
      report(error, { job: name, id: job.id, traceId: trace.traceId }, 'job failed');
      await boss.fail(name, job); // without the error, which is only logged: its text may contain personal data
    }
  }

  /** The payload of a sampled job names the job's own span, which those that follow it belong to. */
  function enterTrace<P extends object>(job: Job<P>): TracedJob<P> {
    const data = job.data as Traced<P> | null; // a job of the schedule has no payload
    const trace = tracer.follow(data?.traceparent);
    return { job, trace, payload: trace.sampled ? { ...job.data, traceparent: formatTraceparent(trace) } : job.data };
  }

  function recordSpan(
    name: string,
    { job, trace }: Pick<TracedJob<object>, 'job' | 'trace'>,
    started: number,
    failed: boolean,
    batchSize = 1,
  ): void {
    if (!trace.sampled) return;
    const startedAt = preciseNow() - (performance.now() - started);
    const attributes = { 'navette.job': name, 'navette.job_id': job.id, 'navette.batch_size': batchSize };
    tracer.record(trace, { name: `job ${name}`, kind: 'consumer', startedAt, failed, attributes });
  }

  async function register<P extends object>(
    name: string,
    run: (payload: P) => Promise<unknown>,
    fetching: typeof FETCHING | typeof QUICK_FETCHING | typeof LONG_FETCHING | typeof SCHEDULED_FETCHING,
  ): Promise<void> {
    if (!servesQueue(name)) return;
    await boss.work(name, fetching, async (jobs: Job<P>[]) => {
      await Promise.all(jobs.map((job) => runJob(name, job, run)));
    });
  }

  return {
    handle: ({ name, schedule }, run) => register(name, run, schedule ? SCHEDULED_FETCHING : FETCHING),
    handleQuick: ({ name }, run) => register(name, run, QUICK_FETCHING),
    handleLong: ({ name }, run) => register(name, run, LONG_FETCHING),
    async handleBatch<P extends object>({ name }: JobDefinition<P>, run: (payloads: Traced<P>[]) => Promise<unknown>) {
      if (!servesQueue(name)) return;
      await boss.work(name, BATCH_FETCHING, async (jobs: Job<P>[]) => {
        const started = performance.now();
        const traced = jobs.map(enterTrace);
        try {
          await run(traced.map(({ payload }) => payload));
          metrics.ended(name, 'completed', started, jobs.length);
          for (const each of traced) recordSpan(name, each, started, false, jobs.length);
        } catch (error) {
          report(error, { job: name, jobs: jobs.length }, 'a batch of jobs failed, retrying them one by one');
          for (const job of jobs) await runJob(name, job, (payload) => run([payload]));
        }
      });
    },
  };
}
