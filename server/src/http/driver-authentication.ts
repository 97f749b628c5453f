import { DRIVER_ENDPOINTS, type DriverEndpoint } from '@navette/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TwinClock } from '../calendar/twin-clock.ts';
import { refuseDriver } from '../refusals/driver-refusal.ts';
import { Refusal, refuseAsTooMany } from '../refusals/refusal.ts';
import { readBearer } from './bearer.ts';
import { type FailedAttempts, refuseThrottled } from './failed-attempts.ts';
import { hasBody } from './has-body.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { addRouteHooks } from './route-hooks.ts';
import { throttleUnauthenticated } from './throttle-unauthenticated.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    driverEndpoint?: DriverEndpoint;
  }
  interface FastifyRequest {
    driver: SignedInDriver | null;
  }
}

/** The authenticated driver. */
export interface SignedInDriver {
  driverId: string;
  /** The session's public id. */
  sessionId: string;
  /** SHA-256 of the session's token, in hex. */
  tokenHash: string;
  /** At most half a second old. */
  available: boolean;
  /** A robot courier of a test twin. */
  isRobot: boolean;
  /** That of the robot's twin. */
  clock: TwinClock;
}

export interface DriverSessions {
  /** The driver of an open session. The result is at most half a second old. */
  find(token: string): Promise<SignedInDriver | null>;
  /** True when the token was accepted recently. */
  wasValidRecently(token: string): boolean;
  /** The tokens among these whose session is closed now. Not cached. */
  closedAmong(tokens: readonly string[]): Promise<Set<string>>;
}

export interface DriverAuthenticationOptions {
  sessions: DriverSessions;
  rateLimiter: RateLimiter;
  failedAttempts: FailedAttempts;
  requestsPerMinute: number;
}

/** At most one position a second is stored, so an app that sends two a second wastes half of them. */
export const POSITIONS_PER_MINUTE = 120;

const windowsOf = (perMinute: number) => ({ minute: perMinute, hour: 60 * perMinute, day: 1_440 * perMinute });

/**
 * Checks every command of the driver app, over both channels: token, then limit. The token is looked up again once the
 * body has arrived: a driver who was disabled meanwhile must not change anything.
 */
export function authenticateDrivers(
  app: FastifyInstance,
  { sessions, rateLimiter, failedAttempts, requestsPerMinute }: DriverAuthenticationOptions,
): void {
  const commands = { name: 'driver', limits: windowsOf(requestsPerMinute) };
  // A separate limit: an app that sends too many positions must still be able to deliver.
  const positions = { name: 'driver-positions', limits: windowsOf(POSITIONS_PER_MINUTE) };
  app.decorateRequest('driver', null);
  throttleUnauthenticated(app, failedAttempts, ({ driverEndpoint }) => driverEndpoint?.open === true);

  addRouteHooks(app, ({ driverEndpoint }) => driverEndpoint !== undefined, {
    onRequest: async (request) => {
      const endpoint = request.routeOptions.config.driverEndpoint;
      if (endpoint?.open) return;
      request.driver = await authorise(request);
      const { name, limits } = endpoint === DRIVER_ENDPOINTS.sendPosition ? positions : commands;
      const { exhausted } = await rateLimiter.take(`${name}:${request.driver.driverId}`, limits);
      if (exhausted) refuseAsTooMany(exhausted);
    },
    preValidation: async (request) => {
      const endpoint = request.routeOptions.config.driverEndpoint;
      if (!endpoint?.open && hasBody(request)) request.driver = await authorise(request);
      if (request.body === undefined) request.body = {};
    },
  });

  async function authorise(request: FastifyRequest): Promise<SignedInDriver> {
    try {
      const token = readBearer(request) ?? refuseDriver('MISSING_TOKEN');
      // Failed attempts from the same address do not throttle a token that was accepted recently.
      if (!sessions.wasValidRecently(token) && failedAttempts.exhausted(request.ip)) await refuseThrottled();
      return (await sessions.find(token)) ?? refuseDriver('INVALID_TOKEN');
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) failedAttempts.take(request.ip);
      throw error;
    }
  }
}
