import { readFileSync } from 'node:fs';
import { RATE_WINDOWS, type RateWindow } from '@navette/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { coalesce } from '../concurrency/coalesce.ts';
import type { RateLimits } from './caller.ts';

const SCRIPT = readFileSync(new URL('./rate-limiter.lua', import.meta.url), 'utf8');
const WINDOW_SECONDS: Record<RateWindow, number> = { minute: 60, hour: 3_600, day: 86_400 };
const MAX_PER_CALL = 256; // keeps one script run well under a millisecond

export interface Verdict {
  /** The longest window that is exhausted, or null when the request is allowed. */
  exhausted: RateWindow | null;
  /** Requests left in this minute. */
  remaining: number;
  /** When this minute ends, in seconds since 1970. */
  resetsAt: number;
}

export interface RateLimiter {
  /** `aheadMs`: of the account's clock, whose windows are counted. */
  take(accountId: string, limits: RateLimits, aheadMs?: number): Promise<Verdict>;
  /** True while Redis is unreachable and each process counts its own requests only. */
  readonly degraded: boolean;
}

interface Request {
  accountId: string;
  limits: RateLimits;
  aheadSeconds: number;
}

/**
 * Counts three fixed windows per account in Redis, shared by all processes. Requests that arrive during a call to Redis
 * are batched into the next one, which saves round trips. While Redis is unreachable each process counts its own
 * requests: the limit is less exact, but every request is still served.
 */
export function createRateLimiter(redis: Redis, prefix: string, log: FastifyBaseLogger): RateLimiter {
  redis.defineCommand('takeRequests', { lua: SCRIPT });
  const shared = redis as Redis & { takeRequests(...args: (string | number)[]): Promise<number[]> };
  const local = createLocalCounter();
  let degraded = false;

  async function askRedis(requests: Request[]): Promise<Verdict[]> {
    const keys = requests.map(({ accountId }) => `${prefix}limit:${accountId}`);
    // One text per account: an argument of its own for each number takes this process a microsecond more per request.
    const limits = requests.map(
      ({ limits: { minute, hour, day }, aheadSeconds }) => `${minute} ${hour} ${day} ${aheadSeconds}`,
    );
    const [now = 0, ...answers] = await shared.takeRequests(keys.length, ...keys, ...limits);
    return requests.map(({ limits, aheadSeconds }, i) =>
      toVerdict(limits, now, aheadSeconds, answers[2 * i] ?? 0, answers[2 * i + 1] ?? 0),
    );
  }

  const decide = coalesce<Request, Verdict>({ maxBatch: MAX_PER_CALL, maxRunning: 1 }, async (requests) => {
    try {
      const verdicts = await askRedis(requests);
      if (degraded) log.info('redis is reachable again: request limits are shared between processes');
      degraded = false;
      return verdicts;
    } catch (error) {
      if (!degraded) log.warn({ err: error }, 'redis is unreachable: request limits are counted in this process only');
      degraded = true;
      return requests.map((request) => local.take(request));
    }
  });

  return {
    take: (accountId, limits, aheadMs) => decide({ accountId, limits, aheadSeconds: toSeconds(aheadMs) }),
    get degraded() {
      return degraded;
    },
  };
}

/** For a process that is the only one. */
export function createMemoryRateLimiter(): RateLimiter & { clear(): void } {
  const counter = createLocalCounter();
  return {
    take: async (accountId, limits, aheadMs) => counter.take({ accountId, limits, aheadSeconds: toSeconds(aheadMs) }),
    degraded: false,
    clear: () => counter.clear(),
  };
}

/** The same rules as the script, for one process: the only one, or while Redis is unreachable. */
function createLocalCounter() {
  const counts = new LRUCache<string, number>({ max: 30_000 });
  return {
    take({ accountId, limits, aheadSeconds }: Request): Verdict {
      const now = Math.floor(Date.now() / 1000);
      const time = now + aheadSeconds;
      const keys = RATE_WINDOWS.map((window) => `${accountId}:${window}:${Math.floor(time / WINDOW_SECONDS[window])}`);
      const exhausted =
        RATE_WINDOWS.findLastIndex((window, i) => (counts.get(keys[i] ?? '') ?? 0) >= limits[window]) + 1;
      if (exhausted === 0) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      return toVerdict(limits, now, aheadSeconds, exhausted, counts.get(keys[0] ?? '') ?? 0);
    },
    clear: () => counts.clear(),
  };
}

const toSeconds = (ms = 0) => Math.floor(ms / 1000);

/** The end of the window is given in real time: clients wait for it. */
function toVerdict(
  limits: RateLimits,
  now: number,
  ahead: number,
  exhausted: number,
  countThisMinute: number,
): Verdict {
  return {
    exhausted: RATE_WINDOWS[exhausted - 1] ?? null,
    remaining: Math.max(0, limits.minute - countThisMinute),
    resetsAt: (Math.floor((now + ahead) / WINDOW_SECONDS.minute) + 1) * WINDOW_SECONDS.minute - ahead,
  };
}
