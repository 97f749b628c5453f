import { DRIVER_ENDPOINTS, type DriverEndpoint } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { readBearer } from './bearer.ts';
import { refuseDriver } from './driver-refusal.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { Refusal, refuseAsTooMany } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    driverEndpoint?: DriverEndpoint;
  }
  interface FastifyRequest {
    driver: SignedInDriver | null;
  }
}

/** Who speaks, once the door has let them in. */
export interface SignedInDriver {
  driverId: string;
  /** The token's hash. */
  sessionId: string;
  /** At most half a second old. */
  available: boolean;
}

export interface DriverSessions {
  /** The driver of an open session; the answer may be at most half a second old. */
  find(token: string): Promise<SignedInDriver | null>;
  /** True when the token opened the door lately. */
  wasGoodLately(token: string): boolean;
  /** Which of these tokens open nothing any more, by what is true now. */
  closedAmong(tokens: readonly string[]): Promise<Set<string>>;
}

export interface DriverDoorOptions {
  sessions: DriverSessions;
  rateLimiter: RateLimiter;
  failedAttempts: FailedAttempts;
  requestsPerMinute: number;
}

/** Every command of the driver app passes here, over either channel: token, then limit. */
export function guardDriverDoor(
  app: FastifyInstance,
  { sessions, rateLimiter, failedAttempts, requestsPerMinute }: DriverDoorOptions,
): void {
  const limits = { minute: requestsPerMinute, hour: 60 * requestsPerMinute, day: 1_440 * requestsPerMinute };
  app.decorateRequest('driver', null);

  app.addHook('onRequest', async (request) => {
    const endpoint = request.routeOptions.config.driverEndpoint;
    if (!endpoint) return;
    try {
      const token = endpoint.open ? null : (readBearer(request) ?? refuseDriver('MISSING_TOKEN'));
      // Who was in lately is let in, whatever others at the same address got wrong.
      const known = token !== null && sessions.wasGoodLately(token);
      if (!known && failedAttempts.exhausted(request.ip)) refuseAsTooMany('minute');
      if (token !== null) request.driver = (await sessions.find(token)) ?? refuseDriver('INVALID_TOKEN');
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) failedAttempts.count(request.ip);
      throw error;
    }
    if (!request.driver || endpoint === DRIVER_ENDPOINTS.sendPosition) return; // positions have a throttle of their own
    const { exhausted } = await rateLimiter.take(`driver:${request.driver.driverId}`, limits);
    if (exhausted) refuseAsTooMany(exhausted);
  });

  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.driverEndpoint && request.body === undefined) request.body = {};
  });

  // A wrong password is found out behind the door, and counts as a wrong token does.
  app.addHook('onError', async (request, _reply, error) => {
    const { driverEndpoint } = request.routeOptions.config;
    if (driverEndpoint?.open && error instanceof Refusal && error.status === 401) failedAttempts.count(request.ip);
  });
}
