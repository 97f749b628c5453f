import { FEED_ENDPOINTS } from '@navette/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { type ObservedRequest, observeRequests } from '../../http/observe-requests.ts';
import { createKeyUseRecorder } from '../api-keys/index.ts';
import type { RequestLog } from './request-log.ts';
import { createRequestRecorder } from './request-recorder.ts';

export interface RequestLogOptions {
  db: Database;
  requestLog: RequestLog;
  log: FastifyBaseLogger;
}

/** A listener polls all day: its polls would displace the requests that a developer looks for. */
const POLLED: readonly string[] = Object.values(FEED_ENDPOINTS).map(({ path }) => path);
const isPoll = ({ route, status }: ObservedRequest) => POLLED.includes(route) && status < 400;

/** Logs each request and the use of its key, after the response was sent. */
export function recordAccountRequests(app: FastifyInstance, { db, requestLog, log }: RequestLogOptions): void {
  const recorder = createRequestRecorder(requestLog, log);
  const uses = createKeyUseRecorder(db, log);
  observeRequests(app, (request) => {
    if (!isPoll(request)) recorder.record(request);
    uses.record({ accountId: request.accountId, keyId: request.key.id, at: request.at });
  });
  app.addHook('onClose', async () => {
    await Promise.all([recorder.stop(), uses.stop()]);
  });
}
