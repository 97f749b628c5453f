import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { Database } from '../../database/database.ts';
import { observeRequests } from '../../http/observe-requests.ts';
import { createKeyUseRecorder } from '../api-keys/index.ts';
import { createRequestRecorder } from './request-recorder.ts';

export interface RequestLogOptions {
  db: Database;
  redis: Redis;
  redisPrefix: string;
  log: FastifyBaseLogger;
}

/** Logs each request and the use of its key, after the response was sent. */
export function recordAccountRequests(app: FastifyInstance, { db, redis, redisPrefix, log }: RequestLogOptions): void {
  const recorder = createRequestRecorder(redis, redisPrefix, log);
  const uses = createKeyUseRecorder(db, log);
  observeRequests(app, (request) => {
    recorder.record(request);
    uses.record({ accountId: request.accountId, keyId: request.key.id, at: request.at });
  });
  app.addHook('onClose', async () => {
    await Promise.all([recorder.stop(), uses.stop()]);
  });
}
