import { createAdapter } from '@socket.io/redis-streams-adapter';
import { Redis } from 'ioredis';
import type { Server, ServerOptions } from 'socket.io';
import type { Config } from '../config.ts';
import { readWithoutGaps } from './read-without-gaps.ts';

export interface SocketAdapter {
  /** Connects the sockets of all processes through a Redis stream. Absent when there is one process. */
  adapter?: ServerOptions['adapter'];
  /** Receives the socket server of the api role. */
  attach?(io: Server): void;
  /** Fails while pushes of this process cannot reach other processes. */
  check(): Promise<unknown>;
  close(): void;
}

/** The Socket.IO room that holds every socket of a driver. */
export const driverRoom = (driverId: string): string => `driver:${driverId}`;

/**
 * The adapter writes through one connection and reads through duplicates of it, which need opposite settings while Redis
 * is unreachable. Writes must fail at once, so that the process keeps serving its own sockets. Reads must wait until
 * Redis is back, because the adapter retries without a delay.
 */
export function createSocketAdapter({ redisUrl, redisPrefix }: Config): SocketAdapter {
  const streamName = `${redisPrefix}driver-channel`;
  const readers: Redis[] = [];
  const connect = (waitsForRedis: boolean) => {
    const redis = new Redis(redisUrl, {
      connectTimeout: 2_000,
      disconnectTimeout: 100, // the adapter disconnects a second time, which would delay a shutdown
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
      enableOfflineQueue: waitsForRedis,
      maxRetriesPerRequest: waitsForRedis ? null : 0,
      ...(waitsForRedis ? {} : { commandTimeout: 1_000 }),
    });
    redis.on('error', () => {}); // the rate limiter logs it once for the process
    return withoutRejections(redis);
  };
  const writer = connect(false);
  writer.duplicate = () => {
    const reader = readWithoutGaps(connect(true), streamName);
    readers.push(reader);
    return reader;
  };
  return {
    adapter: createAdapter(writer, {
      streamName,
      channelPrefix: streamName,
      sessionKeyPrefix: `${streamName}:`,
      onlyPlaintext: true,
    }) as ServerOptions['adapter'],
    check: () => writer.ping(),
    close() {
      for (const redis of [writer, ...readers]) redis.disconnect();
    },
  };
}

const UNHANDLED_COMMANDS = ['set', 'publish', 'subscribe'] as const;

/** The adapter leaves rejections of these commands unhandled, and an unhandled rejection would end the process. */
function withoutRejections(redis: Redis): Redis {
  for (const name of UNHANDLED_COMMANDS) {
    const command = redis[name].bind(redis) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(redis, { [name]: (...args: unknown[]) => command(...args).catch(() => null) });
  }
  return redis;
}
