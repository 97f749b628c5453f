import type { FastifyBaseLogger } from 'fastify';
import type { Redis } from 'ioredis';
import type { Config } from './config.ts';
import { createMemoryPositions, createRedisPositions, type DriverPositions } from './features/drivers/index.ts';
import { createMemoryRequestLog, createRedisRequestLog, type RequestLog } from './features/requests/index.ts';
import { createMemoryRateLimiter, createRateLimiter, type RateLimiter } from './http/rate-limiter.ts';
import { type Challenges, createMemoryChallenges, createRedisChallenges } from './identity/challenges.ts';
import { createDriverPush, type DriverPusher } from './realtime/driver-push.ts';
import { createMemoryChannel } from './realtime/memory-channel.ts';
import { createSocketAdapter, type SocketAdapter } from './realtime/socket-adapter.ts';

/** Data that processes share and may lose: in Redis, or in memory when one process is the whole service. */
export interface SharedState {
  positions: DriverPositions;
  requestLog: RequestLog;
  rateLimiter: RateLimiter;
  challenges: Challenges;
  /** For the sockets of the api role. */
  connectSockets(): SocketAdapter;
  /** For the worker role, which has no sockets. */
  connectDriverPush(): DriverPusher;
  /** Fails while processes share nothing. */
  check(): Promise<unknown>;
}

/** The state of any number of processes. The caller disconnects the client. */
export function createRedisState(redis: Redis, config: Config, log: FastifyBaseLogger): SharedState {
  return {
    positions: createRedisPositions(redis, config.redisPrefix),
    requestLog: createRedisRequestLog(redis, config.redisPrefix),
    rateLimiter: createRateLimiter(redis, config.redisPrefix, log),
    challenges: createRedisChallenges(redis, config.redisPrefix),
    connectSockets: () => createSocketAdapter(config),
    connectDriverPush: () => createDriverPush(config),
    check: () => redis.ping(),
  };
}

export interface MemoryState extends SharedState {
  /** Forgets everything but connections. */
  clear(): void;
}

/** The state of a process that runs both roles and is the only one. */
export function createMemoryState(): MemoryState {
  const positions = createMemoryPositions();
  const requestLog = createMemoryRequestLog();
  const rateLimiter = createMemoryRateLimiter();
  const challenges = createMemoryChallenges();
  const { sockets, driverPush } = createMemoryChannel();
  return {
    positions,
    requestLog,
    rateLimiter,
    challenges,
    connectSockets: () => sockets,
    connectDriverPush: () => driverPush,
    check: async () => {},
    clear() {
      positions.clear();
      requestLog.clear();
      rateLimiter.clear();
      challenges.clear();
    },
  };
}
