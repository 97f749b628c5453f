import { setTimeout } from 'node:timers/promises';
import { WEBHOOK_DELIVERY } from '@navette/contract';
import type { EndpointAnswer, EndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import { instantOf } from '../../database/uuid.ts';
import { preciseNow, type Tracer } from '../../observability/tracer.ts';
import type { AttemptLog, Outcome } from './attempt-log.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { TakenDelivery } from './delivery-queue.ts';
import type { RequestBudget, Slot } from './request-budget.ts';
import { signedHeaders } from './signature.ts';
import { loseAnswer } from './webhook-faults.ts';
import { hostAndPort } from './webhook-target.ts';

const { delaysMs, timeoutMs } = WEBHOOK_DELIVERY;
const LAST_ATTEMPT = delaysMs.length;
const RECORD_RETRIES_MS = [200, 500, 1_000, 2_000, 4_000]; // so that a restart of PostgreSQL does not cause a second request

export interface DeliverContext {
  attempts: AttemptLog;
  client: EndpointClient;
  budget: RequestBudget;
  metrics: DeliveryMetrics;
  tracer: Tracer;
  /** Aborted when this worker stops: no further attempt is made. */
  signal: AbortSignal;
  onRequest(): void;
  onAnswer(answer: EndpointAnswer): void;
}

export type Settled = 'delivered' | 'dropped' | 'cancelled';

/**
 * Makes the remaining attempts of one delivery: reserve, send, record, wait; three in all. An attempt that was reserved
 * and never recorded counts as made. Returns null when the delivery was not settled here: the signal was aborted, or
 * another worker has it. `given` is the slot of an attempt that is already reserved.
 */
export async function deliver(
  context: DeliverContext,
  taken: TakenDelivery & { url: string },
  secret: string,
  given: Slot | null,
): Promise<Settled | null> {
  const { attempts, metrics } = context;
  const { testFault: fault, secretVersion } = taken;
  const body = Buffer.from(taken.body);
  const settle = (becomes: Settled) => {
    metrics.settled(becomes);
    return becomes;
  };
  let attempt = taken.attempts;
  let next: Permitted | null;
  if (taken.isReserved) {
    next = await permit(taken.url, given);
  } else {
    if (attempt === 0) return null; // another worker took it at the same moment
    const endedAt = await recordLostAttempt(attempts, taken);
    if (attempt === LAST_ATTEMPT) return settle('dropped');
    next = await proceed(taken.url, attempt, endedAt);
    attempt++;
  }
  for (; next !== null; attempt++) {
    const { url, slot } = next;
    const startedAt = new Date();
    const headers = signedHeaders(secret, taken.event, startedAt, body, fault);
    context.onRequest();
    if (attempt === 1 && taken.resend === 0)
      metrics.firstAttempted((startedAt.getTime() - instantOf(taken.eventId).getTime()) / 1_000);
    const answer = loseAnswer(await context.client.post({ url, headers, body }), attempt, fault);
    const endedAt = performance.now();
    slot.finish();
    metrics.attempted(outcomeOf(answer), answer.durationMs / 1000);
    context.onAnswer(answer);
    if (taken.traceparent) recordAttempt(context.tracer, taken, attempt, answer);
    const becomes = outcomeOf(answer) === 'success' ? 'delivered' : attempt === LAST_ATTEMPT ? 'dropped' : 'pending';
    await recordWithRetries(
      attempts,
      { ...refOf(taken), ...answer, secretVersion, attempt, startedAt, fault, becomes },
      endedAt,
    );
    if (becomes !== 'pending') return settle(becomes);
    next = await proceed(url, attempt, endedAt);
  }
  return null;

  /** Waits for the delay after a failed attempt and for a slot, then reserves the next attempt. */
  async function proceed(lastUrl: string, failed: number, endedAt: number): Promise<Permitted | null> {
    if (!(await waitUntil(endedAt + (delaysMs[failed] ?? 0), context.signal))) return null;
    const slot = await acquire(lastUrl);
    if (!slot) return null;
    try {
      const url = await attempts.reserve({ ...refOf(taken), attempt: failed + 1 });
      if (url !== null) return await permit(url, slot);
    } catch (error) {
      slot.release();
      throw error;
    }
    slot.release();
    return null;
  }

  /** Acquires another slot when the webhook's host has changed since. */
  async function permit(url: string, slot: Slot | null): Promise<Permitted | null> {
    if (slot?.host === hostAndPort(url)) return { url, slot };
    slot?.release();
    const other = await acquire(url);
    return other && { url, slot: other };
  }

  async function acquire(url: string): Promise<Slot | null> {
    return (await context.budget.acquire(taken, hostAndPort(url), 1, context.signal))[0] ?? null;
  }
}

/** The merchant does not receive the trace: the contract names the headers of a webhook. */
function recordAttempt(
  tracer: Tracer,
  { traceparent, webhookId, eventId, event }: TakenDelivery,
  attempt: number,
  answer: EndpointAnswer,
): void {
  const trace = tracer.follow(traceparent);
  if (!trace.sampled) return;
  tracer.record(trace, {
    name: 'webhook attempt',
    kind: 'client',
    startedAt: preciseNow() - answer.durationMs,
    failed: outcomeOf(answer) !== 'success',
    attributes: {
      'navette.webhook_id': webhookId,
      'navette.event_id': eventId,
      'navette.event': event,
      'navette.attempt': attempt,
      'http.response.status_code': answer.status ?? undefined,
      'error.type': answer.error ?? undefined,
    },
  });
}

interface Permitted {
  url: string;
  slot: Slot;
}

/** For a webhook that was paused or deleted. */
export async function cancelDelivery(
  { attempts: log, metrics }: DeliverContext,
  taken: TakenDelivery,
): Promise<Settled> {
  const { attempts, recorded, attemptedAt } = taken;
  const isLost = recorded < attempts;
  const known = { startedAt: isLost ? attemptedAt : null, error: isLost ? 'INTERRUPTED' : null };
  const unknown = { durationMs: null, status: null, answer: null, secretVersion: null, fault: null };
  const outcome = { ...refOf(taken), ...known, ...unknown, attempt: attempts, becomes: 'cancelled' } as const;
  await recordWithRetries(log, outcome, performance.now());
  metrics.settled('cancelled');
  return 'cancelled';
}

/**
 * Returns when the latest attempt of a dead worker ended, by this process's clock. An attempt that was never recorded is
 * assumed to have run into its time limit, in case that worker is only frozen, and is recorded as interrupted.
 */
async function recordLostAttempt(log: AttemptLog, taken: TakenDelivery): Promise<number> {
  const { attempts, recorded, attemptedAt } = taken;
  const since = taken.sinceLastMs ?? 0;
  if (recorded === attempts) return performance.now() - since;
  const endedAt = performance.now() - since + timeoutMs;
  const lost = {
    startedAt: attemptedAt,
    durationMs: null,
    status: null,
    error: 'INTERRUPTED',
    answer: null,
    secretVersion: null,
    fault: null,
  };
  const becomes = attempts === LAST_ATTEMPT ? 'dropped' : 'pending';
  await recordWithRetries(log, { ...refOf(taken), ...lost, attempt: attempts, becomes }, endedAt);
  return endedAt;
}

async function recordWithRetries(
  log: AttemptLog,
  outcome: Omit<Outcome, 'failedMsAgo'>,
  endedAt: number,
): Promise<void> {
  for (const delay of [...RECORD_RETRIES_MS, null]) {
    try {
      await log.record({ ...outcome, failedMsAgo: performance.now() - endedAt });
      return;
    } catch (error) {
      if (delay === null) throw error;
      await setTimeout(delay);
    }
  }
}

/** Never returns early: a timer may fire up to a millisecond before its time. */
async function waitUntil(instant: number, signal: AbortSignal): Promise<boolean> {
  while (performance.now() < instant && !signal.aborted) {
    await setTimeout(Math.ceil(instant - performance.now()), undefined, { signal }).catch(() => {});
  }
  return !signal.aborted;
}

function outcomeOf({ status, error }: EndpointAnswer): 'success' | 'refused' | 'timeout' | 'failed' {
  if (status !== null) return status >= 200 && status < 300 ? 'success' : 'refused';
  return error === 'TIMEOUT' ? 'timeout' : 'failed';
}

const refOf = ({ accountId, webhookId, eventId, resend }: TakenDelivery) => ({ accountId, webhookId, eventId, resend });
