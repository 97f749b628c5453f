import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { messageOnly } from '../refusals/refusal.ts';
import { hasBody } from './has-body.ts';
import { type MalformedRequestHandler, REQUEST_TIMEOUT } from './malformed-requests.ts';

export interface SlowRequestLimits {
  /** Time for request line and headers, from the first byte of a request or the opening of its connection. */
  headersMs: number;
  /** In each period of `bodyMs` after the headers, the body must end or have grown by `bodyBytes` on average. */
  bodyMs: number;
  bodyBytes: number;
  /** Time for the whole request, whatever its size. */
  requestMs: number;
  /** How often Node looks for connections that exceed `headersMs` or `requestMs`. */
  checkEveryMs: number;
}

export const SLOW_REQUEST_LIMITS: SlowRequestLimits = {
  headersMs: 15_000,
  bodyMs: 15_000,
  bodyBytes: 64 * 1024, // 4.4 KiB/s, as slow as GPRS
  requestMs: 300_000, // enough for the largest batch over a slow connection
  checkEveryMs: 1_000,
};

/**
 * Ends requests whose body arrives too slowly. A body below `bodyBytes` has one period. A larger one, with or without a
 * content-length, has one period per `bodyBytes` received, up to Node's own limit for the whole request. Node has no
 * limit that depends on size.
 */
export function limitSlowBodies(
  app: FastifyInstance,
  { bodyMs, bodyBytes }: SlowRequestLimits,
  handleMalformedRequest: MalformedRequestHandler,
): void {
  const watch = (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { bytesRead } = request.socket;
    let periods = 0;
    const timer = setInterval(() => {
      periods++;
      const arrived = request.socket.bytesRead - bytesRead;
      if (!request.complete && arrived >= periods * bodyBytes) return;
      clearInterval(timer);
      if (!request.complete) endSlowRequest(request, response, handleMalformedRequest);
    }, bodyMs);
    request.once('close', () => clearInterval(timer));
  };
  // Added last: Socket.IO hides its own requests from listeners that were added before its own.
  app.addHook('onReady', (done) => {
    app.server.on('request', watch);
    done();
  });
}

function endSlowRequest(
  request: IncomingMessage,
  response: ServerResponse,
  handleMalformedRequest: MalformedRequestHandler,
): void {
  const { socket } = request;
  if (response.headersSent) return void socket.destroy(); // refused before its body ended
  // If the body is being read, its reader answers and logs the refusal. Otherwise it is answered here.
  if (request.listenerCount('error') > 0) request.emit('error', messageOnly(408, REQUEST_TIMEOUT));
  else handleMalformedRequest(Object.assign(new Error(REQUEST_TIMEOUT), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
}
