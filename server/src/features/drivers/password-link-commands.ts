import { DRIVER_ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDriver } from '../../http/bind-driver.ts';
import { describeDevice } from '../../http/describe-device.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { readDriver } from './driver-commands.ts';
import type { createDriverSessions } from './driver-sessions.ts';
import { readPasswordLink, usePasswordLink } from './password-links.ts';
import { requestPasswordLink } from './send-password-link.ts';

export interface PasswordLinksOptions {
  db: Database;
  jobs: JobSender;
  rateLimiter: RateLimiter;
  sessions: ReturnType<typeof createDriverSessions>;
  now: () => Date;
}

/** The driver API's commands on links that set a password. They need no session. */
export function servePasswordLinks(app: FastifyInstance, options: PasswordLinksOptions): void {
  const { db, sessions, now } = options;

  bindDriver(app, DRIVER_ENDPOINTS.requestPasswordLink, async ({ body, answer, request }) => {
    await requestPasswordLink(options, body.email, request.ip);
    return answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.readPasswordLink, async ({ body, answer }) => {
    const { firstName, purpose } = await readPasswordLink(db, body.token, now());
    return answer(200, { success: true, firstName, purpose });
  });

  bindDriver(app, DRIVER_ENDPOINTS.usePasswordLink, async ({ body, answer, request }) => {
    const device = describeDevice(request.headers['user-agent']);
    const { driverId, token, ended } = await usePasswordLink(db, body, device, now());
    sessions.forget(ended);
    return answer(201, { success: true, token, driver: await readDriver(db, driverId) });
  });
}
