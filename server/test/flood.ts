import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { timeLimitMs } from './time-limit.ts';

export interface Flood {
  url: string;
  /** Connections, each with one pending request at any time. */
  clients: number;
  /** Requests that each client repeats in order. */
  requests: { path: string; method?: string; headers?: Record<string, string>; body?: string }[];
}

export interface OtherTenant {
  /** The 99th percentile of another caller, in milliseconds, without and with the flood. */
  quietMs: number;
  floodedMs: number;
  /** Responses to the flood by status; `broken` where a connection ended without one. */
  statuses: Record<string, number>;
}

const ROUNDS = 3;

/** The accepted latency for another tenant during a flood. The flood itself also takes CPU time on a busy machine. */
export const maxFloodedMs = (quietMs: number): number => 3 * quietMs + timeLimitMs(250);

/**
 * Measures another tenant without and with the flood, alternating, and returns the best round of each: other programs
 * slow down single rounds, while a flood that starves others slows down all of them.
 */
export async function measureOtherTenant(
  flood: Flood,
  call: () => Promise<unknown>,
  calls = 100, // per round, with and without the flood
): Promise<OtherTenant> {
  await p99Of(calls, call); // warm-up: compiling and connecting are not compared
  const statuses: Record<string, number> = {};
  const [quiet, flooded]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await p99Of(calls, call));
    const thread = new Worker(new URL('./flood-thread.ts', import.meta.url), { workerData: flood });
    await once(thread, 'message'); // the flood has started
    flooded.push(await p99Of(calls, call));
    const ended = once(thread, 'message') as Promise<[Record<string, number>]>;
    thread.postMessage('stop');
    for (const [status, count] of Object.entries((await ended)[0])) statuses[status] = (statuses[status] ?? 0) + count;
  }
  return { quietMs: Math.min(...quiet), floodedMs: Math.min(...flooded), statuses };
}

async function p99Of(calls: number, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < calls; i++) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.ceil(calls * 0.99) - 1] ?? 0;
}
