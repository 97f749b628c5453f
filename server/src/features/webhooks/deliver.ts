import { setTimeout } from 'node:timers/promises';
import { WEBHOOK_DELIVERY } from '@navette/contract';
import type { EndpointAnswer, EndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryStore, Outcome, TakenDelivery } from './delivery-store.ts';
import { signedHeaders } from './signature.ts';

const { delaysMs, timeoutMs } = WEBHOOK_DELIVERY;
const LAST_ATTEMPT = delaysMs.length;
const RECORD_RETRIES_MS = [200, 500, 1_000, 2_000, 4_000]; // a restart of PostgreSQL should not cost a second request

export interface Delivering {
  store: DeliveryStore;
  client: EndpointClient;
  metrics: DeliveryMetrics;
  /** Aborted when this worker is to stop, or has lost the round: no further attempt is made. */
  signal: AbortSignal;
  onRequest(): void;
  onAnswer(answer: EndpointAnswer): void;
}

export type Settled = 'delivered' | 'dropped' | 'cancelled';

/**
 * One delivery, from where it stands to its end: reserve, send, record, wait, at most three times in its life. An
 * attempt that was reserved and never recorded counts as made. Null when it was not brought to an end here: the signal
 * came, or another worker has it.
 */
export async function deliver(tools: Delivering, taken: TakenDelivery, secret: string): Promise<Settled | null> {
  const { store, metrics } = tools;
  const body = Buffer.from(taken.body);
  const settle = (becomes: Settled) => {
    metrics.settled(becomes);
    return becomes;
  };
  let attempt = taken.attempts;
  let url = taken.url;
  if (!taken.isReserved) {
    if (attempt === 0) return null; // taken by another worker at the same moment
    const endedAt = await closeLostAttempt(store, taken);
    if (attempt === LAST_ATTEMPT) return settle('dropped');
    url = await proceed(attempt, endedAt);
    attempt++;
  }
  for (; url !== null; attempt++) {
    const startedAt = new Date();
    const headers = signedHeaders(secret, taken.event, startedAt, body);
    tools.onRequest();
    const answer = await tools.client.post({ url, headers, body });
    const endedAt = performance.now();
    metrics.attempted(outcomeOf(answer), answer.durationMs / 1000);
    tools.onAnswer(answer);
    const becomes = outcomeOf(answer) === 'success' ? 'delivered' : attempt === LAST_ATTEMPT ? 'dropped' : 'pending';
    await recordPatiently(store, { ...refOf(taken), ...answer, attempt, startedAt, becomes }, endedAt);
    if (becomes !== 'pending') return settle(becomes);
    url = await proceed(attempt, endedAt);
  }
  return null;

  /** Waits out the delay after the attempt that failed, and reserves the next one. Answers where to send it, if at all. */
  async function proceed(failed: number, endedAt: number): Promise<string | null> {
    if (!(await waitUntil(endedAt + (delaysMs[failed] ?? 0), tools.signal))) return null;
    return store.reserve({ ...refOf(taken), attempt: failed + 1 });
  }
}

/** A webhook that was paused or deleted gets nothing any more. */
export async function cancelDelivery({ store, metrics }: Delivering, taken: TakenDelivery): Promise<Settled> {
  const { attempts, recorded, attemptedAt } = taken;
  const isLost = recorded < attempts;
  const known = { startedAt: isLost ? attemptedAt : null, error: isLost ? 'INTERRUPTED' : null };
  const unknown = { durationMs: null, status: null, answer: null };
  const outcome = { ...refOf(taken), ...known, ...unknown, attempt: attempts, becomes: 'cancelled' } as const;
  await recordPatiently(store, outcome, performance.now());
  metrics.settled('cancelled');
  return 'cancelled';
}

/**
 * What a dead worker left: its latest attempt ended when it was recorded or, if it never was, is taken to have run to
 * its time limit, in case that worker is merely frozen. Answers when, on this process's clock.
 */
async function closeLostAttempt(store: DeliveryStore, taken: TakenDelivery): Promise<number> {
  const { attempts, recorded, attemptedAt } = taken;
  const since = taken.sinceLastMs ?? 0;
  if (recorded === attempts) return performance.now() - since;
  const endedAt = performance.now() - since + timeoutMs;
  const lost = { startedAt: attemptedAt, durationMs: null, status: null, error: 'INTERRUPTED', answer: null };
  const becomes = attempts === LAST_ATTEMPT ? 'dropped' : 'pending';
  await recordPatiently(store, { ...refOf(taken), ...lost, attempt: attempts, becomes }, endedAt);
  return endedAt;
}

async function recordPatiently(
  store: DeliveryStore,
  outcome: Omit<Outcome, 'failedMsAgo'>,
  endedAt: number,
): Promise<void> {
  for (const patience of [...RECORD_RETRIES_MS, null]) {
    try {
      await store.record({ ...outcome, failedMsAgo: performance.now() - endedAt });
      return;
    } catch (error) {
      if (patience === null) throw error;
      await setTimeout(patience);
    }
  }
}

/** Never early: a timer may ring up to a millisecond before its time. */
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

const refOf = ({ accountId, webhookId, eventId }: TakenDelivery) => ({ accountId, webhookId, eventId });
