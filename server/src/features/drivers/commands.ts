import { DRIVER_ENDPOINTS, type Driver } from '@navette/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';
import { bindDriver } from '../../http/bind-driver.ts';
import { closeSession, type createDriverSessions } from './driver-sessions.ts';
import { keepPosition, livePosition, takeOffMap } from './positions.ts';
import { signIn } from './sign-in.ts';

export interface DriversOptions {
  db: Database;
  redis: Redis;
  redisPrefix: string;
  sessions: ReturnType<typeof createDriverSessions>;
  log: FastifyBaseLogger;
  now: () => Date;
}

const LEAST_MS_BETWEEN_POSITIONS = 1_000; // more of them move no dot on any map

/** Who the driver is, whether they take runs, and where they are. */
export function serveDrivers(app: FastifyInstance, options: DriversOptions): void {
  const { db, redis, redisPrefix, sessions, log, now } = options;
  const lastKept = new LRUCache<string, number>({ max: 50_000 });

  bindDriver(app, DRIVER_ENDPOINTS.createSession, async ({ body, answer }) => {
    const { driverId, token } = await signIn(db, body, now());
    return answer(201, { success: true, token, driver: await readDriver(db, driverId) });
  });

  bindDriver(app, DRIVER_ENDPOINTS.readSession, async ({ driver, answer }) =>
    answer(200, { success: true, driver: await readDriver(db, driver.driverId) }),
  );

  bindDriver(app, DRIVER_ENDPOINTS.closeSession, async ({ driver, answer }) => {
    await closeSession(db, driver.sessionId, now());
    sessions.forget(driver.sessionId);
    return answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.setAvailability, async ({ driver, body: { available }, answer }) => {
    const { driverId } = driver;
    await db.updateTable('drivers').set({ available }).where('id', '=', driverId).execute();
    sessions.forget(driver.sessionId);
    await onMap(async () => {
      if (!available) return takeOffMap(redis, redisPrefix, driverId);
      const position = await livePosition(redis, redisPrefix, driverId);
      if (position) await keepPosition(redis, redisPrefix, { driverId, available }, position);
    });
    return answer(200, { success: true, driver: await readDriver(db, driverId) });
  });

  bindDriver(app, DRIVER_ENDPOINTS.sendPosition, async ({ driver, body, answer }) => {
    const at = now();
    const before = lastKept.get(driver.driverId) ?? 0;
    if (Math.abs(at.getTime() - before) < LEAST_MS_BETWEEN_POSITIONS) {
      return answer(200, { success: true, kept: false });
    }
    lastKept.set(driver.driverId, at.getTime());
    const kept = await onMap(() => keepPosition(redis, redisPrefix, driver, { ...body, at }));
    return answer(200, { success: true, kept });
  });

  /** Without Redis nobody is on a map; the next ping after its return puts the driver back. */
  async function onMap(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.debug({ err: error }, 'position not kept');
      return false;
    }
  }
}

async function readDriver(db: Database, driverId: string): Promise<Driver> {
  return db
    .selectFrom('drivers')
    .select(['id', 'first_name as firstName', 'last_name as lastName', 'phone_number as phoneNumber', 'email'])
    .select(['available', 'auto_accept as autoAccept'])
    .where('id', '=', driverId)
    .executeTakeFirstOrThrow();
}
