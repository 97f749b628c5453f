import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { Database } from '../../database/database.ts';
import { watchRequests } from '../../http/watch-requests.ts';
import { createKeyUseNotes } from '../api-keys/index.ts';
import { createRequestRecorder } from './record-requests.ts';

export interface RequestLogOptions {
  db: Database;
  redis: Redis;
  redisPrefix: string;
  log: FastifyBaseLogger;
}

/** Remembers, behind the back of every answered request, what was asked and which key was used. */
export function keepRequestLog(app: FastifyInstance, { db, redis, redisPrefix, log }: RequestLogOptions): void {
  const recorder = createRequestRecorder(redis, redisPrefix, log);
  const uses = createKeyUseNotes(db, log);
  watchRequests(app, (seen) => {
    recorder.record(seen);
    uses.note({ accountId: seen.accountId, keyId: seen.key.id, at: seen.at });
  });
  app.addHook('onClose', async () => {
    await Promise.all([recorder.stop(), uses.stop()]);
  });
}
