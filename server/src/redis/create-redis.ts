import type { FastifyBaseLogger } from 'fastify';
import { type Command, Redis } from 'ioredis';
import type { Config } from '../config.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';

const TIMED_OUT = 'Command timed out';

/**
 * Callers have a fallback without Redis, so commands fail fast instead of queueing: at once while there is no
 * connection, after redisTimeLimitMs while Redis hangs, and at once again when it has hung for a few commands.
 */
export function createRedis(
  { redisUrl, redisTimeLimitMs }: Pick<Config, 'redisUrl' | 'redisTimeLimitMs'>,
  log: FastifyBaseLogger,
): Redis {
  const redis = new GuardedRedis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: redisTimeLimitMs,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', (error) => log.debug({ err: error }, 'redis connection'));
  return redis;
}

class GuardedRedis extends Redis {
  readonly #breaker: CircuitBreaker = createCircuitBreaker();

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    // Commands of the handshake pass: a new connection decides by itself whether Redis answers.
    if (this.status !== 'ready') return super.sendCommand(command, stream);
    if (!this.#breaker.permits()) {
      command.reject(new Error('Redis does not answer'));
      return command.promise;
    }
    this.#watch(command);
    return super.sendCommand(command, stream);
  }

  #watch(command: Command): void {
    command.promise.then(
      () => this.#breaker.recordSuccess(),
      (error: Error) => {
        if (error.message === TIMED_OUT) this.#breaker.recordFailure();
      },
    );
  }
}
