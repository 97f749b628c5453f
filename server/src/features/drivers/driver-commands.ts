import { DRIVER_ENDPOINTS, type Driver } from '@navette/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';
import { bindDriver } from '../../http/bind-driver.ts';
import { describeDevice } from '../../http/describe-device.ts';
import { refuseAsUnknownSession } from '../../refusals/driver-refusal.ts';
import { applyOnce, readCommand } from './apply-once.ts';
import type { createDriverSessions } from './driver-sessions.ts';
import { signIn } from './driver-sign-in.ts';
import { endSessions, listSessions, type WhichSessions } from './end-sessions.ts';
import type { DriverPositions } from './positions.ts';

export interface DriversOptions {
  db: Database;
  positions: DriverPositions;
  sessions: ReturnType<typeof createDriverSessions>;
  /** Facts about the service that the app needs to show the right pages. */
  sessionFacts: { deliveryKeys: string[]; operatorPhone: string | null; paid: boolean; pushKey: string | null };
  log: FastifyBaseLogger;
  now: () => Date;
}

const MIN_POSITION_INTERVAL_MS = 1_000; // searches need no better precision

/** The driver API's commands on sessions, availability and positions. */
export function serveDrivers(app: FastifyInstance, options: DriversOptions): void {
  const { db, positions, sessions, sessionFacts, log, now } = options;
  const readSession = async (driverId: string) => ({
    success: true as const,
    driver: await readDriver(db, driverId),
    ...sessionFacts,
  });
  const lastSaved = new LRUCache<string, number>({ max: 50_000 });

  bindDriver(app, DRIVER_ENDPOINTS.createSession, async ({ body, answer, request }) => {
    const { driverId, token } = await signIn(db, body, describeDevice(request.headers['user-agent']), now());
    return answer(201, { success: true, token, driver: await readDriver(db, driverId) });
  });

  bindDriver(app, DRIVER_ENDPOINTS.readSession, async ({ driver, answer }) =>
    answer(200, await readSession(driver.driverId)),
  );

  const end = async (driverId: string, which: WhichSessions): Promise<boolean> => {
    const ended = await endSessions(db, driverId, which, now());
    sessions.forget(ended);
    return ended.length > 0;
  };

  bindDriver(app, DRIVER_ENDPOINTS.closeSession, async ({ driver, answer }) => {
    await end(driver.driverId, { only: driver.sessionId });
    return answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.listSessions, async ({ driver, answer }) => {
    const open = await listSessions(db, driver.driverId, now());
    const presented = open.map(({ id, device, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      device,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      current: id === driver.sessionId,
    }));
    return answer(200, { success: true, sessions: presented });
  });

  bindDriver(app, DRIVER_ENDPOINTS.endSession, async ({ driver, params, answer }) => {
    if (!(await end(driver.driverId, { only: params.id }))) refuseAsUnknownSession();
    return answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.endOtherSessions, async ({ driver, answer }) => {
    await end(driver.driverId, { allBut: driver.sessionId });
    return answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.setAvailability, async ({ driver, body, answer }) => {
    const { driverId, isRobot } = driver;
    const { available } = body;
    await applyOnce(db, readCommand('setAvailability', driverId, body, now()), null, async (tx) => {
      await tx.updateTable('drivers').set({ available }).where('id', '=', driverId).execute();
      return null;
    });
    sessions.forget([driver.tokenHash]);
    await withMap(async () => {
      if (!available) return positions.removeFromMap(driverId);
      const position = await positions.find(driverId);
      if (position) await positions.save({ driverId, available, isRobot }, position);
    });
    return answer(200, await readSession(driverId));
  });

  bindDriver(app, DRIVER_ENDPOINTS.sendPosition, async ({ driver, body, answer }) => {
    const at = now();
    const before = lastSaved.get(driver.driverId) ?? 0;
    if (Math.abs(at.getTime() - before) < MIN_POSITION_INTERVAL_MS) {
      return answer(200, { success: true, kept: false });
    }
    lastSaved.set(driver.driverId, at.getTime());
    const kept = await withMap(() => positions.save(driver, { ...body, at }));
    return answer(200, { success: true, kept });
  });

  /** An outage of Redis fails no command: the next ping after it puts the driver back on the map. */
  async function withMap(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.debug({ err: error }, 'driver position not saved');
      return false;
    }
  }
}

export async function readDriver(db: Database, driverId: string): Promise<Driver> {
  return db
    .selectFrom('drivers')
    .select(['id', 'first_name as firstName', 'last_name as lastName', 'phone_number as phoneNumber', 'email'])
    .select(['available', 'auto_accept as autoAccept'])
    .where('id', '=', driverId)
    .executeTakeFirstOrThrow();
}
