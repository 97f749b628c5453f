import { sql } from 'kysely';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { createSharedGauges, type Sample } from '../observability/shared-gauges.ts';

export interface JobMetrics {
  ended(job: string, outcome: 'completed' | 'failed', startedMs: number, jobs?: number): void;
}

/** Counted by the worker that runs the jobs. A failed job is retried: each attempt counts. */
export function createJobMetrics(registry: Registry): JobMetrics {
  const attempts = new Counter({
    name: 'navette_job_attempts_total',
    help: 'Jobs that this worker ran, by outcome; a failed one is retried',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'navette_job_seconds',
    help: 'Duration of a job, or of a batch of jobs that run together',
    labelNames: ['job'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600],
    registers: [registry],
  });
  return {
    ended(job, outcome, startedMs, jobs = 1) {
      attempts.inc({ job, outcome }, jobs);
      duration.observe({ job }, (performance.now() - startedMs) / 1_000);
    },
  };
}

interface QueueFigures {
  name: string;
  ready: number;
  active: number;
  deferred: number;
  failed: number;
  oldestSeconds: number;
}

/** Depth and age of every queue. Reported by every worker, and the same in each: take the maximum, not the sum. */
export function measureQueues(registry: Registry, db: Database): void {
  const define = createSharedGauges(registry, () => readQueues(db));
  define(
    'queue_jobs',
    'Jobs in each queue, by state; counted by the job engine every five seconds',
    ['queue', 'state'],
    (queues) =>
      queues.flatMap((queue) =>
        (['ready', 'active', 'deferred', 'failed'] as const).map(
          (state): Sample => [{ queue: queue.name, state }, queue[state]],
        ),
      ),
  );
  define(
    'queue_oldest_seconds',
    'How long the oldest job that is due has waited; 0 when none is due',
    ['queue'],
    (queues) => queues.map(({ name, oldestSeconds }) => [{ queue: name }, oldestSeconds]),
  );
}

/**
 * The counts are kept by pg-boss. The age is one look-up per queue in the index from which jobs are fetched: jobs of one
 * queue have the same priority, so the first due one of the index is the oldest. The look-up passes over jobs that are
 * deferred, which may be hundreds of thousands of programmed shipments: it is made only where pg-boss has counted a job
 * that is due, or has not counted recently because no worker runs.
 */
export async function readQueues(db: Database): Promise<QueueFigures[]> {
  const { rows } = await sql<QueueFigures>`
    select q.name, q.ready_count as ready, q.active_count as active, q.deferred_count as deferred,
           q.failed_count as failed, coalesce(extract(epoch from now() - oldest.due_at), 0)::float8 as "oldestSeconds"
    from pgboss.queue q
    left join lateral (
      select greatest(j.created_on, j.start_after) as due_at from pgboss.job j
      where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
        and (q.ready_count > 0 or q.monitor_on is null or q.monitor_on < now() - interval '30 seconds')
      order by j.priority desc, j.created_on limit 1
    ) oldest on true
    where q.name not like '\\_\\_%'`.execute(db);
  return rows;
}
