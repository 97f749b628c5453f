import { createAdapter } from '@socket.io/redis-streams-adapter';
import { Redis } from 'ioredis';
import type { ServerOptions } from 'socket.io';
import type { Config } from '../config.ts';

export interface ChannelAdapter {
  /** Joins the sockets of all processes through a Redis stream. */
  adapter: ServerOptions['adapter'];
  /** Fails while nothing that is said here can reach another process. */
  check(): Promise<unknown>;
  close(): void;
}

export const roomOf = (driverId: string): string => `driver:${driverId}`;

/**
 * The adapter speaks through one connection and listens through copies of it, and needs opposite things of them: what
 * is said must fail at once while Redis is away, so that a process goes on with its own sockets, and who listens must
 * wait for Redis to come back, since the adapter asks again without a pause. It also leaves some promises alone, and a
 * rejected one would end the process: those are answered here.
 */
export function createChannelAdapter({ redisUrl, redisPrefix }: Config): ChannelAdapter {
  const listeners: Redis[] = [];
  const open = (waits: boolean) => {
    const redis = new Redis(redisUrl, {
      connectTimeout: 2_000,
      disconnectTimeout: 100, // the adapter disconnects once more, and a process that stops would wait for it
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
      enableOfflineQueue: waits,
      maxRetriesPerRequest: waits ? null : 0,
      ...(waits ? {} : { commandTimeout: 1_000 }),
    });
    redis.on('error', () => {}); // the rate limiter says it once for all
    return forgiving(redis);
  };
  const speaker = open(false);
  speaker.duplicate = () => {
    const listener = open(true);
    listeners.push(listener);
    return listener;
  };
  return {
    adapter: createAdapter(speaker, {
      streamName: `${redisPrefix}driver-channel`,
      channelPrefix: `${redisPrefix}driver-channel`,
      sessionKeyPrefix: `${redisPrefix}driver-channel:`,
      onlyPlaintext: true,
    }) as ServerOptions['adapter'],
    check: () => speaker.ping(),
    close() {
      for (const redis of [speaker, ...listeners]) redis.disconnect();
    },
  };
}

const LEFT_ALONE = ['set', 'publish', 'subscribe'] as const;

function forgiving(redis: Redis): Redis {
  for (const name of LEFT_ALONE) {
    const command = redis[name].bind(redis) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(redis, { [name]: (...args: unknown[]) => command(...args).catch(() => null) });
  }
  return redis;
}
