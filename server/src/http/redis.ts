import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';

/** What Redis cannot answer quickly is done without it, so commands fail fast instead of queueing up. */
export function createRedis(url: string, log: FastifyBaseLogger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 250,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', (error) => log.debug({ err: error }, 'redis connection'));
  return redis;
}
